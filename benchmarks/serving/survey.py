"""Survey with its script: a unit is an answer of both choices, as the script sends it."""

import json
from pathlib import Path
from typing import Any
from uuid import uuid4

from benchmarks.serving.crowd import CSRF, Walker

ROWS = Path(__file__).with_name("rows_of_survey.py")
WALKER = "benchmarks.serving.survey:SurveyWalker"


class SurveyWalker(Walker):
    """Browser of several people, one after the other: each answers the next of their questions."""

    def begin(self) -> None:
        self.turns = [turn for one in self.person["people"] for turn in self._left_of(one)]

    def _left_of(self, one: dict[str, Any]) -> list[tuple[dict[str, Any], int]]:
        """Return the questions that one of the people has not answered yet."""
        address = self.location("GET", f"{one['base']}questions/", None, one["cookie"])
        position = int(address.partition("questions/")[2].partition("/")[0] or len(one["tokens"]) + 1)
        return [(one, number) for number in range(position, len(one["tokens"]) + 1)]

    def step(self) -> None:
        one, position = self.turns.pop(0)
        first, second, *_others = one["tokens"][position - 1]
        sent = {"first": first, "second": second, "milliseconds": 8500, "seconds_left": 2000, "key": str(uuid4())}
        headers = {"Content-Type": "application/json", "X-CSRFToken": CSRF}
        self.ask("POST", f"{one['base']}questions/{position}/answer/", json.dumps(sent), headers | of(one["cookie"]))

    def location(self, method: str, path: str, sent: str | None, cookie: str, **headers: str) -> str:
        """Ask, and return where the answer leads; "" if nowhere."""
        self.ask(method, path, sent, headers | of(cookie))
        return self.led_to


def of(cookie: str) -> dict[str, str]:
    return {"Cookie": f"{cookie}; csrftoken={CSRF}; timezone=Europe/Berlin", "Accept-Encoding": "gzip"}
