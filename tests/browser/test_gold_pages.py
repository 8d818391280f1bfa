"""Gold in a browser: practice by keyboard, gold without a connection, a pause on the open page."""

import pytest
from playwright.sync_api import expect

from annotation.actions.qualification import pausing
from annotation.models import Assignment, Attempt, Gold, Project
from core.models import User
from tests import factories
from tests.annotation.actions.qualification.gold_pairs import choose, grade_all, import_rows, known
from tests.browser.conftest import PHONE
from tests.browser.rating import PATH, given, press, wait_until

PRACTICE = "/projects/weibo/practice/"
KEY_OF_REASON = {1: "a", 2: "s", 3: "s", 4: "", 5: "a"}  # of tests.factories.REASONS


@pytest.fixture
def guarded(project: Project) -> Project:
    factories.pairs(project, 12)
    rows = [f"{row},,因为所以" for row in known(8)]
    import_rows(project, rows, columns="prompt,response,grade,type,explanation")
    choose(project, practice=4)
    return project


@pytest.fixture
def mixed(project: Project, annotator: User) -> Project:
    """Twelve pairs, every other pair gold of grade 1; three misses pause."""
    factories.pairs(project, 12)
    import_rows(project, known(20, grade=1))
    choose(project, gold_first=50, gold_lowest=50, gold_window=5, gold_misses=2)
    return project


def test_practice_is_passed_by_keys_alone(guarded, annotator, open_page, assert_accessible):
    page = open_page("/", by=annotator)
    page.get_by_role("link", name="Practise").click()
    page.get_by_role("button", name="Begin to practise").click()
    for number in range(1, 5):
        expect(page.locator(".pace")).to_contain_text(f"Practice {number} / 4")
        right = Gold.objects.get(item__content__prompt=page.locator(".pair .said").first.inner_text()).grade
        press(page, str(right), *KEY_OF_REASON[right])
        expect(page.get_by_text("Matches the known grade.")).to_be_visible()
        expect(page.get_by_text("因为所以")).to_be_visible()
        assert_accessible(page)
        press(page, "Enter")
    expect(page.get_by_role("heading", name="Qualification passed")).to_be_visible()
    assert Attempt.objects.get().state == "passed"
    page.get_by_role("link", name="Start rating").click()
    expect(page.locator("#grading")).to_be_visible()


def test_practice_shows_the_pair_on_a_phone_after_the_grade(guarded, annotator, open_page, assert_accessible):
    page = open_page(PRACTICE, by=annotator, **PHONE)
    page.get_by_role("button", name="Begin to practise").tap()
    expect(page.locator("#grading")).to_be_visible()
    assert_accessible(page)
    page.locator(".grade").nth(3).tap()
    expect(page.locator("#next")).to_be_focused()
    assert page.evaluate("scrollY") == 0
    expect(page.locator("#next")).to_be_in_viewport()
    expect(page.get_by_text("Known grade:")).to_be_visible()


def test_gold_graded_without_a_connection_arrives_once_like_the_rest(mixed, annotator, open_page, forgiven):
    choose(mixed, gold_window=50, gold_misses=50)
    forgiven.append("ERR_INTERNET_DISCONNECTED")
    page = open_page(PATH, by=annotator)
    page.context.set_offline(True)
    press(page, *"444444")
    expect(page.locator("#saved")).to_have_text("6 to send")
    page.context.set_offline(False)
    wait_until(page, lambda: given(annotator) == [(4, "")] * 6)
    golden = Assignment.objects.filter(person=annotator, state="submitted", slot_number=None).count()
    assert 0 < golden < 6


def test_a_pause_loses_no_grade_that_was_on_its_way_and_is_said_on_the_open_page(mixed, annotator, open_page, forgiven):
    choose(mixed, gold_window=5, gold_misses=1)
    forgiven.append("ERR_INTERNET_DISCONNECTED")
    page = open_page(PATH, by=annotator)
    page.context.set_offline(True)
    press(page, *"444444")
    expect(page.locator("#saved")).to_have_text("6 to send")
    page.context.set_offline(False)
    expect(page.locator("#nothing")).to_contain_text("You are paused")
    expect(page.locator("[data-notice=refused]")).to_be_hidden()
    expect(page.locator("[data-notice=moved]")).to_be_hidden()
    wait_until(page, lambda: given(annotator) == [(4, "")] * 6)


def test_whoever_looks_again_after_a_pause_finds_the_next_pair(mixed, annotator, researcher, open_page, forgiven):
    choose(mixed, gold_window=5, gold_misses=1)
    forgiven.append("ERR_INTERNET_DISCONNECTED")
    page = open_page(PATH, by=annotator)
    page.context.set_offline(True)
    press(page, *"444444")
    page.context.set_offline(False)
    expect(page.locator("#nothing")).to_contain_text("You are paused")
    wait_until(page, lambda: given(annotator) == [(4, "")] * 6)  # a miss that arrived later would pause again
    pausing.resume(project=mixed, person=annotator, why="talked it over", by=researcher)
    page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#pair")).to_be_visible()


def test_an_inspector_decides_by_the_page(mixed, annotator, inspector, open_page, assert_accessible):
    grade_all(mixed, annotator, off=4)
    page = open_page("/", by=inspector)
    assert_accessible(page)
    page.get_by_role("link", name="Decide").click()
    expect(page.get_by_label("Why")).to_be_visible()
    assert_accessible(page)
    page.get_by_label("Why").fill("talked it over")
    page.get_by_role("button", name="Let An continue").click()
    expect(page.get_by_text("can continue.")).to_be_visible()
    page.get_by_role("link", name="Qualification").click()
    expect(page.get_by_role("heading", name="Qualification", level=1)).to_be_visible()
    assert_accessible(page)
