"""What a participant's browser notes beside the answers: how often its page was left, copied from, and the like.

Agents that pose as people pass attention checks. What is noted is reported and never a ground by itself.
"""

from collections.abc import Mapping
from typing import Any

# By name: leaving the page, coming back, milliseconds away, pastes, copies; a browser that says a program drives it,
# and a field filled in that people do not see.
NOTED = ("blur", "focus", "away_ms", "paste", "copy", "webdriver", "trap")
FROM_PAGES = tuple(name for name in NOTED if name != "trap")
MOST = 1_000_000_000
AWAY = 5  # minutes away from the page that are worth a look
# From how many on what is noted is a sign; to leave the page and come back is none.
SIGNS = {"webdriver": 1, "trap": 1, "paste": 1, "copy": 1, "away_ms": AWAY * 60_000}


def noted_in(sent: Any) -> dict[str, int]:
    """Return the counts that a page sent, each from 1 to MOST; what is none is left out.

    >>> noted_in({"blur": 2, "copy": 0, "paste": "x", "trap": 1})
    {'blur': 2}
    """
    if not isinstance(sent, dict):
        return {}
    counts = {name: sent.get(name) for name in FROM_PAGES}
    return {name: min(count, MOST) for name, count in counts.items() if type(count) is int and count > 0}


def signs_in(noted: Mapping[str, int]) -> list[str]:
    """Return what of the counts is a sign that it was not the person alone who answered, in the order of SIGNS.

    >>> signs_in({"blur": 9, "copy": 2, "away_ms": 4000})
    ['copy']
    """
    return [name for name, least in SIGNS.items() if noted.get(name, 0) >= least]
