"""Exclusion rules of a study: fixed before any answer is in, and each can be switched off in the results.

Other rules are made when answers are in: they are off, and each can be switched on.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.domain.statistics import FloatArray, IntArray
from core.domain.wording import gettext_noop
from study.domain.survey.survey import SurveySettings

BY_HAND = "excluded_by_hand"
LATE = "late_answers"  # leaves out answers
PERHAPS_VALID = "perhaps_valid"  # leaves out questions; the others leave out people
FLAGGED = "flagged"
OF_CHECKS = ("failed_checks", "unanswered_check")
ON_REQUEST = frozenset({FLAGGED, PERHAPS_VALID})  # rules of no plan; what is noted of behaviour is no ground by itself

# In the order in which pages list them; %(n)s is the threshold of the study.
RULES = {
    "failed_checks": gettext_noop("attention checks failed: at least %(n)s"),
    "unanswered_check": gettext_noop("the attention check was left unanswered"),
    "too_few_answers": gettext_noop("fewer answers than %(n)s"),
    "too_fast": gettext_noop("median time of a question under %(n)s s"),
    "straight_lines": gettext_noop("the same position chosen at least %(n)s times in a row"),
    "duplicates": gettext_noop("took part before in a study with the same questions"),
    BY_HAND: gettext_noop("excluded by hand, each with a reason"),
    LATE: gettext_noop("the answer arrived late; by the browser's clock it was given in time"),
    FLAGGED: gettext_noop("flagged by the behaviour log"),
    PERHAPS_VALID: gettext_noop("questions where another line may also be right"),
}
BY_DEFAULT = tuple(rule for rule in RULES if rule not in ON_REQUEST)
OF_PLAN = tuple(rule for rule in BY_DEFAULT if rule != BY_HAND)  # a person excluded by hand is a deviation from it


class RuleSwitches(NamedTuple):
    """Rules that are not as they are by themselves: those by default that are off, and others that are on."""

    without: Collection[str] = ()
    also: Collection[str] = ()

    def applied(self, rules: Collection[str]) -> frozenset[str]:
        """Return which of these rules apply.

        >>> sorted(RuleSwitches(without=["too_fast"]).applied(["failed_checks", "too_fast", "perhaps_valid"]))
        ['failed_checks']
        """
        return frozenset(
            rule for rule in rules if (rule in self.also if rule in ON_REQUEST else rule not in self.without)
        )

    def as_arguments(self) -> dict[str, list[str]]:
        """Return the switches as arguments of a figure and the query of its page, without `also` where it is empty."""
        also = {"also": sorted(set(self.also))} if self.also else {}
        return {"without": sorted(set(self.without)), **also}


@dataclass(frozen=True)
class BehaviourOfPeople:
    """What rules look at, a number for each person: counts of checks and answers, and how they answered.

    `median_seconds` is NaN for a person of whom no time is known, `longest_run` how often running the first choice was
    the line at the same position.
    """

    failed_checks: IntArray
    unanswered_checks: IntArray
    answers: IntArray
    median_seconds: FloatArray
    longest_run: IntArray
    took_part_before: NDArray[np.bool_]
    by_hand: NDArray[np.bool_]
    flagged: NDArray[np.bool_]


def thresholds_of(settings: SurveySettings) -> dict[str, int | None]:
    """Return the rules of a study, each with its threshold; None for a rule without one. Rules that are off are not in.

    Rules of attention checks are off where people have an account: they get no check.

    >>> thresholds_of(SurveySettings())
    {'failed_checks': 1, 'unanswered_check': None, 'too_few_answers': 1, 'late_answers': None}
    """
    values: Mapping[str, Any] = {**settings.as_mapping(), "too_few_answers": settings.minimum_answers}
    rules = [rule for rule in RULES if not (settings.is_signed_in and rule in OF_CHECKS)]
    return {rule: None if values[rule] is True else values[rule] for rule in rules if values.get(rule)}


def excluded_people(settings: SurveySettings, people: BehaviourOfPeople) -> dict[str, NDArray[np.bool_]]:
    """Return whom each rule of a study leaves out, as a mask over the people.

    By hand and by what the behaviour log flags only where there is such a person.
    """
    marked = {
        "failed_checks": people.failed_checks >= settings.failed_checks,
        "unanswered_check": people.unanswered_checks > 0,
        "too_few_answers": people.answers < settings.minimum_answers,
        "too_fast": people.median_seconds < settings.too_fast,  # False where no time is known
        "straight_lines": people.longest_run >= settings.straight_lines,
        "duplicates": people.took_part_before,
    }
    single = {BY_HAND: people.by_hand, FLAGGED: people.flagged}
    return {rule: marked[rule] for rule in thresholds_of(settings) if rule != LATE} | {
        rule: mask for rule, mask in single.items() if mask.any()
    }


def medians_of_people(people: IntArray, milliseconds: FloatArray, count: int) -> FloatArray:
    """Return each person's median in seconds, shape (count,); rows are answers, NaN where no time is known."""
    medians = np.full(count, np.nan)
    known = ~np.isnan(milliseconds)
    person, times = people[known], milliseconds[known]
    order = np.lexsort((times, person))
    persons, starts, counts = np.unique(person[order], return_index=True, return_counts=True)
    middle = [times[order][starts + half] for half in ((counts - 1) // 2, counts // 2)]
    medians[persons] = np.mean(middle, axis=0) / 1000
    return medians


def longest_run(positions: list[int]) -> int:
    """Return how often running the same position was chosen.

    >>> longest_run([2, 0, 0, 0, 1])
    3
    """
    longest = run = 0
    for place, position in enumerate(positions):
        run = run + 1 if place and position == positions[place - 1] else 1
        longest = max(longest, run)
    return longest
