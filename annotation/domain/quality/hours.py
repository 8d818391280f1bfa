"""Working time, estimated from when a person finished pairs and how long each pair was on the screen."""

import numpy as np
from numpy.typing import ArrayLike

LONGEST = 300.0  # seconds; the longest gap between two pairs that counts as work, and the most that one pair counts


def gap_seconds(seconds: float) -> float:
    """Return the part of a gap in seconds that counts as work: all of it up to five minutes, else nothing."""
    return seconds if 0 <= seconds <= LONGEST else 0.0


def active_seconds(moments: ArrayLike, measured: ArrayLike) -> float:
    """Return the seconds of work on n pairs.

    `moments` (n,) are the seconds since some fixed time at which a pair was graded or skipped, in any order; `measured`
    (n,) the seconds that each was on the screen, NaN where this was not measured.

    A gap of more than five minutes ends a stretch of work. A stretch lasts from its first pair to its last, plus the
    time of the first pair. If more was measured within it, that counts: pairs graded offline arrive all at once. One
    pair counts at most five minutes.
    """
    order = np.argsort(np.asarray(moments, dtype=float), kind="stable")
    if not len(order):
        return 0.0
    at = np.asarray(moments, dtype=float)[order]
    own = np.clip(np.nan_to_num(np.asarray(measured, dtype=float)[order]), 0, LONGEST)
    begins = np.flatnonzero(np.diff(at, prepend=-np.inf) > LONGEST)
    ends = np.append(begins[1:], len(at)) - 1
    stretches = np.maximum(at[ends] - at[begins] + own[begins], np.add.reduceat(own, begins))
    return float(stretches.sum())
