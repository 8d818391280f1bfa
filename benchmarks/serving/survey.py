"""Survey: answers as the page's script sends them, and whole questions with the script and without it."""

import json
from itertools import count
from pathlib import Path
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
        headers = {"Content-Type": "application/json", "X-CSRFToken": CSRF}
        self.ask("POST", f"{one['base']}questions/{position}/answer/", json.dumps(sent), headers | of(one["cookie"]))

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
        self.ask("GET", self.location("POST", path, form, one["cookie"], **kind), None, of(one["cookie"]))


def of(cookie: str) -> dict[str, str]:
    return {"Cookie": f"{cookie}; csrftoken={CSRF}; timezone=Europe/Berlin", "Accept-Encoding": "gzip"}
