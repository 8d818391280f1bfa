"""Response times with questions that the deadline cut off, against scipy, statsmodels, and times drawn from a truth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from study.domain.results.contrasts import group_difference
from study.domain.results.response_times import median_time, time_ratio

ROWS = st.lists(st.tuples(st.integers(1, 12), st.booleans()), min_size=1, max_size=25)


def generator():
    return np.random.default_rng(0)


def crowd(seed: int, *, people: int = 40, questions: int = 20, ratio: float = 1.5, deadline: float = np.inf):
    """Seconds of two equal groups, the first slower by a ratio; all beyond a deadline are cut off there."""
    drawn = np.random.default_rng(seed)
    person, item = np.repeat(np.arange(people), questions), np.tile(np.arange(questions), people)
    first = person < people / 2
    logs = 3 + np.log(ratio) * first + drawn.normal(0, 0.4, people)[person] + drawn.normal(0, 0.3, questions)[item]
    seconds = np.exp(logs + drawn.normal(0, 0.6, len(person)))
    return np.minimum(seconds, deadline), seconds > deadline, person, item, first


def median_of(seconds, cut=None):
    rows = np.arange(len(seconds))
    return median_time(seconds, np.zeros(len(seconds), bool) if cut is None else cut, rows, rows, generator=generator())


@given(st.lists(st.integers(1, 9), min_size=1, max_size=15))
def test_where_nothing_is_cut_off_it_is_the_ordinary_median(seconds):
    assert median_of(seconds).seconds == pytest.approx(np.median(seconds))


@given(ROWS)
def test_the_median_is_where_scipys_estimate_falls_to_a_half(rows):
    seconds, cut = (np.array(column) for column in zip(*rows, strict=True))
    curve = stats.ecdf(stats.CensoredData.right_censored(seconds, cut)).sf
    reached = [curve.quantiles[curve.probabilities <= 0.5 + 1e-9], curve.quantiles[curve.probabilities < 0.5 - 1e-9]]
    found = median_of(seconds, cut)
    assert (found.n, found.censored) == (len(rows), int(cut.sum()))
    if not len(reached[0]):
        assert found.seconds is None
        return
    last = reached[1][0] if len(reached[1]) else reached[0][0]
    assert found.seconds == pytest.approx((reached[0][0] + last) / 2)


def test_to_leave_out_what_was_cut_off_would_make_people_look_faster():
    seconds, cut, person, item, _first = crowd(1, deadline=25)
    whole = crowd(1)[0]
    found = median_time(seconds, cut, person, item, generator=generator()).seconds
    assert found == pytest.approx(np.median(whole))
    assert np.median(seconds[~cut]) < found


def test_the_interval_is_that_of_drawing_people_and_questions_one_by_one():
    seconds, cut, person, item, _first = crowd(2, people=12, questions=8, deadline=60)
    table, is_cut = seconds.reshape(12, 8), cut.reshape(12, 8)
    drawn, slow = np.random.default_rng(5), []
    for _draw in range(1_500):
        rows = np.ix_(drawn.integers(0, 12, 12), drawn.integers(0, 8, 8))
        slow.append(median_of(table[rows].ravel(), is_cut[rows].ravel()).seconds)
    found = median_time(seconds, cut, person, item, generator=generator(), draws=4_000)
    assert found.interval == pytest.approx(np.quantile(slow, [0.025, 0.975]), rel=0.06)
    assert found.interval == median_time(seconds, cut, person, item, generator=generator(), draws=4_000).interval


def test_one_person_has_a_median_and_no_interval():
    found = median_time([3, 5, 9], [False] * 3, [1, 1, 1], [1, 2, 3], generator=generator())
    assert (found.seconds, found.interval) == (5, None)


@pytest.mark.parametrize("seconds", [[], [0.0, 1.0], [np.nan], [np.inf]])
def test_what_is_no_time_is_refused(seconds):
    with pytest.raises(ValueError, match="Times"):
        median_of(np.array(seconds))


def test_without_a_deadline_the_ratio_is_that_of_geometric_means_with_the_error_of_their_difference():
    seconds, cut, person, item, first = crowd(3)
    found = time_ratio(seconds, cut, person, item, first)
    apart = group_difference(np.log(seconds), person, item, first)
    assert found.ratio == pytest.approx(stats.gmean(seconds[first]) / stats.gmean(seconds[~first]))
    assert (found.p, found.censored) == (pytest.approx(apart.p), 0)
    half_width = stats.t.ppf(0.975, 19) * apart.variance**0.5
    assert np.log(found.interval) == pytest.approx([apart.mean - half_width, apart.mean + half_width])


@pytest.mark.parametrize("deadline", [20, 45])
def test_with_a_deadline_the_ratio_is_the_likeliest_one(deadline):
    seconds, cut, person, item, first = crowd(4, deadline=deadline)
    logs = np.log(seconds)

    def unlikelihood(given):
        base, apart, log_deviation = given
        at = (logs - base - apart * first) / np.exp(log_deviation)
        return -np.where(cut, stats.norm.logsf(at), stats.norm.logpdf(at) - log_deviation).sum()

    best = optimize.minimize(unlikelihood, [3, 0, 0], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-9}).x
    found = time_ratio(seconds, cut, person, item, first)
    assert found.ratio == pytest.approx(np.exp(best[1]), rel=1e-6)
    assert found.interval[0] < 1.5 < found.interval[1]
    assert found.censored == cut.sum() > 50


def test_with_a_deadline_the_error_is_the_two_way_one_of_slopes_found_by_small_steps():
    """Each row's influence from numbers: its slope of the likelihood, over the curvature of all."""
    seconds, cut, person, item, first = crowd(6, people=16, questions=10, deadline=25)
    logs, small = np.log(seconds), 1e-4

    def likelihoods(given):
        at = (logs - given[0] - given[1] * first) / np.exp(given[2])
        return np.where(cut, stats.norm.logsf(at), stats.norm.logpdf(at) - given[2])

    best = optimize.minimize(
        lambda given: -likelihoods(given).sum(), [3, 0, 0], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-9}
    ).x
    steps = small * np.eye(3)
    slopes = np.array([(likelihoods(best + step) - likelihoods(best - step)) / (2 * small) for step in steps]).T
    bends = [
        [
            sum(
                one * other * likelihoods(best + one * step + other * beside).sum()
                for one in (1, -1)
                for other in (1, -1)
            )
            / (4 * small**2)
            for beside in steps
        ]
        for step in steps
    ]
    influence = slopes @ np.linalg.inv(-np.array(bends))[:, 1]
    of_people, of_items = (
        np.array([influence[names == name].sum() for name in set(names)]) for names in (person, item)
    )
    variance = (of_people**2).sum() * 8 / 7 + (of_items**2).sum() * 10 / 9 - (influence**2).sum()
    half_width = stats.t.ppf(0.975, 7) * variance**0.5
    assert cut.sum() > 40
    assert np.log(time_ratio(seconds, cut, person, item, first).interval) == pytest.approx(
        [best[1] - half_width, best[1] + half_width], rel=1e-4
    )


def test_swapping_the_groups_inverts_the_ratio():
    seconds, cut, person, item, first = crowd(5, deadline=40)
    one, other = (time_ratio(seconds, cut, person, item, groups) for groups in (first, ~first))
    assert one.ratio == pytest.approx(1 / other.ratio)
    assert one.interval == pytest.approx([1 / end for end in reversed(other.interval)])
    assert one.p == pytest.approx(other.p)


def test_without_answers_of_a_group_or_without_spread_there_is_no_ratio():
    seconds, people, items = [4.0, 5.0, 9.0, 9.0], [1, 2, 3, 4], [1, 2, 1, 2]
    groups = np.array([True, True, False, False])
    assert time_ratio(seconds, [False, False, True, True], people, items, groups) is None
    assert time_ratio([4.0] * 4, [False] * 4, people, items, groups) is None


def test_one_person_in_a_group_has_a_ratio_and_no_interval():
    found = time_ratio(
        [4.0, 5.0, 9.0, 8.0], [False] * 4, [1, 1, 2, 3], [1, 2, 1, 2], np.array([True, True, False, False])
    )
    assert found.ratio == pytest.approx((20 / 72) ** 0.5)
    assert (found.interval, found.p) == (None, None)
