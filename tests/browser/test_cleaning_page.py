"""The cleaning page by keyboard, without a connection, on a phone, and without a script."""

import pytest
from playwright.sync_api import Page, expect

from annotation.domain.cleaning.cleaning import CleaningVerdict
from annotation.domain.workflow import ItemState
from annotation.models import CleaningDecision
from tests.browser.conftest import AT_400_PERCENT, PHONE
from tests.browser.rating import BETWEEN_TAPS_MS, assert_bar_is_below, wait_until
from tests.cleaning import MARKED, marked_pairs

PATH = "/projects/weibo/clean/"


@pytest.fixture
def cleaning_page(open_page, project, annotator) -> Page:
    marked_pairs(project)
    return open_page(PATH, by=annotator)


def left(page: Page, count: int) -> None:
    expect(page.locator("[data-left]")).to_have_text(f"{count} left")


def saved(page: Page) -> None:
    expect(page.locator("#saved")).to_contain_text("Saved at")


def verdicts() -> list[str]:
    return list(CleaningDecision.objects.in_force().order_by("pk").values_list("verdict", flat=True))


def press(page: Page, key: str) -> None:
    page.wait_for_timeout(250)  # the page ignores keys before a person can have read the pair
    page.keyboard.press(key)


def test_keys_decide_and_z_takes_back_one_by_one(cleaning_page, project, assert_accessible):
    page = cleaning_page
    left(page, MARKED)
    expect(page.locator("#pair mark").first).to_be_visible()
    expect(page.locator("#coming li")).to_have_count(2)
    first = page.locator("[data-response]").inner_text()
    press(page, "k")
    left(page, MARKED - 1)
    assert page.locator("[data-response]").inner_text() != first
    expect(page.get_by_role("group", name=f"Cleaning {MARKED - 1} left")).to_have_attribute("aria-live", "polite")
    press(page, "s")
    left(page, MARKED - 2)
    expect(page.locator("#past li")).to_have_count(2)
    expect(page.locator("#past .badge").first).to_have_text("sensitive")
    press(page, "z")
    left(page, MARKED - 1)
    press(page, "z")
    left(page, MARKED)
    expect(page.locator("[data-response]")).to_have_text(first)
    expect(page.locator("#past li")).to_have_count(0)
    wait_until(page, lambda: not verdicts())
    saved(page)
    assert not project.items.filter(state=ItemState.CLEANED).exists()
    assert_accessible(page)


def test_d_removes_the_prompt_and_says_beforehand_how_many_responses_go(cleaning_page, project):
    page = cleaning_page
    while page.locator("[data-prompt]").inner_text() != "今天天气怎么样？":
        press(page, "k")
    expect(page.locator("[data-whole]")).to_have_text("Removes this prompt and its 3 responses")
    expect(page.locator("[data-rules]")).to_have_text("Weather")
    press(page, "d")
    wait_until(page, lambda: project.items.filter(state=ItemState.CLEANED).count() == 3)
    prompts = page.locator("[data-prompt]")
    expect(page.locator("#nothing").or_(prompts.filter(has_not_text="天气")).first).to_be_visible()


def test_decisions_made_without_a_connection_are_sent_once(cleaning_page, forgiven):
    forgiven.append("ERR_INTERNET_DISCONNECTED")
    page = cleaning_page
    page.context.set_offline(True)
    press(page, "k")
    press(page, "s")
    expect(page.locator("[data-notice=offline]")).to_contain_text("2 decisions are kept on this device")
    left(page, MARKED - 2)
    assert verdicts() == []
    page.context.set_offline(False)
    expect(page.locator("[data-notice=arrived]")).to_be_visible()
    assert verdicts() == [CleaningVerdict.KEEP, CleaningVerdict.SENSITIVE]


def test_on_a_phone_the_three_buttons_are_at_the_thumb(open_page, project, annotator):
    marked_pairs(project)
    page = open_page(PATH, by=annotator, **PHONE)
    keep = page.get_by_role("button", name="Keep")
    box = keep.bounding_box()
    assert box["height"] >= 44
    assert box["y"] + box["height"] <= 844
    page.wait_for_timeout(BETWEEN_TAPS_MS)
    keep.tap()
    left(page, MARKED - 1)
    saved(page)
    assert verdicts() == [CleaningVerdict.KEEP]


def test_it_is_a_plain_form_without_a_script(open_page, project, annotator):
    marked_pairs(project)
    page = open_page(PATH, by=annotator, java_script_enabled=False)
    page.get_by_role("button", name="Sensitive").click()
    left(page, MARKED - 1)
    assert verdicts() == [CleaningVerdict.SENSITIVE]
    page.get_by_role("button", name="Undo").click()
    left(page, MARKED)
    assert verdicts() == []


def test_when_nothing_is_left_the_page_says_so(cleaning_page):
    for _ in range(MARKED):
        press(cleaning_page, "k")
    expect(cleaning_page.locator("#nothing")).to_contain_text("There is nothing to clean here right now")


def test_at_400_percent_the_verdicts_are_below_the_response(open_page, project, annotator):
    marked_pairs(project)
    page = open_page(PATH, by=annotator, **AT_400_PERCENT)
    assert_bar_is_below(page, ".cleaning-controls", "[data-response]")
