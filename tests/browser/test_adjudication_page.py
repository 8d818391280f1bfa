"""The adjudication page in a browser: by keyboard alone, with axe, on a phone."""

import pytest
from playwright.sync_api import expect

from annotation.actions.projects import projects
from annotation.models import Adjudication, Assignment, Step
from tests import factories
from tests.browser.conftest import AT_400_PERCENT, PHONE
from tests.browser.rating import assert_bar_is_below, wait_until

PATH = "/projects/weibo/adjudicate/"
BOUNCE_MS = 250  # a key that comes sooner after a new pair is taken for one that bounced


@pytest.fixture
def disputed(project, annotator, partner, researcher):
    """Create three pairs graded 1 and 5."""
    projects.change_settings(project=project, settings={"adjudicate": "on"}, by=researcher)
    items = factories.pairs(project, 3)
    factories.grade_next(project, annotator, 1, 1, 1)
    factories.grade_next(project, partner, 5, 5, 5)
    return [item.content["response"] for item in items]


def press(page, *keys: str) -> None:
    for key in keys:
        page.wait_for_timeout(BOUNCE_MS)
        page.keyboard.press(key)


def decisions() -> list[tuple[int | None, str]]:
    return list(Adjudication.objects.filter(replaced_at=None).order_by("assignment").values_list("grade", "reason"))


def test_pairs_are_decided_removed_undone_and_skipped_by_keyboard_alone(open_page, disputed, inspector):
    page = open_page(PATH, by=inspector)
    response = page.locator(".answer .said")
    expect(response).to_have_text(disputed[0])
    press(page, "3")
    expect(page.get_by_text("Why 3?")).to_be_visible()
    press(page, "s")
    expect(response).to_have_text(disputed[1])
    expect(page.get_by_role("group", name="Adjudication 2 are waiting.")).to_be_focused()
    press(page, "r")
    press(page, "1")
    expect(response).to_have_text(disputed[2])
    wait_until(page, lambda: decisions() == [(3, "versatile"), (None, "ambiguous")])
    press(page, "z")
    expect(page.get_by_text("removed, Can be read in several ways")).to_be_visible()
    press(page, "4")
    expect(page.get_by_text("You are changing")).to_be_hidden()
    expect(response).to_have_text(disputed[2])
    wait_until(page, lambda: decisions() == [(3, "versatile"), (4, "")])
    press(page, "x")
    press(page, "1")
    expect(page.get_by_text("No pair is waiting for adjudication.")).to_be_visible()
    press(page, "z")
    expect(response).to_have_text(disputed[2])


def test_decisions_made_without_a_connection_arrive_once_it_is_back(open_page, disputed, inspector, forgiven):
    forgiven.append("ERR_INTERNET_DISCONNECTED")
    page = open_page(PATH, by=inspector)
    page.context.set_offline(True)
    expect(page.get_by_text("what you decide is kept on this device")).to_be_visible()
    press(page, "4", "r", "1", "z", "3", "s", "x", "1")
    expect(page.locator("#saved")).to_have_text("4 to send")
    expect(page.get_by_text("You can continue when the connection is back.")).to_be_visible()
    expect(page.get_by_text("You can continue:")).to_be_hidden()
    assert decisions() == []
    page.context.set_offline(False)
    expect(page.get_by_text("All 4 have arrived.")).to_be_visible()
    wait_until(page, lambda: decisions() == [(4, ""), (3, "versatile")])
    expect(page.get_by_text("No pair is waiting for adjudication.")).to_be_visible()
    expect(page.locator("#nothing")).to_be_focused()


def test_who_is_signed_out_reads_that_the_next_pair_comes_after_signing_in(open_page, disputed, inspector):
    page = open_page(PATH, by=inspector)
    page.context.clear_cookies(name="sessionid")
    press(page, "4", "4", "4")
    expect(page.get_by_text("You are signed out.")).to_be_visible()
    expect(page.locator("#on-the-way")).to_have_text("You can continue once you are signed in.")


def test_decisions_that_were_not_sent_survive_a_reload(open_page, disputed, inspector, forgiven):
    forgiven.append("ERR_FAILED")
    page = open_page(PATH, by=inspector)
    page.route("**/decide/", lambda route: route.abort())
    press(page, "4", "4")
    expect(page.locator("#saved")).to_have_text("2 to send")
    page.unroute("**/decide/")
    page.reload()
    expect(page.locator(".answer .said")).to_have_text(disputed[2])
    expect(page.get_by_text("2 to send")).to_be_hidden()
    wait_until(page, lambda: decisions() == [(4, ""), (4, "")])


def test_a_decision_that_the_server_refuses_is_told(open_page, disputed, inspector, project, annotator, forgiven):
    forgiven.append("409")
    page = open_page(PATH, by=inspector)
    Assignment.objects.filter(slot__queue__step=Step.ADJUDICATE).update(state="returned")
    press(page, "4")
    expect(page.get_by_text("Not counted: this pair is already decided")).to_be_visible()
    assert decisions() == []


def test_a_phone_has_room_for_it_and_axe_finds_nothing(open_page, disputed, inspector, assert_accessible):
    page = open_page(PATH, by=inspector, **PHONE)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert_accessible(page)
    page.locator(".grade input").nth(4).tap()
    page.locator(".chip input[value=interesting]").tap()
    expect(page.locator(".answer .said")).to_have_text(disputed[1])
    wait_until(page, lambda: decisions() == [(5, "interesting")])


def test_at_400_percent_the_grades_are_below_the_response(open_page, disputed, inspector):
    page = open_page(PATH, by=inspector, **AT_400_PERCENT)
    assert_bar_is_below(page, ".rating-controls", "[data-response]")
