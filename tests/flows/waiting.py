"""Waiting in tests that kill processes: for a condition, and for a server that is away."""

import time
from collections.abc import Callable
from typing import TypeVar

from study.management.bots import Unreachable
from tests.live_server import PATIENCE

T = TypeVar("T")


def eventually(holds: Callable[[], bool]) -> bool:
    """Return whether the condition holds before patience ends."""
    end = time.monotonic() + PATIENCE
    while not (found := holds()) and time.monotonic() < end:
        time.sleep(0.02)
    return found


def patiently(act: Callable[[], T], notice: Callable[[Unreachable], None] = lambda away: None) -> T:
    """Return what `act` returns once the server answers; `notice` is called each time that it does not."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return act()
        except Unreachable as away:
            notice(away)
            assert time.monotonic() < end, "the server does not come back"
            time.sleep(0.1)
