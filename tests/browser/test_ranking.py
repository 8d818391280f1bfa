"""All lines in order on the real page: taps, arrows, keys, without a connection, and without a script."""

import re

import pytest
from playwright.sync_api import Page, expect

from core.models import User
from study.actions.survey import participants
from study.models import Answer, Study
from tests.browser.conftest import PHONE
from tests.browser.rating import wait_until
from tests.browser.test_survey import go_on, modules
from tests.study import experts, study_cases


@pytest.fixture
def study(transactional_db: None, researcher: User) -> Study:
    return study_cases.study("orders", by=researcher, settings={"answer": "ranking"})


@pytest.fixture
def link(study: Study) -> str:
    return f"/take/{study.groups.get().token}/"


def begin(page: Page) -> None:
    """Go from the consent to the first question; the practice question is ranked like any other."""
    for box in page.get_by_role("checkbox").all():
        box.check()
    go_on(page)
    go_on(page)
    page.locator(".rank-row[data-chosen]").first.wait_for()
    for line in (0, 1, 2):
        page.locator(".rank-tap").nth(line).click()
    go_on(page)
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("#where")).to_have_text("Question 1 of 5")
    page.locator("#survey[data-questions='5']").wait_for()


def places(page: Page) -> list[str]:
    return page.locator(".rank-row .place").all_inner_texts()


def test_lines_are_ranked_by_tap_arrow_and_key_and_each_change_is_saved(open_page, link):
    page = open_page(link)
    begin(page)
    page.locator(".rank-tap").nth(2).click()
    page.keyboard.press("a")
    assert places(page) == ["2", "", "1", "", ""]
    expect(page.get_by_role("status", name="Your order")).to_have_text(re.compile(r"1 C\s*2 A\s*3 –"))
    page.keyboard.press("2")  # places are numbers, lines are letters
    page.get_by_role("button", name="Line A: one place up").click()
    assert places(page) == ["1", "", "2", "", ""]
    page.keyboard.press("Backspace")
    assert places(page) == ["1", "", "", "", ""]
    for key in "eDc":
        page.keyboard.press(key)
    assert places(page) == ["1", "5", "4", "3", "2"]  # the last one by itself
    page.locator(".rank-tap").nth(2).focus()
    page.keyboard.press("Enter")
    expect(page.locator("#where")).to_have_text("Question 2 of 5")
    wait_until(page, lambda: list(Answer.objects.values_list("depth", flat=True)) == [5])
    stored = Answer.objects.select_related("presentation").get()
    assert [stored.presentation.order.index(number) for number in stored.ranking] == [0, 4, 3, 2, 1]
    assert len(stored.saved_times) == 7  # one for each change
    page.go_back()
    assert places(page) == ["1", "5", "4", "3", "2"]


def test_the_module_that_ranks_is_named_in_the_head_of_the_pages_that_need_it(open_page, link):
    page = open_page(link)
    for box in page.get_by_role("checkbox").all():
        box.check()
    go_on(page)
    go_on(page)
    page.locator(".rank-row[data-chosen]").first.wait_for()
    assert_all_is_named_with_what_ranks(page)
    for line in (0, 1, 2):
        page.locator(".rank-tap").nth(line).click()
    go_on(page)
    assert not any("ranking" in each for each in modules(page)[1])  # the answer to practice has nothing to rank
    page.get_by_role("button", name="Begin").click()
    page.locator("#survey[data-questions='5']").wait_for()
    assert_all_is_named_with_what_ranks(page)


def assert_all_is_named_with_what_ranks(page: Page) -> None:
    waited_for, named = modules(page)
    assert waited_for == named
    assert [each for each in named if each.endswith("/survey/ranking.js")]


def test_a_ranking_that_ends_early_is_kept_and_told_of(open_page, link):
    page = open_page(link, **PHONE)
    begin(page)
    page.locator(".rank-tap").nth(3).tap()
    page.locator("#next").tap()
    expect(page.get_by_text("Not every line has a place yet.")).to_be_visible()
    page.get_by_role("button", name="Continue without them").tap()
    expect(page.locator("#where")).to_have_text("Question 2 of 5")
    wait_until(page, lambda: list(Answer.objects.values_list("depth", flat=True)) == [1])


def test_a_ranking_made_without_a_connection_arrives_and_is_there_after_a_reload(open_page, link, forgiven):
    forgiven.append("ERR_FAILED")
    page = open_page(link, **PHONE)
    begin(page)
    page.route("**/answer/", lambda route: route.abort())
    for line in (4, 0, 1, 3):
        page.locator(".rank-tap").nth(line).tap()
    expect(page.locator("#saved")).to_have_text("1 to send")
    page.reload()
    expect(page.locator("#where")).to_have_text("Question 2 of 5")  # the first one is whole
    page.unroute("**/answer/")
    expect(page.locator("#saved")).to_have_text(re.compile("Saved at"))
    assert Answer.objects.get().depth == 5
    page.goto(f"{link}questions/1/")
    page.locator(".rank-row[data-chosen]").first.wait_for()
    assert places(page) == ["2", "3", "5", "4", "1"]


def test_without_a_script_the_places_are_chosen_from_lists(open_page, link, study, forgiven):
    forgiven.append("409")  # the answer to places that are no ranking
    person, secret = participants.join(group=study.groups.get())
    participants.practise(participant=person, first=0, second=1)
    participants.start(participant=person)
    page = open_page("/signin/", java_script_enabled=False)
    page.context.add_cookies([{"name": f"survey-{study.pk}", "value": secret, "url": page.url.replace("signin/", "")}])
    page.goto(page.url.replace("/signin/", f"{link}questions/1/"))
    for line, place in enumerate(("3", "1", "2", "5")):
        page.get_by_role("combobox").nth(line).select_option(place)
    page.locator("#next").click()
    expect(page.get_by_text("give each place, from 1 on")).to_be_visible()
    page.get_by_role("combobox").nth(0).select_option("3")
    page.get_by_role("combobox").nth(1).select_option("1")
    page.get_by_role("combobox").nth(2).select_option("2")
    page.get_by_role("combobox").nth(3).select_option("4")
    page.locator("#next").click()
    expect(page.locator("#where")).to_have_text("Question 2 of 5")
    stored = Answer.objects.select_related("presentation").get()
    assert [stored.presentation.order.index(number) for number in stored.ranking] == [1, 2, 0, 3, 4]


def test_the_pages_of_an_expert_are_accessible(open_page, researcher, assert_accessible):
    marta = experts.account("marta")
    study = experts.ceiling(marta, by=researcher)
    client, link = experts.browser_of(marta), experts.link_of(study)
    experts.rank(client, experts.begin(client, study), 1, 2, 0)
    page = open_page(f"{link}questions/1/", by=marta)
    page.locator(".rank-row[data-chosen]").first.wait_for()
    assert places(page).count("") == 2
    assert_accessible(page)
    page.get_by_role("link", name="Rest").click()
    expect(page.get_by_role("heading", name="0 of 4 done. Rest as long as you like.")).to_be_visible()
    assert_accessible(page)
    page.get_by_role("link", name="To your home page").click()
    expect(page.get_by_role("heading", name="One study is waiting for your answers")).to_be_visible()
    assert_accessible(page)
