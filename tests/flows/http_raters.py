"""People who rate over HTTP, each in a thread with a browser: the other side of test_rating_survives_kills.

python -m tests.flows.http_raters http://127.0.0.1:8000 4 8 LOG    people 4 to 7 rate until nothing waits for them

As the page does, they log each grade before they send it, send it again with the same key until the server has
answered, and begin with what was unanswered when they were killed.
"""

import random
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any, TypeVar
from uuid import uuid4

from study.management.bots import Browser
from tests.flows.log import Log
from tests.flows.waiting import patiently

SLUG = "hammer"
PASSWORD = "of these people alone"
REASONS = {1: "nonsense", 2: "echoing", 3: "versatile", 4: "", 5: "informative"}
REPEAT = 0.05  # share of grades that are sent twice

T = TypeVar("T")
Pair = dict[str, Any]


class HttpAnnotator:
    def __init__(self, url: str, number: int, log: Log) -> None:
        self.signin, self.base = f"{url}/signin/", f"{url}/projects/{SLUG}/rate/"
        self.number, self.log, self.dice = number, log, random.Random()
        self.browser = Browser()

    def rate_all(self) -> None:
        try:
            self.sign_in()
            pairs = self.patiently(lambda: self.browser.open(self.base)).page_state["pairs"]
            for key, assignment, grade in self.on_their_way():
                self.send(key, assignment, grade)
                pairs = self.up_to_date()
            while pairs:
                pairs = self.grade(pairs[0])
        except Exception:
            self.log.say("error", repr(traceback.format_exc()))

    def sign_in(self) -> None:
        self.patiently(lambda: self.browser.open(self.signin))
        name = {"username": f"p{self.number}", "password": PASSWORD}
        page = self.patiently(lambda: self.browser.open(self.signin, name))
        assert page.url != self.signin, "not signed in"

    def on_their_way(self) -> list[tuple[str, str, int]]:
        """Return key, assignment and grade of what this person sent without an answer."""
        settled = {key for word in ("acknowledged", "refused") for key, *_ in self.log.said(word)}
        sent = {key: detail.split() for key, detail in self.log.said("sent")}
        return [
            (key, assignment, int(grade))
            for key, (number, assignment, grade) in sent.items()
            if key not in settled and int(number) == self.number
        ]

    def grade(self, pair: Pair) -> list[Pair]:
        """Grade the pair and return the pairs then held."""
        key, assignment, grade = str(uuid4()), pair["assignment"], self.dice.choice(list(REASONS))
        self.log.say("sent", key, f"{self.number} {assignment} {grade}")
        if self.dice.random() < REPEAT:
            self.send(key, assignment, grade)
        return self.send(key, assignment, grade) or self.up_to_date()

    def send(self, key: str, assignment: str, grade: int) -> list[Pair]:
        """Send a grade and return the pairs then held; empty if it was refused."""
        sent = {"grade": grade, "reason": REASONS[grade], "milliseconds": 900, "key": key}
        status, said = self.patiently(lambda: self.browser.post(f"{self.base}{assignment}/grade/", sent))
        if status == 409:
            self.log.say("refused", key, said["code"])
            return []
        assert status == 200, (status, said)
        self.log.say("acknowledged", key, grade)
        return list(said["pairs"])

    def up_to_date(self) -> list[Pair]:
        status, said = self.patiently(lambda: self.browser.post(f"{self.base}next/", {}))
        assert status == 200, (status, said)
        return list(said["pairs"])

    def patiently(self, act: Callable[[], T]) -> T:
        return patiently(act, lambda away: self.log.say("unreachable", str(away)))


def main(url: str, first: str, end: str, log: str) -> None:
    words = Log(log)
    people = [threading.Thread(target=HttpAnnotator(url, n, words).rate_all) for n in range(int(first), int(end))]
    for person in people:
        person.start()
    for person in people:
        person.join()


if __name__ == "__main__":
    main(*sys.argv[1:])
