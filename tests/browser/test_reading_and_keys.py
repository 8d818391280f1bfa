"""Reading and keys (/account/keys/): sizes that show themselves, and slots that listen, clash, swap and go back."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.rating import press

UNSAVED = "#unsaved"


@pytest.fixture
def page(open_page, annotator, project) -> Page:
    return open_page("/account/keys/", by=annotator)


def slot(page: Page, usual: str) -> Locator:
    return page.locator(f"[data-usual={usual}]")


def row(page: Page, usual: str) -> Locator:
    return page.locator("tr", has=slot(page, usual))


def put(page: Page, usual: str, key: str) -> None:
    slot(page, usual).click()
    press(page, key)


def save(page: Page) -> None:
    with page.expect_navigation():
        page.get_by_role("button", name="Save").click()


def height_of_sample(page: Page) -> float:
    return page.locator(".size-sample .said").first.bounding_box()["height"]


def test_the_sample_has_the_chosen_size_at_once_and_nothing_is_stored_before_save(page, annotator):
    heights = []
    for radio in page.get_by_role("radio").all():
        radio.check()
        heights.append(height_of_sample(page))
    assert heights == sorted(set(heights))
    expect(page.locator(UNSAVED)).to_contain_text("One change")
    annotator.refresh_from_db()
    assert annotator.text_size == ""
    save(page)
    annotator.refresh_from_db()
    assert annotator.text_size == "largest"
    expect(page.locator(UNSAVED)).to_be_hidden()


def test_a_slot_listens_and_keeps_its_key_or_takes_another_or_none(page, annotator, assert_accessible):
    slot(page, "A").focus()
    press(page, "Enter")
    expect(slot(page, "A")).to_have_attribute("placeholder", "Press a key …")
    expect(slot(page, "A")).to_have_value("")
    assert_accessible(page)
    press(page, "Escape")
    expect(slot(page, "A")).to_have_value("A")
    expect(page.locator(UNSAVED)).to_be_hidden()
    slot(page, "S").click()
    slot(page, "D").click()  # what was left keeps its key
    expect(slot(page, "S")).to_have_value("S")
    press(page, "p")
    press(page, "o")  # the field goes on hearing: the next letter replaces it
    expect(slot(page, "D")).to_have_value("O")
    put(page, "F", "Delete")
    expect(slot(page, "F")).to_have_value("")
    expect(page.locator(UNSAVED)).to_contain_text("2 changes")
    save(page)
    annotator.refresh_from_db()
    assert annotator.own_keys == {"rating": {"D": "O", "F": ""}}


@pytest.mark.parametrize("key", ["5", "Control+b", "F2"])
def test_what_is_no_letter_is_refused_in_words_and_the_slot_goes_on_listening(page, key):
    put(page, "A", key)
    expect(row(page, "A").locator("[data-said]")).to_have_text("One letter from A to Z.")
    expect(row(page, "A").get_by_role("button", name="Swap")).to_be_hidden()
    press(page, "p")
    expect(slot(page, "A")).to_have_value("P")
    expect(row(page, "A").locator("[data-note]")).to_be_hidden()


def test_a_key_that_is_taken_is_said_at_once_and_swapped(page, annotator, assert_accessible):
    put(page, "F", "x")
    expect(slot(page, "F")).to_have_attribute("aria-invalid", "true")
    expect(slot(page, "F")).to_have_accessible_description("X is “Skip with a reason” already. Swap the two")
    expect(page.locator(UNSAVED)).to_contain_text("Flag needs another key")
    assert_accessible(page)
    row(page, "F").get_by_role("button", name="Swap the two").click()
    expect(slot(page, "X")).to_have_value("F")
    expect(page.locator("[aria-invalid=true]")).to_have_count(0)
    expect(page.locator(UNSAVED)).to_contain_text("2 changes")
    save(page)
    annotator.refresh_from_db()
    assert annotator.own_keys == {"rating": {"F": "X", "X": "F"}}


def test_a_key_goes_back_and_so_do_all_and_nothing_is_stored_before_save(page, annotator):
    annotator.own_keys = {"rating": {"A": "P", "S": "O"}}
    annotator.save()
    page.reload()
    expect(page.locator("tr.is-changed")).to_have_count(2)
    back = row(page, "A").get_by_role("button", name="back to A")
    back.focus()
    press(page, "Enter")
    expect(slot(page, "A")).to_have_value("A")
    expect(slot(page, "A")).to_be_focused()
    expect(back).to_be_hidden()
    page.get_by_role("button", name="All defaults").click()
    expect(page.locator("tr.is-changed")).to_have_count(0)
    expect(page.locator(UNSAVED)).to_contain_text("2 changes")
    annotator.refresh_from_db()
    assert annotator.own_keys == {"rating": {"A": "P", "S": "O"}}
    save(page)
    annotator.refresh_from_db()
    assert annotator.own_keys == {}


def test_without_script_fields_take_letters_and_what_needs_it_is_not_there(open_page, annotator, project):
    page = open_page("/account/keys/", by=annotator, java_script_enabled=False)
    expect(page.get_by_role("button", name="All defaults")).to_be_hidden()
    slot(page, "F").fill("x")
    save(page)
    expect(row(page, "F").locator("[data-said]")).to_have_text("X is “Skip with a reason” already.")
    slot(page, "F").fill("q")
    save(page)
    annotator.refresh_from_db()
    assert annotator.own_keys == {"rating": {"F": "Q"}}


def test_a_shortcut_without_a_key_answers_to_none(rating_page, annotator):
    annotator.own_keys = {"rating": {"X": ""}}
    annotator.save()
    rating_page.reload()
    press(rating_page, "x")
    expect(rating_page.locator("#skip")).not_to_have_attribute("open", "")
    press(rating_page, "g")
    expect(rating_page.locator("kbd:visible", has_text="X")).to_have_count(0)
