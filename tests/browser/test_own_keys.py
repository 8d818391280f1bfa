"""A person's own keys, and none: what a press does on the rating page, and in a survey."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import AT_400_PERCENT
from tests.browser.rating import given, press, response_of, wait_until
from tests.study import experts, study_cases


def test_a_shortcut_answers_to_its_own_key_alone(rating_page, annotator):
    annotator.own_keys = {"rating": {"S": "J", "Z": "S"}}
    annotator.save()
    rating_page.reload()
    press(rating_page, "3")
    expect(rating_page.locator("kbd:visible", has_text=re.compile("^J$"))).to_have_count(1)
    press(rating_page, "z")  # nothing's key any more
    press(rating_page, "j")
    expect(rating_page.locator("[data-response]")).to_have_text(response_of(2))
    wait_until(rating_page, lambda: given(annotator) == [(3, "versatile")])
    press(rating_page, "s")
    expect(rating_page.locator("#changing")).to_be_visible()


def lines_of_keys(page: Page) -> list[str]:
    press(page, "?")
    shown = page.locator("#keys dt:visible").all_inner_texts()
    press(page, "Escape")
    return [" ".join(keys.split()) for keys in shown]


def test_g_h_leads_home_whatever_the_key_of_the_guideline(rating_page, annotator):
    annotator.own_keys = {"rating": {"G": "Q", "X": "H"}}
    annotator.save()
    rating_page.reload()
    here = rating_page.url
    assert "g h" in lines_of_keys(rating_page)
    press(rating_page, "q", "Escape", "h", "Escape", "q", "h", "Escape")  # the guideline, skipping: no g among them
    assert rating_page.url == here
    press(rating_page, "g", "h")
    expect(rating_page).to_have_url(re.compile(r"^http://[^/]+/$"))


def test_where_g_is_another_act_nothing_leads_home(rating_page, annotator):
    annotator.own_keys = {"rating": {"G": "Q", "X": "G"}}
    annotator.save()
    rating_page.reload()
    here = rating_page.url
    assert "g h" not in lines_of_keys(rating_page)
    press(rating_page, "g", "h")
    expect(rating_page.locator("#skip")).to_have_attribute("open", "")
    assert rating_page.url == here


def test_after_a_refusal_the_key_to_mend_is_in_view_and_has_the_focus(open_page, annotator, project):
    page = open_page("/account/keys/", by=annotator, viewport={"width": 390, "height": 500})
    last = page.locator(".keys-table .input").last
    last.fill("X")
    page.get_by_role("button", name="Save").click()
    expect(last).to_have_attribute("aria-invalid", "true")
    expect(last).to_be_focused()
    expect(last).to_be_in_viewport()
    last.fill("Q")
    page.once("dialog", lambda dialog: dialog.dismiss())
    with page.expect_event("dialog"):  # the browser asks before what was typed is lost
        page.get_by_role("link", name="Cleaning").click()
    expect(last).to_have_value("Q")
    with page.expect_navigation():
        page.get_by_role("button", name="Save").click()
    expect(last).to_have_value("Q")


def test_without_single_keys_a_press_does_nothing_and_buttons_still_do(rating_page, annotator):
    annotator.has_single_keys = False
    annotator.save()
    rating_page.reload()
    press(rating_page, "4", "x", "?")
    expect(rating_page.locator("[data-response]")).to_have_text(response_of(1))
    expect(rating_page.locator("dialog[open]")).to_have_count(0)
    expect(rating_page.locator("main kbd:visible")).to_have_count(0)
    rating_page.locator("[data-show-keys]").first.click()
    expect(rating_page.locator("#keys [data-off]")).to_be_visible()
    press(rating_page, "Escape")
    rating_page.locator("label", has=rating_page.locator("input[name=grade][value='4']")).click()
    wait_until(rating_page, lambda: given(annotator) == [(4, "")])


def switch(page: Page):
    return page.get_by_role("switch", name="Single-key shortcuts")


def first_question(page: Page) -> None:
    """Go from the consent to the first question, with single keys off from the practice question on."""
    for box in page.get_by_role("checkbox").all():
        box.check()
    for _step in ("consent", "about you"):
        with page.expect_navigation():
            page.locator("button.button-main").click()
    page.locator(".candidate[data-chosen]").first.wait_for()
    page.locator("label.switch").click()
    for line in (0, 1):
        page.locator(".candidate label").nth(line).click()
    page.get_by_role("button", name="Check").click()
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("#where")).to_have_text("Question 1 of 5")
    page.locator(".candidate[data-chosen]").first.wait_for()


def test_a_participant_switches_single_keys_off_on_their_device(
    open_page, transactional_db, researcher, assert_accessible
):
    study = study_cases.study("lines", by=researcher)
    page = open_page(f"/take/{study.groups.get().token}/")
    first_question(page)
    expect(switch(page)).not_to_be_checked()
    press(page, "1", "2")
    expect(page.locator(".is-first, .is-second")).to_have_count(0)
    assert_accessible(page)
    page.set_viewport_size(AT_400_PERCENT["viewport"])
    page.locator("label.switch").click()
    press(page, "2", "1")
    expect(page.locator(".candidate").nth(1)).to_have_class(re.compile("is-first"))
    page.reload()
    expect(switch(page)).to_be_checked()


def test_an_expert_without_single_keys_on_the_account_has_none_in_a_survey(open_page, transactional_db, researcher):
    marta = experts.account("marta")
    marta.has_single_keys = False
    marta.save()
    study = experts.ceiling(marta, by=researcher)
    experts.begin(experts.browser_of(marta), study)
    page = open_page(f"{experts.link_of(study)}questions/1/", by=marta)
    page.locator(".rank-row[data-chosen]").first.wait_for()
    press(page, "a", "r")
    expect(page.locator(".is-placed")).to_have_count(0)
    expect(page.locator("#rest")).to_be_visible()
    expect(page.get_by_role("link", name="Change keys, switch them off")).to_be_visible()
    page.locator(".rank-tap").first.click()
    expect(page.locator(".is-placed")).to_have_count(1)
