"""Exclusion rules over numbers of people."""

import numpy as np
import pytest

from core.domain.wording import ChoiceError
from study.domain.results.exclusions import (
    BehaviourOfPeople,
    excluded_people,
    longest_run,
    medians_of_people,
    thresholds_of,
)
from study.domain.survey.survey import SurveySettings

# Four people: one without a fault, one who failed two checks, one who left one empty, one who rushed down one column.
PEOPLE = BehaviourOfPeople(
    failed_checks=np.array([0, 2, 0, 1]),
    unanswered_checks=np.array([0, 0, 1, 0]),
    answers=np.array([30, 30, 12, 30]),
    median_seconds=np.array([20.0, 8.0, np.nan, 1.5]),
    longest_run=np.array([3, 2, 1, 30]),
    took_part_before=np.array([False, True, False, False]),
    by_hand=np.array([False, False, False, False]),
    flagged=np.array([False, False, False, False]),
)


def out(**settings) -> dict[str, list[bool]]:
    chosen = SurveySettings(checks=3, **settings)
    return {rule: marked.tolist() for rule, marked in excluded_people(chosen, PEOPLE).items()}


def test_the_rules_of_a_study_that_set_none_are_those_that_studies_always_had():
    assert thresholds_of(SurveySettings()) == {
        "failed_checks": 1,
        "unanswered_check": None,
        "too_few_answers": 1,
        "late_answers": None,
    }
    assert out() == {
        "failed_checks": [False, True, False, True],
        "unanswered_check": [False, False, True, False],
        "too_few_answers": [False] * 4,
    }


@pytest.mark.parametrize(
    ("settings", "rule", "expected"),
    [
        ({"failed_checks": 2}, "failed_checks", [False, True, False, False]),
        ({"minimum_answers": 13}, "too_few_answers", [False, False, True, False]),
        ({"too_fast": 2}, "too_fast", [False, False, False, True]),  # without a time a person is not too fast
        ({"too_fast": 8}, "too_fast", [False, False, False, True]),  # 8 seconds are not under 8
        ({"straight_lines": 30}, "straight_lines", [False, False, False, True]),
        ({"straight_lines": 31}, "straight_lines", [False] * 4),
        ({"duplicates": True}, "duplicates", [False, True, False, False]),
    ],
)
def test_a_rule_leaves_out_whoever_reaches_its_threshold(settings, rule, expected):
    assert out(**settings)[rule] == expected


@pytest.mark.parametrize(
    ("settings", "rule"),
    [({"failed_checks": 0}, "failed_checks"), ({"unanswered_check": False}, "unanswered_check")],
)
def test_a_rule_that_is_off_is_none_of_the_study(settings, rule):
    assert rule not in out(**settings)
    assert rule not in thresholds_of(SurveySettings(**settings))


def test_more_failed_checks_than_there_are_cannot_be_a_rule():
    with pytest.raises(ChoiceError):
        SurveySettings(checks=1, failed_checks=2)


@pytest.mark.parametrize(
    ("positions", "run"), [([], 0), ([1], 1), ([1, 1, 2, 2, 2], 3), ([0, 0, 0], 3), ([0, 1, 0, 1], 1)]
)
def test_a_run_is_counted_from_neighbours(positions, run):
    assert longest_run(positions) == run


def test_the_median_is_over_the_times_that_are_known():
    people = np.array([0, 2, 0, 2, 0, 1])
    times = np.array([1000.0, 5000.0, 3000.0, np.nan, 9000.0, np.nan])
    assert np.array_equal(medians_of_people(people, times, 4), [3.0, np.nan, 5.0, np.nan], equal_nan=True)
