"""The rating page when something comes between it and the server: no connection, another tab, a refusal."""

import re
from datetime import timedelta

from django.utils import timezone
from playwright.sync_api import APIResponse, Route, expect

from annotation.actions.projects import projects
from annotation.actions.queue import assignments
from annotation.models import Step
from core.models import Role
from tests.browser.conftest import session_cookie
from tests.browser.rating import PATH, given, press, response_of, wait_until

SAVED = re.compile(r"Saved at \d\d:\d\d:\d\d")


# ---- a lost connection ----------------------------------------------------------------------------------------------
def test_grades_given_without_a_connection_arrive_once_it_is_back(rating_page, annotator, forgiven):
    forgiven.append("ERR_INTERNET_DISCONNECTED")
    rating_page.context.set_offline(True)
    expect(rating_page.get_by_text("what you grade is kept on this device")).to_be_visible()
    press(rating_page, "4", "4", "z", "3", "a", "4")
    expect(rating_page.get_by_text("4 answers are kept on this device")).to_be_visible()
    expect(rating_page.locator("#saved")).to_have_text("4 to send")
    assert given(annotator) == []
    rating_page.context.set_offline(False)
    expect(rating_page.get_by_text("All 4 have arrived.")).to_be_visible()
    assert given(annotator) == [(4, ""), (3, "limited"), (4, "")]
    expect(rating_page.get_by_text("All 4 have arrived.")).to_be_hidden()


def test_grades_that_were_not_sent_survive_a_reload(rating_page, annotator, forgiven):
    forgiven.append("ERR_FAILED")
    rating_page.route("**/grade/", lambda route: route.abort())
    press(rating_page, "4", "5", "s")
    expect(rating_page.locator("#saved")).to_have_text("2 to send")
    rating_page.unroute("**/grade/")
    rating_page.reload()
    expect(rating_page.locator("[data-response]")).to_have_text(response_of(3))
    wait_until(rating_page, lambda: given(annotator) == [(4, ""), (5, "interesting")])
    expect(rating_page.locator(".past li")).to_have_count(2)


def test_a_row_under_a_finger_stays_when_the_answer_arrives(rating_page, annotator):
    """A button that is replaced between touch and release of a finger gets no click."""
    skips: list[Route] = []
    rating_page.route("**/skip/", lambda route: skips.append(route))
    press(rating_page, "4", "x", "1")
    wait_until(rating_page, lambda: skips)
    row, older = (rating_page.locator(".past li").nth(n).element_handle() for n in (0, 1))
    skips.pop().continue_()
    wait_until(rating_page, lambda: rating_page.evaluate("Object.keys(localStorage).every(key => !key.includes('/'))"))
    assert row.evaluate("row => row.isConnected") and older.evaluate("row => row.isConnected")
    rating_page.locator(".past button").click()
    expect(rating_page.locator("[data-response]")).to_have_text(response_of(2))


def test_a_page_that_was_loaded_while_a_grade_arrived_counts_it(rating_page, annotator):
    """Let the server read the page before it stores the grade; the old page gets the answer and forgets the grade."""
    grades: list[Route] = []
    loads: list[tuple[Route, APIResponse]] = []
    rating_page.route("**/grade/", lambda route: grades.append(route))
    press(rating_page, "4")
    wait_until(rating_page, lambda: grades)
    rating_page.route(f"**{PATH}", lambda route: loads.append((route, route.fetch())))
    rating_page.evaluate("location.reload()")
    wait_until(rating_page, lambda: loads)
    grades.pop().continue_()
    wait_until(rating_page, lambda: given(annotator) == [(4, "")])
    rating_page.wait_for_timeout(300)  # the old page gets the answer
    reload, before = loads.pop()
    reload.fulfill(response=before)
    expect(rating_page.locator("[data-today]")).to_have_text("1")
    expect(rating_page.locator("[data-response]")).to_have_text(response_of(2))
    assert given(annotator) == [(4, "")]


def test_the_home_page_says_what_was_not_sent(rating_page, annotator, forgiven):
    forgiven.append("ERR_FAILED")
    rating_page.route("**/grade/", lambda route: route.abort())
    press(rating_page, "4", "4")
    expect(rating_page.locator("#saved")).to_have_text("2 to send")
    rating_page.goto("/")
    unsent = rating_page.get_by_text("2 answers of yours are kept on this device")
    expect(unsent).to_be_visible()
    rating_page.unroute("**/grade/")
    rating_page.get_by_role("link", name="Open the page and they are sent").click()
    expect(rating_page.locator("#saved")).to_have_text(SAVED)  # the page knows it, and not only the server
    rating_page.goto("/")
    expect(rating_page.get_by_text("today 2 of your")).to_be_visible()
    expect(unsent).to_be_hidden()


def test_without_a_connection_the_language_and_the_light_cannot_be_switched(rating_page, forgiven):
    """A switch would replace the page by the browser's own error."""
    forgiven.append("ERR_INTERNET_DISCONNECTED")
    switches = rating_page.locator(".topbar [data-needs-server]:visible")
    rating_page.context.set_offline(True)
    expect(switches).to_have_count(2)
    for switch in switches.all():
        expect(switch).to_be_disabled()
    rating_page.context.set_offline(False)
    switches.first.click()
    expect(rating_page.get_by_role("button", name="English")).to_be_visible()


def test_grades_wait_for_a_person_who_is_signed_out(rating_page, annotator, forgiven):
    cookies = rating_page.context.cookies()
    rating_page.context.clear_cookies(name="sessionid")
    press(rating_page, "4", "4")
    expect(rating_page.get_by_text("You are signed out.")).to_be_visible()
    rating_page.context.add_cookies(cookies)
    expect(rating_page.get_by_text("You are signed out.")).to_be_hidden()
    wait_until(rating_page, lambda: given(annotator) == [(4, ""), (4, "")])


def test_nobody_s_grades_are_stored_under_the_name_of_whoever_signed_in_meanwhile(
    rating_page, annotator, partner, live_server, forgiven
):
    forgiven.append("403")
    own = rating_page.context.cookies()
    rating_page.context.clear_cookies(name="sessionid")
    rating_page.context.add_cookies([session_cookie(partner, live_server.url)])
    press(rating_page, "4", "4")
    expect(rating_page.get_by_text("You are signed out.")).to_be_visible()
    press(rating_page, "4")
    expect(rating_page.locator("#saved")).to_have_text("3 to send")
    assert given(partner) == []
    rating_page.context.clear_cookies(name="sessionid")
    rating_page.context.add_cookies(own)
    expect(rating_page.get_by_text("You are signed out.")).to_be_hidden()
    wait_until(rating_page, lambda: given(annotator) == [(4, "")] * 3)
    assert given(partner) == []


def test_grades_of_a_person_who_was_removed_wait_until_they_are_a_member_again(
    rating_page, project, annotator, administrator, forgiven
):
    forgiven.append("403")
    projects.remove_member(project=project, person=annotator, by=administrator)
    press(rating_page, "4")
    expect(rating_page.get_by_text("You no longer have this role in the project.")).to_be_visible()
    expect(rating_page.get_by_text("Your 1 answer is kept in this browser")).to_be_visible()
    press(rating_page, "4")
    expect(rating_page.locator("#grading")).to_have_attribute("inert", "")
    expect(rating_page.locator("#saved")).to_have_text("1 to send")
    projects.add_member(project=project, person=annotator, role=Role.ANNOTATOR, by=administrator)
    expect(rating_page.get_by_text("You no longer have this role in the project.")).to_be_hidden()
    wait_until(rating_page, lambda: given(annotator) == [(4, "")])
    press(rating_page, "4")
    wait_until(rating_page, lambda: given(annotator) == [(4, "")] * 2)


# ---- refusals, other tabs, a page that was left open ----------------------------------------------------------------
def test_pairs_graded_in_another_browser_are_refused_and_the_page_brought_up_to_date(
    open_page, rating_page, annotator, forgiven
):
    forgiven += ["409", "ERR_INTERNET_DISCONNECTED"]
    other = open_page(PATH, by=annotator)
    press(other, "4", "4")
    wait_until(other, lambda: len(given(annotator)) == 2)
    rating_page.context.set_offline(True)
    press(rating_page, "5", "a", "4")
    rating_page.context.set_offline(False)
    expect(rating_page.get_by_text("You have graded this pair already.")).to_have_count(2)
    expect(rating_page.locator("[data-response]")).to_have_text(response_of(3))
    expect(rating_page.locator(".past li")).to_have_count(2)
    assert given(annotator) == [(4, ""), (4, "")]
    rating_page.get_by_role("button", name="Close").click()
    expect(rating_page.get_by_text("You have graded this pair already.")).to_have_count(0)


def test_being_told_of_a_pair_graded_already_ends_with_the_next_grade(open_page, rating_page, annotator, forgiven):
    forgiven.append("409")
    other = open_page(PATH, by=annotator)
    press(other, "4")
    wait_until(other, lambda: len(given(annotator)) == 1)
    press(rating_page, "4")
    expect(rating_page.get_by_text("You have graded this pair already.")).to_be_visible()
    press(rating_page, "4")
    expect(rating_page.get_by_text("You have graded this pair already.")).to_be_hidden()
    assert len(given(annotator)) == 2


def test_a_grade_for_a_pair_that_went_to_others_is_told(rating_page, annotator, partner, newcomer, project, forgiven):
    forgiven.append("409")
    assignments.expire_assignments(now=timezone.now() + timedelta(hours=1))
    for other in (partner, newcomer):
        assignments.claim(project=project, step=Step.RATE, count=12, by=other)
    press(rating_page, "4")
    expect(rating_page.get_by_text("Your grade was 4. Go on with the next pair.")).to_be_visible()
    expect(rating_page.get_by_text("There is nothing for you here right now.")).to_be_visible()
    assert given(annotator) == []


def test_the_older_of_two_tabs_is_told_and_can_take_over(rating_page, annotator):
    newer = rating_page.context.new_page()
    newer.goto(PATH)
    expect(rating_page.get_by_text("Open in another tab since")).to_be_visible()
    press(rating_page, "4")
    press(newer, "4")
    wait_until(newer, lambda: given(annotator) == [(4, "")])
    rating_page.get_by_role("button", name="Take over here").click()
    expect(newer.get_by_text("Open in another tab since")).to_be_visible()
    expect(rating_page.locator("[data-response]")).to_have_text(response_of(2))
    press(rating_page, "5", "a")
    wait_until(rating_page, lambda: given(annotator) == [(4, ""), (5, "informative")])
