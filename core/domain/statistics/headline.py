"""The interval reported with an estimate, or the reason why there is none."""

from enum import StrEnum
from typing import NamedTuple

from core.domain.statistics.binomial import wilson
from core.domain.statistics.levels import LEVEL, Interval
from core.domain.statistics.two_way import TwoWay


class MissingFigure(StrEnum):
    """Reasons why a figure or its interval is missing."""

    NO_ANSWERS = "no_answers"
    NO_POSITIVES = "no_positives"  # no prompt has a response with the grade of a cut
    NO_OVERLAP = "no_overlap"  # no item has two grades
    ONE_CATEGORY = "one_category"  # all grades are the same: agreement by chance is certain
    ONE_ITEM = "one_item"  # or one prompt or dialogue: nothing to resample
    ONE_PERSON = "one_person"
    ONE_QUESTION = "one_question"
    NO_VARIANCE = "no_variance"  # all answers or items are alike: a resample is like any other
    BIASED = "biased"  # resamples lie below the figure, so their interval would miss it
    TOO_FEW = "too_few"  # questions that differ, or people, for any difference to be found
    TOO_FEW_CANDIDATES = "too_few_candidates"  # of R@5
    TOO_FEW_DRAWS = "too_few_draws"  # undefined in more than half of the bootstrap's draws, or none were asked for


class Headline(NamedTuple):
    """An interval, or the reason for none. `is_without_variance`: it is from the numbers of people and questions."""

    interval: Interval | None
    why: MissingFigure | None = None
    is_without_variance: bool = False


def headline(found: TwoWay, level: float = LEVEL) -> Headline:
    """Return the interval of a mean when people and questions are samples: Wilson on the two-way effective number.

    The quantile is Student's, with as many degrees of freedom as there are people or questions, whichever are fewer,
    less one (Korn and Graubard 1998, Survey Methodology 24; Dean and Pagano 2015, Journal of Survey Statistics and
    Methodology 3). Where all answers are worth the same nothing tells how much people or questions vary: it is Wilson
    with as many answers as there are people or questions, whichever are fewer.
    """
    if found.people < 2:
        return Headline(None, MissingFigure.ONE_PERSON)
    if found.items < 2:
        return Headline(None, MissingFigure.ONE_QUESTION)
    fewer, n_eff = min(found.people, found.items), found.n_eff
    if n_eff:
        low, high = wilson(found.share * n_eff, n_eff, level, degrees=fewer - 1)
    else:
        low, high = wilson(found.share * fewer, fewer, level)
    width = 1 - found.lowest
    return Headline((found.lowest + width * low, found.lowest + width * high), is_without_variance=not n_eff)
