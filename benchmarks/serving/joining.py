"""Joining: a unit is all of a person's way from the link to the first question, or to the page that has no place left.

Each keeps whether they began, the completion code that the last page tells, and the milliseconds of each page.
"""

import math
import time
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.serving.crowd import Walker
from study.management.bots import Bot, Browser, PageQuestion, SurveyPage, Unreachable

ROWS = Path(__file__).with_name("rows_of_joining.py")
AGREED = {"is_adult": "on", "agrees": "on"}


class TimedBrowser(Browser):
    """Browser that notes how long each page took, with what leads to it."""

    def __init__(self) -> None:
        super().__init__()
        self.milliseconds: list[float] = []

    def open(self, url: str, fields: dict[str, str] | None = None) -> SurveyPage:
        before = time.perf_counter()
        page = super().open(url, fields)
        self.milliseconds.append((time.perf_counter() - before) * 1000)
        return page


class JoinWalker(Walker):
    """A person in a platform who opens the link within a second after the first one, and pauses nowhere."""

    def __init__(self, port: int, person: dict[str, Any]) -> None:
        super().__init__(port, person)
        self.link = f"http://127.0.0.1:{port}{person['path']}"

    def pause(self) -> float:
        return math.inf if self.kept else Random(self.person["number"]).random()

    def step(self) -> None:
        browser = TimedBrowser()
        try:
            page = browser.open(self.link)
            if not page.code:  # there is a place, as it seems
                page = browser.open(consent_of(page), AGREED)
            if not page.code:
                page = Bot(self.link, choose, browser=browser).begin()
        except Unreachable:
            page = SurveyPage(self.link)
            self.errors += 1
        self.kept.append({"began": bool(page.page_state), "code": page.code, "pages": browser.milliseconds})


def consent_of(page: SurveyPage) -> str:
    """Return the address of the form by which a person agrees; it names them as the link does."""
    return next(form for form in page.forms if "/join/" in form)


def choose(asked: PageQuestion) -> tuple[list[int], int]:
    """Choose the lines in the order shown."""
    return list(range(len(asked.lines))), 8500
