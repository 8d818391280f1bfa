"""Intervals of a share against published values, hand calculation and statsmodels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from core.domain.statistics import (
    INDEPENDENT,
    agresti_coull,
    clopper_pearson,
    coverage,
    jeffreys,
    starred,
    wald,
    wilson,
)

PUBLISHED = {
    (52, 100): [
        (0.422080, 0.617920),
        (0.423166, 0.615354),
        (0.422681, 0.616180),
        (0.423163, 0.615357),
        (0.417790, 0.620995),
    ],
    (67, 80): [
        (0.756661, 0.918339),
        (0.741571, 0.902502),
        (0.745379, 0.905734),
        (0.740165, 0.903907),
        (0.738163, 0.910538),
    ],
    (75, 80): [
        (0.884457, 0.990543),
        (0.861899, 0.973011),
        (0.868453, 0.975754),
        (0.858549, 0.976360),
        (0.860143, 0.979397),
    ],
    (80, 80): [(1, 1), (0.954182, 1), (0.969184, 1), (0.945066, 1), (0.954936, 1)],
    (0, 10): [(0, 0), (0, 0.277533), (0, 0.217196), (0, 0.320887), (0, 0.308497)],
}
STATSMODELS = {
    "wald": "normal",
    "wilson": "wilson",
    "jeffreys": "jeffreys",
    "agresti_coull": "agresti_coull",
    "clopper_pearson": "beta",
}

# Answers, then R@1 and R@2 in percent, each with the half-width as the study prints it and whether it has a star.
STUDY = [
    (1450, (65.9, "2.4", False), (79.8, "2.1", False)),
    (1450, (74.1, "2.3", False), (82.3, "2.0", False)),
    (1350, (52.9, "2.7", False), (69.4, "2.5", False)),
    (100, (52.0, "9.8", False), (63.0, "9.5", False)),
    (80, (69.7, "10", False), (94.0, "5.2", True)),
    (80, (88.4, "7.0", False), (98.4, "2.7", True)),
    (80, (83.8, "8.1", False), (87.8, "7.2", False)),
]
COUNTS = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@pytest.mark.parametrize(("count", "expected"), PUBLISHED.items())
def test_the_table_of_intervals(count, expected):
    found = [method(*count) for method in (wald, wilson, jeffreys, agresti_coull, clopper_pearson)]
    assert found == [pytest.approx(ends, abs=5e-7) for ends in expected]


@given(COUNTS, st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_intervals_are_those_of_statsmodels(count, level):
    successes, trials = count
    for name, method in INDEPENDENT.items():
        theirs = proportion_confint(successes, trials, alpha=1 - level, method=STATSMODELS[name])
        low = 0 if successes == 0 else theirs[0]  # statsmodels leaves Jeffreys short of the ends
        high = 1 if successes == trials else theirs[1]
        assert method(successes, trials, level) == pytest.approx((low, high), abs=1e-9), name


@given(COUNTS)
def test_right_and_wrong_are_mirror_images(count):
    successes, trials = count
    for name, method in INDEPENDENT.items():
        low, high = method(trials - successes, trials)
        assert method(successes, trials) == pytest.approx((1 - high, 1 - low), abs=1e-9), name


@given(COUNTS)
def test_every_interval_holds_its_share_and_lies_between_0_and_1(count):
    for name, method in INDEPENDENT.items():
        low, high = method(*count)
        assert 0 <= low <= count[0] / count[1] <= high <= 1, name


@pytest.mark.parametrize(("answers", "r1", "r2"), STUDY)
def test_the_half_widths_and_stars_of_the_study(answers, r1, r2):
    for percent, half_width, star in (r1, r2):
        successes = percent / 100 * answers
        low, _high = wald(successes, answers)
        digits = len(half_width.partition(".")[2])
        assert f"{percent - 100 * low:.{digits}f}" == half_width
        assert starred(successes, answers) is star


def test_the_star_falls_below_five_and_not_at_five():
    assert not starred(5, 100)
    assert starred(4, 100)
    assert not starred(95, 100)
    assert starred(96, 100)
    assert starred(5, 100, fewest=10)


def test_coverage_is_the_sum_over_the_counts_whose_interval_holds_the_share():
    # At p = 1/2 and n = 10 Wald holds the truth for 3 to 7 right: (120 + 210 + 252 + 210 + 120) / 1024.
    assert coverage(wald, 0.5, 10) == pytest.approx(912 / 1024)
    assert coverage(clopper_pearson, 0.5, 10) == pytest.approx(1 - 22 / 1024)


def test_wald_covers_too_rarely_where_the_study_puts_its_star():
    assert coverage(wald, 0.984, 80) < 0.75
    assert coverage(wilson, 0.984, 80) > 0.93


@pytest.mark.parametrize("count", [(1, 0), (-1, 10), (11, 10), (0, 0), (np.nan, 10)])
def test_what_is_no_share_is_refused(count):
    for method in INDEPENDENT.values():
        with pytest.raises(ValueError, match="no share"):
            method(*count)


@pytest.mark.parametrize("level", [0, 1, 95])
def test_what_is_no_level_is_refused(level):
    for method in INDEPENDENT.values():
        with pytest.raises(ValueError, match="level"):
            method(5, 10, level)
