"""Hard days of a participant: another browser, two tabs, a wrong clock, no connection at any page, and the way home."""

import re
from datetime import datetime, timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from core.models import User
from study.models import Participant, Study
from tests.browser.conftest import PHONE
from tests.browser.rating import wait_until
from tests.browser.test_survey import begin, choose, go_on, stored, wait_for_the_script
from tests.study import study_cases

PROLIFIC = "PROLIFIC_PID=5f3a0c77d1e2b4a69988aabb&STUDY_ID=s1&SESSION_ID=6560a1b2c3d4e5f6a7b8c9d0"


@pytest.fixture
def study(transactional_db: None, researcher: User) -> Study:
    return study_cases.study("lines", by=researcher, title="Which line comes next?")


@pytest.fixture
def link(study: Study) -> str:
    return f"/take/{study.groups.get().token}/"


def agree(page: Page) -> None:
    for box in page.get_by_role("checkbox").all():
        box.check()
    go_on(page)


def test_the_link_that_was_kept_goes_on_in_another_browser(open_page, link):
    page = open_page(link, **PHONE)
    agree(page)
    kept = page.locator("#resume-link").inner_text()
    go_on(page)
    wait_for_the_script(page)
    choose(page, 0, 1)
    go_on(page)
    page.get_by_role("button", name="Begin").click()
    choose(page, 0, 1)
    wait_until(page, lambda: stored() == 1)
    page.locator("#next").tap()
    expect(page.locator("#where")).to_have_text("Question 2 of 5")
    other = open_page(re.sub(r"^https?://[^/]+", "", kept), **PHONE)
    go_on(other)
    expect(other.locator("#where")).to_have_text("Question 2 of 5")
    wait_for_the_script(other)
    choose(other, 1, 0)
    wait_until(other, lambda: stored() == 2)


def finish(page: Page) -> None:
    page.goto(page.url.split("questions/")[0] + "finish/")
    page.get_by_role("button", name="Finish now").tap()
    page.get_by_role("button", name="Finish without them").tap()


def test_at_the_end_the_page_goes_back_to_the_platform_by_itself_and_only_once(open_page, link):
    page = open_page(f"{link}?{PROLIFIC}", **PHONE)
    page.context.route("https://app.prolific.com/**", lambda route: route.fulfill(body="<p>Prolific</p>"))
    begin(page)
    choose(page, 0, 1)
    wait_until(page, lambda: stored() == 1)
    finish(page)
    expect(page.get_by_text("You will be taken there in 10 seconds.")).to_be_visible()
    page.wait_for_url("https://app.prolific.com/submissions/complete?cc=*")
    code = Participant.objects.get().code
    assert page.url.endswith(f"?cc={code}")
    page.go_back()
    expect(page.locator("#code")).to_have_text(code)
    expect(page.locator("#returning")).to_be_hidden()


@pytest.mark.parametrize("minutes", [-5, 5])
def test_a_clock_that_is_five_minutes_off_changes_neither_the_time_left_nor_the_answers(open_page, link, minutes):
    page = open_page("/signin/", **PHONE)
    page.clock.install(time=datetime.now() + timedelta(minutes=minutes))
    page.goto(link)
    begin(page)
    expect(page.locator("#clock")).to_have_text("40 min left")
    choose(page, 0, 1)
    wait_until(page, lambda: stored() == 1)
    Participant.objects.update(deadline_at=timezone.now() + timedelta(minutes=3, seconds=-2))
    page.reload()
    wait_for_the_script(page)  # a clock that begins after the hands are turned has its whole time left
    expect(page.locator("#clock")).to_have_text("3 min left")
    Participant.objects.update(deadline_at=timezone.now() - timedelta(minutes=1))
    page.clock.fast_forward(4 * 60_000)  # asleep past the end: the page goes to it by itself
    expect(page.locator("#code")).to_be_visible()  # of the end, whichever: the one answer may be the check's


def test_of_two_tabs_one_is_set_aside_and_both_lead_on(open_page, link):
    page = open_page(link, **PHONE)
    begin(page)
    other = page.context.new_page()
    other.goto(f"{link}on/")
    wait_for_the_script(other)
    expect(page.get_by_text("The survey is open in another tab.")).to_be_visible()
    choose(other, 0, 1)
    wait_until(other, lambda: stored() == 1)
    other.locator("#next").tap()
    expect(other.locator("#where")).to_have_text("Question 2 of 5")
    page.get_by_role("link", name="continue here").tap()
    expect(page.locator("#where")).to_have_text("Question 2 of 5")


def test_on_no_page_a_lost_connection_loses_the_way_or_what_was_filled_in(open_page, link, forgiven):
    forgiven.append("ERR_INTERNET_DISCONNECTED")
    page = open_page(link, **PHONE)

    def press_offline(name: str, role: str = "button") -> None:
        """Press without a connection: the page stays, says so, and goes on by itself once the connection is back."""
        before = page.url
        page.context.set_offline(True)
        page.get_by_role(role, name=name).tap()
        expect(page.locator("[data-notice=waits]")).to_be_visible()
        assert page.url == before
        with page.expect_navigation():
            page.context.set_offline(False)

    for box in page.get_by_role("checkbox").all():
        box.check()
    press_offline("I take part")
    page.locator(".chip", has_text="21–30").tap()
    press_offline("Continue")
    assert Participant.objects.get().demographics["age"] == "21-30"
    wait_for_the_script(page)
    choose(page, 0, 1)
    press_offline("Check")
    press_offline("Begin")
    expect(page.locator("#where")).to_have_text("Question 1 of 5")
    wait_for_the_script(page)
    page.context.set_offline(True)
    choose(page, 0, 1)
    expect(page.get_by_text("No connection.")).to_be_visible()
    page.context.set_offline(False)
    wait_until(page, lambda: stored() == 1)
    page.get_by_role("link", name="All questions").tap()
    page.wait_for_url("**/finish/")
    press_offline("Withdraw", "link")
    press_offline("Continue the survey", "link")
    page.get_by_role("link", name="All questions").tap()
    page.wait_for_url("**/finish/")
    press_offline("Finish now")
    press_offline("Finish without them")
    expect(page.locator("#code")).to_be_visible()
    assert Participant.objects.count() == 1


def test_a_form_that_is_sent_later_says_which_button_was_pressed(open_page, study, link, forgiven):
    forgiven.append("ERR_INTERNET_DISCONNECTED")
    page = open_page(link, **PHONE)
    agree(page)
    kept = page.locator("#resume-link").inner_text()
    other = open_page(re.sub(r"^https?://[^/]+", "", kept), **PHONE)
    other.context.set_offline(True)
    other.get_by_role("button", name="Withdraw").tap()
    expect(other.locator("[data-notice=waits]")).to_be_visible()
    other.context.set_offline(False)
    expect(other.get_by_role("heading", name="Withdraw from the study?")).to_be_visible()


def test_who_cannot_send_their_answers_can_still_withdraw(open_page, study, link, forgiven):
    forgiven += ["403", "ERR_FAILED"]
    page = open_page(link, **PHONE)
    begin(page)
    page.route("**/answer/", lambda route: route.abort())
    choose(page, 0, 1)
    expect(page.locator("#saved")).to_have_text("1 to send")
    page.get_by_role("link", name="Withdraw").tap()
    page.get_by_role("button", name="Withdraw and delete my answers").tap()
    expect(page.get_by_role("heading", name="You have withdrawn.")).to_be_visible()


def test_who_asked_for_all_questions_without_a_connection_and_goes_on_answering_stays(open_page, link, forgiven):
    forgiven.append("ERR_INTERNET_DISCONNECTED")
    page = open_page(link, **PHONE)
    begin(page)
    page.context.set_offline(True)
    choose(page, 0, 1)
    expect(page.locator("#saved")).to_have_text("1 to send")
    page.get_by_role("link", name="All questions").tap()
    expect(page.locator("[data-notice=on-the-way]")).to_be_visible()
    page.locator("#next").tap()
    choose(page, 2, 3)
    expect(page.locator("[data-notice=on-the-way]")).to_be_hidden()
    page.context.set_offline(False)
    wait_until(page, lambda: stored() == 2)
    expect(page.locator("#where")).to_have_text("Question 2 of 5")


def test_a_form_that_is_pressed_again_and_again_is_sent_once(open_page, link, forgiven):
    forgiven.append("ERR_INTERNET_DISCONNECTED")
    page = open_page(link, **PHONE)
    sent = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    for box in page.get_by_role("checkbox").all():
        box.check()
    page.context.set_offline(True)
    for _press in range(3):
        page.locator("button.button-main").tap()
    expect(page.locator("[data-notice=waits]")).to_be_visible()
    with page.expect_navigation():
        page.context.set_offline(False)
    expect(page.get_by_role("heading", name="About you")).to_be_visible()
    assert len(sent) == 1
