"""What a participant's browser notes beside the answers: how often its page was left, copied from, and the like.

Agents that pose as people pass attention checks. What is noted is reported and never a ground by itself.
"""

from typing import Any

# By name: leaving the page, coming back, milliseconds away, pastes, copies; a browser that says a program drives it,
# and a field filled in that people do not see.
NOTED = ("blur", "focus", "away_ms", "paste", "copy", "webdriver", "trap")
FROM_PAGES = tuple(name for name in NOTED if name != "trap")
MOST = 1_000_000_000


def noted_in(sent: Any) -> dict[str, int]:
    """Return the counts that a page sent, each from 1 to MOST; what is none is left out.

    >>> noted_in({"blur": 2, "copy": 0, "paste": "x", "trap": 1})
    {'blur': 2}
    """
    if not isinstance(sent, dict):
        return {}
    counts = {name: sent.get(name) for name in FROM_PAGES}
    return {name: min(count, MOST) for name, count in counts.items() if type(count) is int and count > 0}
