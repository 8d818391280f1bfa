"""Survey: answers as the page's script sends them, and whole questions with the script and without it.

Of each answer that the server acknowledged the people keep the cookie, the position and the tokens chosen.
"""

import json
from http import HTTPStatus
from itertools import count
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from benchmarks.serving.crowd import CSRF, Walker

ROWS = Path(__file__).with_name("rows_of_survey.py")
WALKERS = {
    "answer": "benchmarks.serving.survey:SurveyWalker",
    "script": "benchmarks.serving.survey:SurveyWalkerWithScript",
    "form": "benchmarks.serving.survey:SurveyWalkerWithoutScript",
}
COMPARED = ("form", "script")  # whole questions: the first is to cost no more than the second
QUESTIONS = 40  # of a person, as ROWS makes them
BETWEEN = (10, 15)  # seconds from one question to the next, at a human pace


class SurveyWalker(Walker):
    """Browser of several people, one after the other: each answers the next of their questions.

    A unit is an answer of both choices.
    """

    def begin(self) -> None:
        self.turns = [turn for one in self.person["people"] for turn in self._left_of(one)]

    def _left_of(self, one: dict[str, Any]) -> list[tuple[dict[str, Any], int]]:
        """Return the questions that one of the people has not answered yet."""
        address = self.location("GET", f"{one['base']}questions/", None, one["cookie"])
        position = int(address.partition("questions/")[2].partition("/")[0] or len(one["tokens"]) + 1)
        return [(one, number) for number in range(position, len(one["tokens"]) + 1)]

    def step(self) -> None:
        self.send(*self.turns.pop(0))

    def send(self, one: dict[str, Any], position: int, *, choices: int = 2) -> None:
        """Send the first one or two choices at a question."""
        first, second = (*one["tokens"][position - 1][:choices], None)[:2]
        sent = {"first": first, "second": second, "milliseconds": 8500, "seconds_left": 2000, "key": str(uuid4())}
        headers = {"Content-Type": "application/json", "X-CSRFToken": CSRF} | of(one["cookie"])
        status, _body = self.ask("POST", f"{one['base']}questions/{position}/answer/", json.dumps(sent), headers)
        if status == HTTPStatus.OK:
            self.kept.append((one["cookie"], position, [first, second][:choices]))

    def location(self, method: str, path: str, sent: str | None, cookie: str, **headers: str) -> str:
        """Ask, and return where the answer leads; "" if nowhere."""
        self.ask(method, path, sent, headers | of(cookie))
        return self.led_to


class SurveyWalkerWithScript(SurveyWalker):
    """A unit is a question: a tap for each choice, which the script sends at once, and its share of the survey's page.

    The page is loaded once, and the other questions with it. The browsers do that at one of their questions each, which
    is another one for each, so that the share is right however few questions are measured.
    """

    def begin(self) -> None:
        super().begin()
        first = sum(map(ord, self.person["people"][0]["cookie"])) % QUESTIONS
        self.numbers = count(first)

    def step(self) -> None:
        one, position = self.turns.pop(0)
        if next(self.numbers) % QUESTIONS == 0:
            for page in ("", "others/"):
                self.ask("GET", f"{one['base']}questions/{position}/{page}", None, of(one["cookie"]))
        self.send(one, position, choices=1)
        self.send(one, position)


class SurveyWalkerWithoutScript(SurveyWalker):
    """A unit is a question, sent as a form, and the page to which the answer leads."""

    def step(self) -> None:
        one, position = self.turns.pop(0)
        first, second, *_others = one["tokens"][position - 1]
        form = urlencode({"first": first, "second": second, "csrfmiddlewaretoken": CSRF})
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        path = f"{one['base']}questions/{position}/answer/"
        following = self.location("POST", path, form, one["cookie"], **kind)
        if following:
            self.kept.append((one["cookie"], position, [first, second]))
        self.ask("GET", following, None, of(one["cookie"]))


class Unhurried(SurveyWalker):
    """A person who answers a question every 10 to 15 seconds, with a spread that is the same in each run."""

    shortest = 0.0  # seconds before the first question: people do not keep step

    def begin(self) -> None:
        super().begin()
        self.dice = Random(self.person["number"])

    def pause(self) -> float:
        pause = self.dice.uniform(self.shortest, BETWEEN[1])
        self.shortest = BETWEEN[0]
        return pause


class UnhurriedWithScript(Unhurried, SurveyWalkerWithScript):
    pass


class UnhurriedWithoutScript(Unhurried, SurveyWalkerWithoutScript):
    pass


def unhurried(port: int, person: dict[str, Any]) -> Unhurried:
    """Return one of many people, of whom every second one has no script."""
    return (UnhurriedWithScript, UnhurriedWithoutScript)[person["number"] % 2](port, person)


def of(cookie: str) -> dict[str, str]:
    return {"Cookie": f"{cookie}; csrftoken={CSRF}; timezone=Europe/Berlin", "Accept-Encoding": "gzip"}
