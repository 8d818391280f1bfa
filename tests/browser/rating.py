"""Helpers for the tests of the rating page: its address, its keys, the stored grades."""

import time
from collections.abc import Callable
from datetime import timedelta

from django.utils import timezone
from playwright.sync_api import Page

from annotation.models import Rating
from core.models import User
from tests.live_server import PATIENCE

PATH = "/projects/weibo/rate/"
BETWEEN_KEYS_MS = 250  # the page ignores an earlier key as a bounce
BETWEEN_TAPS_MS = 450  # and an earlier tap as the second of a double tap


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.wait_for_timeout(BETWEEN_KEYS_MS)
        page.keyboard.press(key)


def hold_the_clock(page: Page) -> None:
    """Load the page again with a clock that goes on only when `press_in_time` says so."""
    page.clock.install()
    page.reload()
    page.clock.pause_at(timezone.now() + timedelta(minutes=1))


def press_in_time(page: Page, *keys: str) -> None:
    """Press keys as quickly as a person does, by the held clock of the page, however slow the machine is."""
    for key in keys:
        page.clock.run_for(BETWEEN_KEYS_MS)
        page.keyboard.press(key)


def given(person: User) -> list[tuple[int, str]]:
    """Return the person's grades in force, in the order in which they were given."""
    ratings = Rating.objects.filter(assignment__person=person, replaced_at=None).order_by(
        "assignment__ended_at", "assignment"
    )
    return list(ratings.values_list("grade", "reason"))


def wait_until(page: Page, condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "This did not come true."
        page.wait_for_timeout(50)


def response_of(number: int) -> str:
    return f"还没有,等第{number}班车。"


def assert_bar_is_below(page: Page, bar: str, text: str) -> None:
    """Check that a bar lies right below a text that is on the screen, not over it."""
    page.locator(text).scroll_into_view_if_needed()
    said = page.locator(text).bounding_box()
    assert 0 <= page.locator(bar).bounding_box()["y"] - said["y"] - said["height"] <= 64
