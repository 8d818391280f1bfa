"""How long somebody was at work, from when their pairs were done and how long each was before their eyes."""

import numpy as np
from numpy.typing import ArrayLike

LONGEST = 300.0  # seconds between two pairs that still are work; also what one pair counts at most


def gap_seconds(seconds: float) -> float:
    """What a gap of so many seconds between two signs of life counts as work: all of it, or nothing where it is one of
    more than five minutes.
    """
    return seconds if 0 <= seconds <= LONGEST else 0.0


def active_seconds(moments: ArrayLike, measured: ArrayLike) -> float:
    """Seconds at work on n pairs.

    `moments` (n,) are the seconds since some beginning at which a pair was graded or skipped, in any order; `measured`
    (n,) the seconds that each was before the person's eyes, NaN where nobody measured.

    Work falls into stretches: a gap of more than five minutes ends one. A stretch lasts from its first pair to its
    last, plus the time of the first pair itself. Where more was measured within it, that counts: what was done without
    a connection arrives all at once. Of one pair five minutes count at most.
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
