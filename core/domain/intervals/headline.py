"""The interval reported with an estimate, or the reason why there is none."""

from enum import StrEnum
from typing import NamedTuple

from core.domain.intervals.binomial import LEVEL, Interval, wilson
from core.domain.intervals.two_way import TwoWay


class MissingInterval(StrEnum):
    """Reason why there is no interval."""

    NO_ANSWERS = "no_answers"
    ONE_PERSON = "one_person"
    ONE_QUESTION = "one_question"
    NO_VARIANCE = "no_variance"  # of a mean: all answers have the same value
    TOO_FEW_DRAWS = "too_few_draws"  # most resamples hold no answer


class Headline(NamedTuple):
    """An interval, or the reason for none. `is_without_variance`: it is one-sided, from the number of answers alone."""

    interval: Interval | None
    why: MissingInterval | None = None
    is_without_variance: bool = False


def headline_of_share(found: TwoWay, level: float = LEVEL) -> Headline:
    """Return the interval of a share: Wilson on the two-way effective number of answers.

    At 0 and at 1 there is no variance to divide by, so it is Wilson on the number of answers.
    """
    if why := _too_few(found):
        return Headline(None, why)
    if found.n_eff is None:
        return Headline(wilson(found.mean * found.n, found.n, level), is_without_variance=True)
    return Headline(wilson(found.mean * found.n_eff, found.n_eff, level))


def headline_of_mean(found: TwoWay, bootstrap: Interval | None) -> Headline:
    """Return the interval of a mean of any other values: the two-way bootstrap."""
    if why := _too_few(found):
        return Headline(None, why)
    if found.by_answers == 0:
        return Headline(None, MissingInterval.NO_VARIANCE, is_without_variance=True)
    return Headline(bootstrap, None if bootstrap else MissingInterval.TOO_FEW_DRAWS)


def _too_few(found: TwoWay) -> MissingInterval | None:
    if found.people < 2:
        return MissingInterval.ONE_PERSON
    return MissingInterval.ONE_QUESTION if found.items < 2 else None
