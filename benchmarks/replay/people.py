"""People of the replayed study: where they come from, how they answer, and all that their browsers saw."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from hashlib import sha256
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from django.db import connection

from benchmarks.study_readers import same
from study.domain.survey.phases import VisitOutcome
from study.management.bots import Bot, Browser, PageQuestion, SurveyPage
from study.management.commands.simulate_participants import Crowd
from study.models import QuestionPurpose, Study
from study.models.people import Origin

AGREES = {"is_adult": "on", "agrees": "on"}


class Moment(Enum):
    """What happens to the study that some of its people wait for."""

    TIME_UP = auto()
    FILLED = auto()
    CLOSED = auto()


Way = Callable[["Person"], Iterator[Moment] | None]


@dataclass(frozen=True)
class ConfirmedAnswer:
    """An answer that the survey confirmed: its lines, best first, and the place of the first one on the page.

    `position` is that of the question in the person's own order, `saves` how often they answered it.
    """

    position: int
    lines: tuple[str, ...]
    place: int
    is_right: bool
    milliseconds: int
    saves: int


@dataclass(frozen=True)
class WayIn:
    """How a person comes: the group, their id on a platform ("" for none), the link, and that of another visit."""

    group: str
    platform_id: str
    link: str
    link_of_another_visit: str


def from_platform(group: str, link: str, number: int) -> WayIn:
    """Return how Prolific, for odd numbers, or MTurk sends a person."""
    person = _id("person", number)
    if number % 2:
        visits = [{"PROLIFIC_PID": person, "STUDY_ID": _id("study", 0), "SESSION_ID": _id(v, number)} for v in "ab"]
    else:
        person = f"A{person[:13].upper()}"
        same_hit = {"workerId": person, "hitId": _id("hit", 0), "turkSubmitTo": "https://www.mturk.com"}
        visits = [same_hit | {"assignmentId": _id(visit, number).upper()} for visit in "ab"]
    first, other = (f"{link}?{urlencode(visit)}" for visit in visits)
    return WayIn(group, person, first, other)


def _id(what: str, number: int) -> str:
    return sha256(f"{what} {number}".encode()).hexdigest()[:24]


def _mark_simulated(study: Study) -> None:
    """Mark all who have joined as bots, whose times are drawn. Some share a browser, and so its first cookie."""
    study.participants.update(origin=Origin.SIMULATED)
    connection.close()  # of this thread, of which there are more than a pool of PostgreSQL has


class Person(Bot):
    """A person with a browser of their own, or one that others used before, who goes one `way` through the study.

    `answers`, `checks` and `late` are what the survey confirmed of their work, of attention checks and after the time,
    by position. `code` is the last completion code that they saw, `deadline` that of the monotonic clock.
    """

    def __init__(self, number: int, way: Way, arrival: WayIn, crowd: Crowd, browser: Browser) -> None:
        super().__init__(arrival.link, self.decide, crowd.demographics(number), browser)
        self.name, self.way, self.arrival, self.crowd = f"person {number}", way, arrival, crowd
        self.public_id = self.code = ""
        self.has_withdrawn = self.is_excluded = False
        self.deadline = 0.0
        self.answers: dict[int, ConfirmedAnswer] = {}
        self.checks: dict[int, ConfirmedAnswer] = {}
        self.late: dict[int, ConfirmedAnswer] = {}
        self.asked: list[PageQuestion] = []
        self.waits_for: Moment | None = None
        self._taken_back: dict[int, int] = {}
        self._life: Iterator[Moment] | None = None

    def go_on(self) -> None:
        """Go on to the next moment that the person waits for, or to the end."""
        self._life = iter(self.way(self) or ()) if self._life is None else self._life
        self.waits_for = next(self._life, None)

    def decide(self, asked: PageQuestion) -> tuple[list[int], int]:
        return self.crowd.choose(self.name, asked)

    def join(self) -> bool:
        if another := self.browser.open(self.link).form("another"):  # who used the browser before is not this person
            self.browser.open(another, {})
        return super().join() and bool(self.resume_link)

    def begins(self) -> list[PageQuestion]:
        """Join, practise and start the clock. Return the questions."""
        same(f"{self.name} is let in", self.join(), True)
        _mark_simulated(self.crowd.study)
        page = self.begin()
        self.sees(page)
        self.asked = page.questions
        self.deadline = time.monotonic() + page.page_state["secondsLeft"]
        return page.questions

    def is_check(self, asked: PageQuestion) -> bool:
        return self.crowd.question(asked).purpose == QuestionPurpose.CHECK

    def wrong(self, asked: PageQuestion) -> list[int]:
        """Return a ranking whose first line is not the right one."""
        return [line for line in range(len(asked.lines)) if line != self.crowd.right(asked)][:2]

    def gives(
        self, asked: PageQuestion, ranking: Sequence[int] | None = None, milliseconds: int | None = None, **sent: Any
    ) -> int:
        """Answer a question, with their own ranking and time unless given; return the status of the response."""
        own, spent = self.choose(asked)
        chosen = own[: asked.wanted] if ranking is None else list(ranking)
        spent = spent if milliseconds is None else milliseconds
        status, _said = self.send(asked, chosen, **{"milliseconds": spent, "key": str(uuid4()), **sent})
        if status == HTTPStatus.OK:
            self._note(asked, chosen, spent)
        return status

    def gives_all(self, questions: Sequence[PageQuestion]) -> None:
        for asked in questions:
            same(f"{self.name}, question {asked.position}", self.gives(asked), HTTPStatus.OK)

    def _note(self, asked: PageQuestion, chosen: list[int], milliseconds: int) -> None:
        is_late = time.monotonic() > self.deadline
        kept = self.checks if self.is_check(asked) else self.late if is_late else self.answers
        before = kept.pop(asked.position, None)
        saves = 1 + (before.saves if before else self._taken_back.get(asked.position, 0))
        if not chosen:
            self._taken_back[asked.position] = saves
            return
        lines, is_right = tuple(asked.lines[line] for line in chosen), chosen[0] == self.crowd.right(asked)
        kept[asked.position] = ConfirmedAnswer(asked.position, lines, chosen[0], is_right, milliseconds, saves)

    def ends(self) -> None:
        self.sees(self.browser.open(self.step("finish"), {"without": "1"}))

    def looks(self) -> None:
        """Open the page that the person has reached."""
        self.sees(self.browser.open(self.step("on")))

    def sees(self, page: SurveyPage) -> None:
        """Keep the code that a page shows, and what the survey calls the person."""
        self.code = page.code or self.code
        self.public_id = self.public_id or page.page_state.get("outbox", "").removeprefix("survey/")

    def comes_back(self, **button: str) -> SurveyPage:
        """Open the resume link in a new browser and press "Go on" there, or another `button` of the page."""
        self.browser = Browser()
        page = self.browser.open(self.resume_link)
        return self.browser.open(page.form("back"), {"link": self.resume_link, **button})

    def withdraws(self, page: SurveyPage | None = None) -> None:
        """Withdraw on the page for it, by default that of their own browser."""
        asked = page or self.browser.open(self.step("withdraw"))
        self.sees(self.browser.open(asked.form("withdraw"), {}))
        same("code of one who withdraws", self.code, self.crowd.study.codes[VisitOutcome.WITHDRAWN])
        self.has_withdrawn = True


def is_turned_away(link: str) -> bool:
    """Return whether a link leads a new browser neither into the survey nor to the pages of a person."""
    browser = Browser()
    page = browser.open(link)
    if agree := page.form("join"):
        page = browser.open(agree, AGREES)
    return not (page.page_state or browser.cookie("survey-"))
