"""A participant's phone: a survey taken to its end, whatever the connection does."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from core.models import User
from study.actions.survey import participants
from study.models import Answer, LateAnswer, Participant, Question, Study, StudyText
from tests.browser.conftest import PHONE
from tests.browser.rating import wait_until
from tests.study import study_cases

TO_KEEP_MS = 500  # until what a tab kept is with Chromium's own process, which outlives the tab
NO_SIDEWAYS_SCROLL = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


@pytest.fixture
def study(transactional_db: None, researcher: User) -> Study:
    return study_cases.study("lines", by=researcher, title="Which line comes next?")  # 4 questions and the check


@pytest.fixture
def link(study: Study) -> str:
    return f"/take/{study.groups.get().token}/"


def go_on(page: Page) -> None:
    """Press the main button and wait for the next page, which the page asks for once the server can be reached."""
    with page.expect_navigation():
        page.locator("button.button-main").click()


def begin(page: Page) -> None:
    """Go from the consent to the first question."""
    for box in page.get_by_role("checkbox").all():
        box.check()
    go_on(page)
    go_on(page)
    wait_for_the_script(page)
    choose(page, 0, 1)
    go_on(page)
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("#where")).to_have_text("Question 1 of 5")
    wait_for_the_questions(page)


def wait_for_the_script(page: Page) -> None:
    page.locator(".candidate[data-chosen]").first.wait_for()


def wait_for_the_questions(page: Page) -> None:
    """Wait until the page has them all: from then on it needs no connection."""
    wait_for_the_script(page)
    page.locator("#survey[data-questions='5']").wait_for()


def choose(page: Page, *lines: int) -> None:
    """A tap on each row, the first choice first."""
    for line in lines:
        page.locator(".candidate label").nth(line).tap()


def chosen(page: Page) -> list[int]:
    rows = page.locator(".candidate")
    return [
        rows.evaluate_all(f"rows => rows.findIndex(row => row.classList.contains('is-{rank}'))")
        for rank in ("first", "second")
    ]


def stored() -> int:
    return Answer.objects.filter(depth=2).count()


def test_a_survey_is_finished_on_a_phone_with_a_reload_and_without_a_connection(open_page, link, forgiven):
    forgiven.append("ERR_INTERNET_DISCONNECTED")
    page = open_page(link, **PHONE)
    begin(page)
    choose(page, 0, 1)
    expect(page.locator("#saved")).to_have_text(re.compile("Saved at"))
    page.locator("#next").tap()
    choose(page, 2, 3)
    page.locator("#next").tap()
    wait_until(page, lambda: stored() == 2)
    page.reload()
    expect(page.locator("#where")).to_have_text("Question 3 of 5")
    wait_for_the_questions(page)
    page.context.set_offline(True)
    choose(page, 4, 0)
    page.locator("#next").tap()
    choose(page, 1, 4)
    expect(page.get_by_text("2 answers are kept on this device")).to_be_visible()
    expect(page.locator("#saved")).to_have_text("2 to send")  # questions, however many taps each took
    page.locator("#next").tap()
    choose(page, 3, 2)
    page.locator("#next").tap()
    expect(page.get_by_text("3 answers are still on their way. Keep this page open.")).to_be_visible()
    assert stored() == 2
    page.context.set_offline(False)
    expect(page.get_by_role("heading", name="That was the last question.")).to_be_visible()
    assert stored() == 5
    page.get_by_role("button", name="Finish").tap()
    expect(page.locator("#code")).to_be_visible()  # complete or, where a choice was wrong at the check, not
    person = Participant.objects.get()
    expect(page.locator("#code")).to_have_text(person.code)
    assert person.state in {"complete", "failed_checks"}


def test_answers_that_were_not_sent_survive_a_reload_and_the_survey_goes_on_after_them(open_page, link, forgiven):
    forgiven.append("ERR_FAILED")
    page = open_page(link, **PHONE)
    begin(page)
    page.route("**/answer/", lambda route: route.abort())
    choose(page, 0, 1)
    page.locator("#next").tap()
    choose(page, 2)
    expect(page.locator("#saved")).to_have_text("2 to send")
    page.unroute("**/answer/")
    page.reload()
    expect(page.locator("#where")).to_have_text("Question 2 of 5")
    assert chosen(page) == [2, -1]
    wait_until(
        page, lambda: list(Answer.objects.order_by("presentation__position").values_list("depth", flat=True)) == [2, 1]
    )


def test_what_arrives_after_a_lost_connection_is_counted_in_questions(open_page, link, forgiven):
    forgiven.append("ERR_INTERNET_DISCONNECTED")
    page = open_page(link, **PHONE)
    begin(page)
    page.context.set_offline(True)
    choose(page, 4, 0)
    page.locator("#next").tap()
    choose(page, 1)
    expect(page.get_by_text("2 answers are kept on this device")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text("All 2 have arrived.")).to_be_visible()


def test_the_practice_question_asks_for_both_choices_until_they_are_made(open_page, link):
    page = open_page(link, **PHONE)
    for box in page.get_by_role("checkbox").all():
        box.check()
    go_on(page)
    go_on(page)
    wait_for_the_script(page)
    missing = page.get_by_text("Choose a first and a second line.")
    choose(page, 2)
    page.locator("button.button-main").click()
    expect(missing).to_be_visible()
    choose(page, 0)
    expect(missing).to_be_hidden()


def test_a_row_takes_the_next_free_rank_and_gives_it_back(open_page, link):
    page = open_page(link, **PHONE)
    begin(page)
    steps = [(1, [1, -1]), (3, [1, 3]), (1, [-1, 3]), (0, [0, 3]), (3, [0, -1]), (4, [0, 4]), (2, [0, 2])]
    for line, expected in steps:
        choose(page, line)
        assert chosen(page) == expected
    page.locator("input[name=second]").nth(
        0
    ).tap()  # the circle of a certain rank: the line changes from one to the other
    assert chosen(page) == [-1, 0]
    expect(page.get_by_text("A first and a second choice are required.")).to_be_visible()  # alone it is no answer
    wait_until(page, lambda: not Answer.objects.exists())
    expect(page.locator("[data-notice=refused]")).to_be_hidden()
    choose(page, 3)
    wait_until(page, lambda: stored() == 1)


def test_what_is_tapped_before_the_script_has_come_is_sent_by_it(open_page, link):
    page = open_page(link, **PHONE)
    begin(page)
    scripts = []
    page.route("**/js/survey/survey.js", lambda route: scripts.append(route))
    page.goto(f"{link}questions/1/", wait_until="commit")
    wait_until(page, lambda: bool(scripts))  # the page is there, its script is not
    for rank, line in (("first", 2), ("second", 4)):
        page.locator(f"input[name={rank}]").nth(line).evaluate("circle => circle.click()")
    scripts[0].continue_()
    wait_until(page, lambda: stored() == 1)
    page.locator("#next").tap()
    expect(page.locator("#where")).to_have_text("Question 2 of 5")


def test_a_page_that_is_answered_before_it_has_loaded_in_full_is_not_asked_for_again(open_page, link):
    page = open_page(link, **PHONE)
    begin(page)
    slow, asked = [], []
    page.route("**/*.woff2", lambda route: slow.append(route))  # a slow line: fonts come last
    page.goto(f"{link}questions/1/", wait_until="commit")
    wait_for_the_questions(page)
    assert slow
    choose(page, 0, 1)
    wait_until(page, lambda: stored() == 1)
    page.locator("#next").tap()
    page.on("request", lambda request: asked.append(request.url) if request.is_navigation_request() else None)
    for route in slow:
        route.continue_()
    page.wait_for_load_state("load")
    choose(page, 2, 3)
    wait_until(page, lambda: stored() == 2)
    expect(page.locator("#where")).to_have_text("Question 2 of 5")
    assert asked == []


def test_moving_on_asks_for_what_is_missing_and_lets_it_be_left_out(open_page, link):
    page = open_page(link, **PHONE)
    begin(page)
    page.locator("#next").tap()
    expect(page.get_by_text("A first and a second choice are required.")).to_be_visible()
    page.get_by_role("button", name="Continue without them").tap()
    expect(page.locator("#where")).to_have_text("Question 2 of 5")
    page.go_back()
    expect(page.locator("#where")).to_have_text("Question 1 of 5")
    assert not Answer.objects.exists()


def test_keys_do_all_that_taps_do(open_page, link):
    page = open_page(link)
    page.clock.install()
    for box in page.get_by_role("checkbox").all():
        box.check()
    go_on(page)
    go_on(page)
    wait_for_the_script(page)
    for key in ("1", "2", "Enter"):
        page.keyboard.press(key)
    page.get_by_role("button", name="Begin").click()
    wait_for_the_script(page)
    for key in ("3", "1", "Backspace", "5"):
        page.keyboard.press(key)
    assert chosen(page) == [2, 4]
    wait_for_the_questions(page)
    page.clock.pause_at(timezone.now() + timedelta(minutes=1))
    page.keyboard.press("Enter")
    expect(page.locator("#where")).to_have_text("Question 2 of 5")
    page.keyboard.press("Enter")  # a double press
    expect(page.locator("[data-notice=missing]")).to_be_hidden()
    page.clock.resume()
    wait_until(page, lambda: stored() == 1)


def test_back_leads_to_the_question_before_by_button_and_by_key_and_changes_nothing(open_page, link):
    page = open_page(link)
    begin_by_keys(page)
    expect(page.locator("#back")).to_be_hidden()
    for key in ("1", "2", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#where")).to_have_text("Question 2 of 5")
    page.keyboard.press("3")
    page.locator("#back").click()
    expect(page.locator("#where")).to_have_text("Question 1 of 5")
    assert chosen(page) == [0, 1]
    page.keyboard.press("Enter")
    assert chosen(page) == [2, -1]
    page.keyboard.press("Shift+Enter")
    expect(page.locator("#where")).to_have_text("Question 1 of 5")
    expect(page.locator("#back")).to_be_hidden()
    wait_until(page, lambda: sorted(Answer.objects.values_list("depth", flat=True)) == [1, 2])


def begin_by_keys(page: Page) -> None:
    for box in page.get_by_role("checkbox").all():
        box.check()
    go_on(page)
    go_on(page)
    wait_for_the_script(page)
    for key in ("1", "2"):
        page.keyboard.press(key)
    go_on(page)
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("#where")).to_have_text("Question 1 of 5")
    wait_for_the_questions(page)


def test_enter_on_a_circle_asks_for_what_is_missing_instead_of_going_on_without(open_page, link):
    page = open_page(link)
    begin_by_keys(page)
    page.locator("input[name=first]").nth(1).focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(page.get_by_text("A first and a second choice are required.")).to_be_visible()
    expect(page.locator("#where")).to_have_text("Question 1 of 5")


def test_all_questions_are_on_a_page_that_says_which_are_empty_and_leads_back(open_page, link):
    page = open_page(link, **PHONE)
    begin(page)
    choose(page, 0, 1)
    page.locator("#next").tap()
    choose(page, 2)
    page.locator("#next").tap()
    page.get_by_role("button", name="Continue without them").tap()
    expect(page.locator("#where")).to_have_text("Question 3 of 5")
    page.get_by_role("link", name="All questions").tap()
    expect(page.get_by_role("heading", name="3 questions are still to come")).to_be_visible()
    expect(page.get_by_role("link", name="answered Question 1")).to_be_visible()
    page.get_by_role("link", name="Question 2: not answered in full").tap()
    expect(page.locator("#where")).to_have_text("Question 2 of 5")


def test_what_is_chosen_is_told_and_a_new_question_has_the_focus_by_its_name(open_page, link):
    page = open_page(link)
    begin_by_keys(page)
    first, second = (page.locator(".candidate label").nth(line).inner_text() for line in (0, 1))
    page.keyboard.press("1")
    page.keyboard.press("2")
    expect(page.locator("[data-said]")).to_have_text(f"First choice: {first} Second choice: {second}")
    page.keyboard.press("Enter")
    expect(page.get_by_role("main", name="Question 2 of 5")).to_be_focused()


def test_lines_below_a_small_screen_are_counted_and_those_never_seen_are_stored(open_page, link):
    asked_of_all = Question.objects.exclude(purpose="practice")  # whichever comes first may be the check
    asked_of_all.update(candidates=[f"{number} " + "and so on " * 10 for number in range(5)])
    page = open_page(link, viewport={"width": 390, "height": 480}, has_touch=True, is_mobile=True)
    begin(page)
    below = page.locator("#below")
    expect(below).to_have_text(re.compile(r"^\d more below"))
    count = int(below.inner_text()[0])
    asked = Participant.objects.get().presentations.get(position=1)
    page.keyboard.press("1")
    wait_until(page, lambda: Answer.objects.exists())
    assert set(Answer.objects.get().unseen) == set(asked.order[-count:])
    for line in page.locator(".candidate").all():
        line.evaluate("line => line.scrollIntoView({ block: 'center' })")
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")  # it is drawn
    expect(below).to_be_hidden()
    page.keyboard.press("2")
    wait_until(page, lambda: stored() == 1)
    assert Answer.objects.get().unseen == []


def test_a_line_longer_than_the_screen_counts_as_seen_once_it_fills_half_of_it(open_page, link):
    asked_of_all = Question.objects.exclude(purpose="practice")  # whichever comes first may be the check
    asked_of_all.update(candidates=[f"{number} " + "and so on " * 150 for number in range(5)])
    page = open_page(link, viewport={"width": 390, "height": 480}, has_touch=True, is_mobile=True)
    begin(page)
    page.locator(".candidate").nth(2).evaluate("line => line.scrollIntoView()")
    page.keyboard.press("3")
    asked = Participant.objects.get().presentations.get(position=1)
    wait_until(page, lambda: Answer.objects.exists())
    assert asked.order[2] not in Answer.objects.get().unseen
    assert asked.order[4] in Answer.objects.get().unseen


@pytest.mark.parametrize("size", [(320, 256), (844, 330)])
def test_on_a_page_at_400_percent_no_bar_stays_over_the_lines(open_page, link, size):
    page = open_page(link, **PHONE)
    begin(page)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.locator(".candidate").first.scroll_into_view_if_needed()
    expect(page.locator("#next")).not_to_be_in_viewport()
    assert page.evaluate(NO_SIDEWAYS_SCROLL)


def test_the_end_of_the_time_ends_the_survey_on_the_page(open_page, link, study, forgiven):
    # The other questions may still be on their way when the time is up: they are led to the end, which the page leaves.
    forgiven += ["/others/", "net::ERR_FAILED"]
    page = open_page(link, **PHONE)
    begin(page)
    for number in (1, 2):  # one of them may be the check
        choose(page, 0, 1)
        wait_until(page, lambda number=number: stored() == number)
        page.locator("#next").tap()
    page.clock.install()
    Participant.objects.update(deadline_at=timezone.now() + timedelta(minutes=4))
    page.reload()
    wait_for_the_script(page)  # a clock that begins after the hands are turned has its whole time left
    expect(page.locator("#clock.time-short")).to_be_visible()
    Participant.objects.update(deadline_at=timezone.now() - timedelta(seconds=1))
    page.clock.fast_forward("05:00")
    expect(page.get_by_role("heading", name="Time is up.")).to_be_visible()
    Participant.objects.update(deadline_at=timezone.now() - timedelta(seconds=10))
    participants.close_overdue()
    page.reload()
    expect(page.locator("#code")).to_have_text(study.codes["timed_out"])


def test_without_a_connection_the_end_of_the_time_is_all_that_is_said(open_page, link, forgiven):
    forgiven.append("ERR_INTERNET_DISCONNECTED")
    page = open_page(link, **PHONE)
    begin(page)
    page.clock.install()
    page.reload()
    wait_for_the_questions(page)
    page.context.set_offline(True)
    choose(page, 0, 1)
    expect(page.locator("[data-notice=offline]")).to_be_visible()
    page.clock.fast_forward("50:00")
    expect(page.locator("[data-notice=on-the-way]")).to_have_text(re.compile(r"until \w+ \d+ at \d\d:\d\d "))
    expect(page.locator("[data-notice=offline]")).to_be_hidden()
    expect(page.locator("#next")).to_have_attribute("inert", "")


def test_the_last_page_is_waited_for_without_a_connection(open_page, link, forgiven):
    forgiven.append("ERR_INTERNET_DISCONNECTED")
    page = open_page(link, **PHONE)
    begin(page)
    for number in range(1, 6):
        choose(page, 0, 1)
        wait_until(page, lambda number=number: stored() == number)
        if number < 5:
            page.locator("#next").tap()
    page.context.set_offline(True)
    page.locator("#next").tap()
    expect(page.locator("[data-notice=on-the-way]")).to_be_visible()
    expect(page.locator("#where")).to_have_text("Question 5 of 5")
    page.context.set_offline(False)
    expect(page.get_by_role("heading", name="That was the last question.")).to_be_visible()


def test_the_end_of_the_time_waits_for_its_page_where_nothing_is_unsent(open_page, link, forgiven):
    forgiven.append("ERR_INTERNET_DISCONNECTED")
    page = open_page(link, **PHONE)
    begin(page)
    page.clock.install()
    page.reload()
    wait_for_the_questions(page)
    page.context.set_offline(True)
    Participant.objects.update(deadline_at=timezone.now() - timedelta(seconds=5))
    page.clock.fast_forward("50:00")
    expect(page.locator("[data-notice=on-the-way]")).to_be_visible()
    expect(page.locator("#where")).to_be_visible()
    page.context.set_offline(False)
    page.clock.run_for("00:30")
    expect(page.get_by_role("heading", name="Too few questions are answered.")).to_be_visible()


def test_a_page_that_is_loaded_again_goes_on_counting_the_time_at_its_question(open_page, link):
    page = open_page(link, **PHONE)
    begin(page)
    page.clock.install()
    page.reload()
    wait_for_the_questions(page)
    page.clock.run_for("01:00")
    study_cases.spend(Participant.objects.get(), seconds=60)
    page.reload()
    wait_for_the_questions(page)
    choose(page, 0, 1)
    wait_until(page, lambda: stored() == 1)
    assert Answer.objects.get().milliseconds >= 40_000


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_every_page_of_a_participant_is_accessible_and_does_not_scroll_sideways(
    open_page, researcher, assert_accessible, language
):
    study = study_cases.study("spoken", by=researcher, language=language)
    page = open_page(f"/take/{study.groups.get().token}/", **PHONE)

    def look() -> None:
        assert_accessible(page)
        for width in (390, 320):
            page.set_viewport_size({"width": width, "height": 844})
            assert page.evaluate(NO_SIDEWAYS_SCROLL), f"{page.url} at {width}"

    look()
    for box in page.get_by_role("checkbox").all():
        box.check()
    go_on(page)
    look()
    go_on(page)
    look()
    wait_for_the_script(page)
    choose(page, 0, 1)
    go_on(page)
    look()
    go_on(page)
    look()
    wait_for_the_script(page)
    page.locator("#next").tap()
    look()
    link = f"/take/{study.groups.get().token}/"
    for name in ("finish/", "withdraw/"):
        page.goto(link + name)
        look()
    go_on(page)
    look()


def test_long_addresses_in_the_lines_leave_next_on_the_screen(open_page, study, link):
    address = "https://example.org/" + "a" * 300
    lines = [f"{number}: {address}" for number in range(5)]
    said = [{"speaker": "A", "text": address}]
    Question.objects.filter(study=None).update(candidates=lines, context=said)
    practice = Question.objects.get(study=study, purpose="practice")
    practice.candidates, practice.context = lines[: practice.candidates_count], said
    practice.explanation = address
    practice.save()
    StudyText.objects.create(study=study, kind="consent", number=2, text=f"{address}\n\nWho: {address}")
    StudyText.objects.create(study=study, kind="instructions", number=2, text=address)
    Study.objects.update(title=address)
    page = open_page(link, **PHONE)
    assert page.evaluate(NO_SIDEWAYS_SCROLL)
    for box in page.get_by_role("checkbox").all():
        box.check()
    go_on(page)
    go_on(page)
    wait_for_the_script(page)
    assert page.evaluate(NO_SIDEWAYS_SCROLL)
    choose(page, 0, 1)
    go_on(page)
    assert page.evaluate(NO_SIDEWAYS_SCROLL)  # the right line and why
    page.get_by_role("button", name="Begin").click()
    wait_for_the_questions(page)
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate(NO_SIDEWAYS_SCROLL)
        expect(page.locator("#next")).to_be_in_viewport()


def test_answers_given_offline_in_time_arrive_late_also_after_the_tab_was_closed(open_page, link, forgiven):
    forgiven.append("ERR_INTERNET_DISCONNECTED")
    page = open_page(link, **PHONE)
    begin(page)
    choose(page, 0, 1)
    wait_until(page, lambda: stored() == 1)
    page.locator("#next").tap()
    page.context.set_offline(True)
    choose(page, 2, 3)
    wait_until(page, lambda: chosen(page) == [2, 3])  # a tap returns before the page has its click
    expect(page.get_by_text(re.compile(r"It must arrive by \d\d:\d\d to count in full"))).to_be_visible()
    Participant.objects.update(deadline_at=timezone.now() - timedelta(minutes=1))
    context = page.context
    page.wait_for_timeout(TO_KEEP_MS)
    page.close()
    context.set_offline(False)
    page = context.new_page()
    page.goto(f"{link}on/")
    expect(page.get_by_text("1 answer arrived after the time limit.")).to_be_visible()
    assert (stored(), LateAnswer.objects.filter(depth=2).count()) == (1, 1)


def test_a_question_that_has_not_come_yet_is_shown_as_soon_as_it_has(open_page, link):
    page = open_page(link, **PHONE)
    begin(page)
    held = []
    page.route("**/others/**", lambda route: held.append(route))
    page.route("**/questions/2/", lambda route: route.abort())
    page.reload()
    wait_for_the_script(page)
    choose(page, 0, 1)
    page.locator("#next").tap()
    wait_until(page, lambda: stored() == 1 and bool(held))
    expect(page.locator("#where")).to_have_text("Question 1 of 5")
    held[0].continue_()
    expect(page.locator("#where")).to_have_text("Question 2 of 5")
    assert chosen(page) == [-1, -1]


def test_while_the_other_questions_cannot_be_had_the_next_one_is_a_page_of_its_own(open_page, link, forgiven):
    forgiven.append("status of 503")
    page = open_page(link, **PHONE)
    begin(page)
    page.route("**/others/**", lambda route: route.fulfill(status=503))
    page.reload()
    wait_for_the_script(page)
    choose(page, 0, 1)
    page.locator("#next").tap()
    expect(page.locator("#where")).to_have_text("Question 2 of 5")
    assert stored() == 1


def test_a_page_that_is_given_no_other_questions_goes_on_to_pages_of_their_own(open_page, link):
    page = open_page(link, **PHONE)
    begin(page)
    page.route("**/others/**", lambda route: route.fulfill(status=302, headers={"Location": f"{link}on/"}))
    page.reload()
    page.locator("#survey[data-questions='1']").wait_for()  # the server gives this page no more
    choose(page, 0, 1)
    page.unroute("**/others/**")
    page.locator("#next").tap()
    expect(page.locator("#where")).to_have_text("Question 2 of 5")  # a page of its own


@pytest.mark.parametrize("path", ["questions/1/", "practice"])
def test_all_modules_that_a_page_waits_for_are_named_in_its_head(open_page, link, path):
    page = open_page(link, **PHONE)
    if path == "practice":
        for box in page.get_by_role("checkbox").all():
            box.check()
        go_on(page)
        go_on(page)
        wait_for_the_script(page)
    else:
        begin(page)
    waited_for, named = modules(page)
    assert waited_for == named != set()
    assert not any("ranking" in each for each in named)


def modules(page: Page) -> tuple[set[str], set[str]]:
    """Return the scripts that a page waited for, and those that its head names."""
    is_waited_for = "each.startTime < performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"
    scripts = "performance.getEntriesByType('resource').filter(each => each.name.endsWith('.js'))"
    loaded = f"{scripts}.filter(each => {is_waited_for}).map(each => each.name)"
    named = "[...document.querySelectorAll('head script[src], head link[rel=modulepreload]')].map(e => e.src || e.href)"
    return set(page.evaluate(loaded)), set(page.evaluate(named))


def test_a_second_tab_goes_to_the_end_once_the_person_has_withdrawn(open_page, study, link, forgiven):
    forgiven.append("409")
    page = open_page(link, **PHONE)
    begin(page)
    other = page.context.new_page()
    other.goto(f"{link}withdraw/")
    other.locator("button.button-main").click()
    expect(other.get_by_text("You have withdrawn.")).to_be_visible()
    choose(page, 0)
    expect(page.get_by_text("You have withdrawn.")).to_be_visible()
    assert not Answer.objects.exists()


def test_a_tab_goes_on_as_its_persons_after_another_one_has_begun_in_this_browser(open_page, study, link):
    page = open_page(link, **PHONE)
    begin(page)
    first = Participant.objects.get()
    other = page.context.new_page()
    other.goto(link)
    with other.expect_navigation():
        other.get_by_role("button", name="That is not me").click()
    begin(other)
    second = Participant.objects.latest("pk")
    for tab in (page, other):
        for position in (1, 2):
            choose(tab, 0, 1)
            tab.locator("#next").tap()
            expect(tab.locator("#where")).to_have_text(f"Question {position + 1} of 5")
    for person in (first, second):
        wait_until(page, lambda person=person: Answer.objects.filter(presentation__participant=person).count() == 2)
    page.reload()  # the second one is the present one
    own = page.get_by_role("listitem").filter(has_text="2 of 5 answered").first
    own.get_by_role("button", name="That is me").tap()
    expect(page.locator("#where")).to_have_text("Question 3 of 5")
    wait_for_the_questions(page)
    for _position in (3, 4, 5):
        choose(page, 2, 3)
        page.locator("#next").tap()
    page.get_by_role("button", name="Finish").tap()
    expect(page.locator("#code")).to_be_visible()  # complete or, where a choice was wrong at the check, not
    first.refresh_from_db()
    expect(page.locator("#code")).to_have_text(first.code)
    assert Answer.objects.filter(presentation__participant=second).count() == 2
    page.goto(link)
    expect(page.get_by_text("2 of 5 answered")).to_be_visible()
    expect(page.get_by_role("button", name="That is me")).to_have_count(2)
    assert page.evaluate(NO_SIDEWAYS_SCROLL)
