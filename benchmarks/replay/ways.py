"""The ways that people go through the replayed study; `yield` waits for a moment of it.

Each compares what the survey does with what it has to do on this way; how many came out how is compared at the end.
"""

from collections.abc import Iterator
from http import HTTPStatus
from uuid import uuid4

from benchmarks.replay.people import AGREES, Moment, Person, is_turned_away
from benchmarks.study_readers import same
from study.management.bots import Browser, SurveyPage

HALF = 16  # of 32 questions, the checks included
FEW = 8  # answers, fewer than the plan wants
HASTE_MS = 600


def finishes(person: Person) -> None:
    person.gives_all(person.begins())
    person.ends()


def says_nothing_of_themselves(person: Person) -> None:
    person.demographics = {}
    finishes(person)


def is_excluded_by_hand(person: Person) -> None:
    finishes(person)


# ---- ways of answering ----------------------------------------------------------------------------------------------
def leaves_blanks(person: Person) -> None:
    """Leave five questions empty, take one answer back, and another to give it again."""
    questions = person.begins()
    work = [asked for asked in questions if not person.is_check(asked)]
    person.gives_all([asked for asked in questions if asked not in work[:5]])
    for asked in work[5:7]:
        person.gives(asked, [])
    person.gives(work[6])
    person.ends()


def gives_first_choices_alone(person: Person) -> None:
    for asked in person.begins():
        own, _milliseconds = person.choose(asked)
        person.gives(asked, own[: 1 + (asked.position % 3 > 0)])
    person.ends()


def changes_answers(person: Person) -> None:
    questions = person.begins()
    person.gives_all(questions)
    for asked in questions[::4]:
        first, second, *_rest = person.choose(asked)[0]
        person.gives(asked, [first, second] if person.is_check(asked) else [second, first])
    person.ends()


def hurries(person: Person) -> None:
    for asked in person.begins():
        person.gives(asked, [person.crowd.right(asked)], HASTE_MS)
    person.ends()


def chooses_the_first_line(person: Person) -> None:
    for asked in person.begins():
        person.gives(asked, [person.crowd.right(asked)] if person.is_check(asked) else [0, 1])
    person.ends()


def fails_one_check(person: Person) -> None:
    _answers_checks(person, fails=1)


def fails_both_checks(person: Person) -> None:
    _answers_checks(person, fails=2)


def leaves_a_check_empty(person: Person) -> None:
    _answers_checks(person, fails=0, gives=1)


def _answers_checks(person: Person, fails: int, gives: int = 2) -> None:
    questions = person.begins()
    checks = [asked for asked in questions if person.is_check(asked)]
    person.gives_all([asked for asked in questions if asked not in checks])
    for number, asked in enumerate(checks[:gives]):
        person.gives(asked, person.wrong(asked) if number < fails else [person.crowd.right(asked)])
    person.ends()


def answers_too_few(person: Person) -> None:
    person.gives_all(person.begins()[:FEW])
    person.ends()


# ---- ways of coming and going ---------------------------------------------------------------------------------------
def reloads(person: Person) -> None:
    questions = person.begins()
    left = person.browser.open(person.step("questions")).page_state["secondsLeft"]
    for asked in questions:
        person.gives_all([asked])
        if asked.position % 5 == 0:
            page = person.browser.open(person.step(f"questions/{asked.position}"))
            same("position after a reload", page.page_state["position"], asked.position)
            same("lines after a reload", _lines(page), {each.position: each.tokens for each in questions})
            same("more time after a reload", page.page_state["secondsLeft"] > left, False)
            left = page.page_state["secondsLeft"]
    person.ends()


def changes_browsers(person: Person) -> None:
    """Go on by the resume link in another browser, while the first one still works."""
    questions, first = person.begins(), person.browser
    person.gives_all(questions[:HALF])
    page = person.comes_back()
    same("position in another browser", page.page_state["position"], HALF + 1)
    same("lines in another browser", _lines(page), {each.position: each.tokens for each in questions})
    person.gives_all(page.questions[HALF:-1])
    person.browser, second = first, person.browser
    person.gives_all(questions[-1:])
    person.browser = second
    person.ends()


def comes_twice(person: Person) -> None:
    """Come again half way and after the end: by the same visit to go on, by another visit to be refused."""
    questions = person.begins()
    person.gives_all(questions[:HALF])
    for browser in (person.browser, Browser()):
        same("position after coming again", browser.open(person.link).page_state.get("position"), HALF + 1)
    same("another visit", is_turned_away(person.arrival.link_of_another_visit), True)
    person.gives_all(questions[HALF:])
    person.ends()
    for browser in (person.browser, Browser()):
        same("code of one who comes again", browser.open(person.link).code, person.code)
    same("another visit after the end", is_turned_away(person.arrival.link_of_another_visit), True)


def sends_twice(person: Person) -> None:
    """Send each answer twice, and with the same key another one, which is refused."""
    for asked in person.begins():
        own, milliseconds = person.choose(asked)
        key = str(uuid4())
        person.gives(asked, own[:2], key=key)
        again, other = (
            person.send(asked, ranking, milliseconds=milliseconds, key=key)[0] for ranking in (own[:2], own[1::-1])
        )
        same("sent twice, and another with its key", (again, other), (HTTPStatus.OK, HTTPStatus.CONFLICT))
    person.ends()


def _lines(page: SurveyPage) -> dict[int, list[str]]:
    """Return the tokens of the lines of each question, in their order on the page."""
    return {each.position: each.tokens for each in page.questions}


def runs_out_of_time(person: Person) -> Iterator[Moment]:
    questions = person.begins()
    person.gives_all(questions[:20])
    yield Moment.TIME_UP
    same("after the time", person.gives(questions[20]), HTTPStatus.CONFLICT)
    person.looks()


def sends_late(person: Person) -> Iterator[Moment]:
    """Send after the time what was given in time, as the browser says: two answers again and two new ones."""
    questions = person.begins()
    person.gives_all(questions[:20])
    yield Moment.TIME_UP
    for asked in questions[18:22]:
        same("late", person.gives(asked, seconds_left=1), HTTPStatus.OK)
    person.looks()


def runs_out_with_too_few(person: Person) -> Iterator[Moment]:
    person.gives_all(person.begins()[:FEW])
    yield Moment.TIME_UP
    person.looks()


# ---- ways out -------------------------------------------------------------------------------------------------------
def closes_the_page(person: Person) -> None:
    same("the consent", bool(person.browser.open(person.link).form("join")), True)


def does_not_agree(person: Person) -> None:
    page = person.browser.open(person.browser.open(person.link).form("join"), {"is_adult": "on"})
    same("the consent again", (bool(page.form("join")), person.secret), (True, ""))


def withdraws_before_the_questions(person: Person) -> None:
    same("let in", person.join(), True)
    person.withdraws()
    _comes_back_in_vain(person)


def withdraws_half_way(person: Person) -> None:
    questions = person.begins()
    person.gives_all(questions[:HALF])
    person.withdraws()
    same("answered after withdrawing", person.gives(questions[HALF]) == HTTPStatus.OK, False)
    _comes_back_in_vain(person)


def withdraws_after_the_end(person: Person) -> None:
    finishes(person)
    person.withdraws()
    _comes_back_in_vain(person)


def withdraws_by_link(person: Person) -> None:
    finishes(person)
    person.withdraws(person.comes_back(withdraw="1"))
    _comes_back_in_vain(person)


def withdraws_by_link_once_closed(person: Person) -> Iterator[Moment]:
    finishes(person)
    yield Moment.CLOSED
    person.withdraws(person.comes_back(withdraw="1"))


def is_erased_by_number(person: Person) -> None:
    finishes(person)


def is_erased_once_closed(person: Person) -> None:
    finishes(person)


def _comes_back_in_vain(person: Person) -> None:
    browser = Browser()
    browser.open(browser.open(person.resume_link).form("back"), {"link": person.resume_link})
    same("known by the resume link of one who withdrew", browser.cookie("survey-"), "")
    if person.arrival.platform_id:
        same("a platform's id of one who withdrew", is_turned_away(person.link), True)


# ---- ways that do not lead in ---------------------------------------------------------------------------------------
def looks_at_a_preview(person: Person) -> None:
    same("a preview", is_turned_away(_with(person, "assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE")), True)


def has_no_id(person: Person) -> None:
    same("no id", is_turned_away(_with(person, "")), True)


def has_a_placeholder(person: Person) -> None:
    same("a placeholder", is_turned_away(_with(person, "PROLIFIC_PID=%7B%7B%25PROLIFIC_PID%25%7D%7D")), True)


def _with(person: Person, query: str) -> str:
    return f"{person.link.partition('?')[0]}?{query}"


def finds_it_full(person: Person) -> None:
    person.sees(person.browser.open(person.link))


def finds_it_full_at_the_door(person: Person) -> Iterator[Moment]:
    """Read the consent while there is room, and agree when there is none."""
    agree = person.browser.open(person.link).form("join")
    yield Moment.FILLED
    person.sees(person.browser.open(agree, AGREES))


def comes_after_closing(person: Person) -> None:
    same("after closing", is_turned_away(person.link), True)
