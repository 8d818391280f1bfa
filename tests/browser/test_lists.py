"""Lists of pairs and items in a browser: sorted, filtered, paged by number, and rows chosen for one act."""

import re

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Rating
from annotation.selectors.rating.pairs import PAGE
from tests import factories, rewriting
from tests.browser.conftest import PHONE

PATH = "/projects/weibo/pairs/"
ACTS = "#acts"


@pytest.fixture
def graded(transactional_db, project, annotator, partner):
    """Pairs for two pages; the first two are graded alike, the third with a gap of 4."""
    items = factories.pairs(project, PAGE + 3)
    factories.grade_next(project, annotator, 3, 3, 1)
    factories.grade_next(project, partner, 4, 3, 5)
    return items


def ticks(page: Page):
    return page.locator("tbody input[name=row]")


def gaps(page: Page) -> list[str]:
    return page.locator("tbody td:nth-child(5)").all_inner_texts()[:3]


def test_a_list_is_sorted_by_keyboard_and_the_way_back_is_the_browsers(
    graded, open_page, researcher, assert_accessible
):
    page = open_page(PATH, by=researcher)
    expect(page.get_by_role("columnheader", name="Prompt and response")).to_have_attribute("aria-sort", "ascending")
    page.get_by_role("link", name="gap").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("columnheader", name="gap")).to_have_attribute("aria-sort", "descending")
    assert gaps(page) == ["4", "1", "0"]
    page.keyboard.press("Tab")  # from where the link led: its own head
    page.keyboard.press("Enter")
    expect(page.get_by_role("columnheader", name="gap")).to_have_attribute("aria-sort", "ascending")
    assert gaps(page) == ["0", "1", "4"]
    page.go_back()
    expect(page.get_by_role("columnheader", name="gap")).to_have_attribute("aria-sort", "descending")
    assert_accessible(page)


def test_filters_are_in_the_address_and_stay_with_the_pages(graded, open_page, researcher, annotator):
    page = open_page(PATH, by=researcher)
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.get_by_text("More filters").click()
    page.get_by_label("Rater").select_option(str(annotator))
    page.get_by_label("Gap", exact=True).select_option("≥ 2")
    page.get_by_role("button", name="Find").click()
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page).to_have_url(re.compile(f"rater={annotator.pk}.*gap=2"))
    expect(page.get_by_label("Rater")).to_be_visible()
    page.get_by_role("link", name="Show all").click()
    expect(page.locator("tbody tr")).to_have_count(PAGE)
    page.get_by_role("searchbox").fill("第")
    page.keyboard.press("Enter")
    page.get_by_label("Page", exact=True).fill("2")
    page.keyboard.press("Enter")
    expect(page.locator("tbody tr")).to_have_count(3)
    expect(page.get_by_role("searchbox")).to_have_value("第")
    expect(page.get_by_text(f"{PAGE + 1} to {PAGE + 3} of {PAGE + 3}")).to_be_visible()
    page.get_by_role("link", name="First").click()
    expect(page.locator("tbody tr")).to_have_count(PAGE)


def test_rows_are_chosen_one_by_one_as_a_range_and_all_and_then_voided(
    graded, open_page, researcher, forgiven, assert_accessible
):
    forgiven.append("422")
    page = open_page(PATH, by=researcher)
    void = page.get_by_role("button", name="Void grades…")
    expect(void).to_be_disabled()
    ticks(page).nth(0).focus()
    page.keyboard.press("Space")
    expect(page.locator(ACTS).get_by_role("status")).to_have_text("1 chosen")
    ticks(page).nth(3).click(modifiers=["Shift"])
    expect(page.locator(ACTS).get_by_role("status")).to_have_text("4 chosen")
    expect(void).to_be_in_viewport()
    all_here = page.get_by_label("Choose all on this page")
    all_here.check()
    expect(page.locator(ACTS).get_by_role("status")).to_have_text(f"{PAGE} chosen")
    all_here.uncheck()
    for row in range(4):
        ticks(page).nth(row).check()
    assert_accessible(page)
    void.click()
    expect(page.get_by_role("heading", name="Void the grades of 3 pairs")).to_be_visible()
    assert_accessible(page)
    assert Rating.objects.counting().count() == 6
    page.get_by_role("button", name="Void 6 grades").click()
    expect(page.locator(".error")).to_be_visible()
    page.get_by_label("Why").fill("by the wrong guideline")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").first).to_contain_text("6 grades")
    assert not Rating.objects.counting().exists()


def test_all_that_match_can_be_meant_and_nothing_is_done_without_a_yes(graded, open_page, researcher):
    page = open_page(f"{PATH}?state=kept", by=researcher)
    expect(page.locator("tbody tr")).to_have_count(2)
    page.get_by_label("Choose all on this page").check()
    page.get_by_role("button", name="Void grades…").click()
    page.get_by_role("link", name="Do not void").click()
    expect(page).to_have_url(re.compile("state=kept"))
    page.goto(PATH)
    page.get_by_label(f"all {PAGE + 3} that match").check()
    page.get_by_role("button", name="Void grades…").click()
    expect(page.get_by_role("heading", name="Void the grades of 3 pairs")).to_be_visible()
    assert Rating.objects.counting().count() == 6


def test_without_scripts_rows_are_chosen_and_voided(graded, open_page, researcher):
    page = open_page(PATH, by=researcher, java_script_enabled=False)
    ticks(page).nth(1).check()
    page.get_by_role("button", name="Void grades…").click()
    page.get_by_label("Why").fill("by the wrong guideline")
    page.get_by_role("button", name="Void 2 grades").click()
    expect(page.get_by_text("2 grades")).to_be_visible()
    assert Rating.objects.counting().count() == 4


def test_on_a_phone_the_list_scrolls_inside_and_rows_are_chosen_by_touch(graded, open_page, researcher):
    page = open_page(f"{PATH}?gap=1", by=researcher, **PHONE)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    ticks(page).nth(0).tap()
    expect(page.locator(ACTS).get_by_role("status")).to_have_text("1 chosen")
    page.get_by_role("button", name="Void grades…").tap()
    expect(page.get_by_role("heading", name="Void the grades of 1 pair")).to_be_visible()


def test_accepted_items_are_sorted_and_sent_back_together(transactional_db, open_page, researcher, assert_accessible):
    dream = rewriting.rewriting_project(researcher, "dream")
    author = factories.person("zoe", project=dream)
    inspector = factories.person("ivo", "inspector", project=dream)
    rewriting.items(dream, 3)
    for _item in range(2):
        rewriting.write(dream, author)
        rewriting.inspect(dream, inspector)
    page = open_page("/projects/dream/items/", by=researcher)
    page.get_by_role("link", name="Written").click()
    expect(page.get_by_role("columnheader", name="Written")).to_have_attribute("aria-sort", "descending")
    page.get_by_label("Choose all on this page").check()
    assert_accessible(page)
    page.get_by_role("button", name="Send back to their authors…").click()
    page.get_by_label("What must be changed").fill("Two choices fit.")
    page.get_by_role("button", name="Send 2 items back").click()
    expect(page.get_by_role("status").first).to_contain_text("2 items were sent back.")
    expect(page).to_have_url(re.compile("sort=-written"))
    assert sorted(dream.items.values_list("state", flat=True)) == ["open", "returned", "returned"]
