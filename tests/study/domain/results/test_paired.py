"""Two models on the same instances, against worked and published values and other implementations."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as mcnemar_of_statsmodels
from statsmodels.stats.proportion import proportion_confint

from study.domain.results.paired import (
    FourfoldTable,
    instances_needed,
    mcnemar,
    newcombe_paired,
    paired_difference,
    sign_flip_p,
    smallest_difference,
)

WORKED = FourfoldTable(20, 9, 3, 8)
# Complete response before and after a therapy (Cavo et al. 2012), the example of Fagerland, Lydersen and Laake (2017),
# Statistical Analysis of Contingency Tables, chapter 8: exact p .052479, mid-p .034690, Newcombe -.119 to -.005.
CAVO = FourfoldTable(59, 6, 16, 80)
COUNTS = st.builds(FourfoldTable, *[st.integers(0, 40)] * 4).filter(lambda table: table.n)


def values(table: FourfoldTable) -> tuple[list[float], list[float]]:
    cells = [(1, 1)] * table.both + [(1, 0)] * table.first + [(0, 1)] * table.second + [(0, 0)] * table.neither
    return [float(one) for one, _other in cells], [float(other) for _one, other in cells]


def test_the_worked_example_of_two_models_that_are_right_or_wrong():
    found = paired_difference(*values(WORKED))
    assert (found.mean, found.table) == (pytest.approx(0.15), WORKED)
    assert (found.p, found.mid_p) == (pytest.approx(0.14599609375), pytest.approx(0.09228515625))
    assert found.interval == (pytest.approx(-0.02135, abs=5e-6), pytest.approx(0.30889, abs=5e-6))


def test_two_models_that_never_differ_have_no_evidence_of_a_difference():
    assert mcnemar(0, 0) == (1, 1)
    low, high = newcombe_paired(FourfoldTable(5, 0, 0, 5))
    assert low <= 0 <= high


def test_swapping_the_models_turns_the_difference_around():
    first, second = values(WORKED)
    one, other = paired_difference(first, second), paired_difference(second, first)
    assert (one.mean, one.p) == (-other.mean, other.p)
    assert one.interval == pytest.approx([-end for end in reversed(other.interval or ())])


def test_where_answers_are_worth_parts_signs_are_flipped():
    # METHODS' eight people against the model 1110101010: differences of the ten questions, mean .125, exact p .41015625
    right = [6, 7, 7, 4, 7, 5, 7, 4, 5, 6]
    people, model = [count / 8 for count in right], [1.0, 1, 1, 0, 1, 0, 1, 0, 1, 0]
    found = paired_difference(people, model)
    assert found.mean == pytest.approx(0.125)
    assert found.p == pytest.approx(0.41015625)
    assert found.table is None
    assert found.interval is not None
    assert found.interval[0] < 0.125 < found.interval[1]


@pytest.mark.parametrize("size", [1, 2, 5, 9])
def test_every_way_to_flip_the_signs_is_counted(size):
    differences = np.random.default_rng(size).normal(0.3, 1, size)
    ways = [abs(np.dot(signs, differences)) for signs in product((1, -1), repeat=size)]
    exact = np.mean([way >= abs(differences.sum()) - 1e-9 for way in ways])
    assert sign_flip_p(differences.tolist(), np.random.default_rng(0)) == pytest.approx(exact)


@pytest.mark.parametrize("size", [3, 6, 10])
def test_dividing_by_the_standard_error_leaves_the_p_as_it_is(size):
    """A flip changes the mean and not the sum of squares, so Student's t orders the flips as the mean does."""
    differences = np.random.default_rng(size).exponential(1, size) - 0.4
    ways = np.array(list(product((1, -1), repeat=size))) * differences
    t = abs(ways.mean(axis=1)) / (ways.std(axis=1, ddof=1) / np.sqrt(size))
    studentized = np.mean(t >= t[0] * (1 - 1e-9))
    assert sign_flip_p(differences.tolist(), np.random.default_rng(0)) == pytest.approx(studentized)


def test_few_differences_have_the_exact_p_of_scipy():
    differences = np.random.default_rng(4).normal(0.4, 1, 12)
    of_scipy = stats.permutation_test((differences,), np.sum, permutation_type="samples", n_resamples=np.inf)
    assert sign_flip_p(differences.tolist(), np.random.default_rng(0)) == pytest.approx(of_scipy.pvalue)


def test_up_to_twenty_differences_all_flips_are_counted():
    differences = np.random.default_rng(4).normal(0.4, 1, 20)
    signs = 1 - 2 * (np.arange(2**20)[:, np.newaxis] >> np.arange(20) & 1).astype(np.int8)
    as_far = np.mean(abs(signs @ differences) >= abs(differences.sum()) * (1 - 1e-9))
    found = [sign_flip_p([*differences.tolist(), 0.0, 0.0], np.random.default_rng(seed)) for seed in (0, 1)]
    assert found == [pytest.approx(as_far)] * 2


def test_of_right_and_wrong_answers_the_sign_flip_is_mcnemars_exact_test():
    assert sign_flip_p([1.0] * 9 + [-1.0] * 3 + [0.0] * 28, np.random.default_rng(0)) == pytest.approx(0.14599609375)


def test_many_differences_are_flipped_by_a_hundred_thousand_draws():
    differences = [1.0] * 20 + [-1.0] * 10  # the sign test gives .0987; the error of the draws is .0009
    exact = stats.binomtest(10, 30).pvalue
    found = sign_flip_p(differences, np.random.default_rng(0))
    assert found == pytest.approx(exact, abs=0.004)
    assert found == sign_flip_p(differences, np.random.default_rng(0))
    assert found * 100_001 == pytest.approx(round(found * 100_001))
    assert sign_flip_p([1.0] * 60, np.random.default_rng(0)) == pytest.approx(1 / 100_001)


def test_a_published_table_of_two_paired_shares():
    assert mcnemar(CAVO.first, CAVO.second) == (pytest.approx(0.052479, abs=5e-7), pytest.approx(0.034690, abs=5e-7))
    assert newcombe_paired(CAVO) == pytest.approx((-0.119, -0.005), abs=5e-4)


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_that_of_statsmodels_and_the_mid_p_half_a_point_less_on_each_side(first, second):
    exact, mid_p = mcnemar(first, second)
    assert exact == pytest.approx(mcnemar_of_statsmodels([[0, first], [second, 0]], exact=True).pvalue)
    if first + second:
        binomial = stats.binom(first + second, 1 / 2)
        fewer = min(first, second)
        assert mid_p == pytest.approx(min(1, 2 * binomial.cdf(fewer)) - binomial.pmf(fewer) / (1 + (first == second)))


@given(COUNTS)
def test_newcombes_interval_holds_the_difference_and_without_correlation_is_that_of_two_groups(table):
    low, high = newcombe_paired(table)
    found = (table.first - table.second) / table.n
    assert -1 <= low <= found <= high <= 1
    if table.both * table.neither - table.first * table.second in range(table.n // 2 + 1):  # phi is 0
        ends = [proportion_confint(k + table.both, table.n, method="wilson") for k in (table.first, table.second)]
        shares = [(k + table.both) / table.n for k in (table.first, table.second)]
        below = np.hypot(shares[0] - ends[0][0], ends[1][1] - shares[1])
        above = np.hypot(ends[0][1] - shares[0], shares[1] - ends[1][0])
        assert (low, high) == pytest.approx((found - below, found + above), abs=1e-9)


def test_what_a_set_can_tell_agrees_with_the_table_of_needed_instances():
    assert instances_needed(0.1, 0.3) == 234  # METHODS 5: discordant shares .20 and .10
    assert smallest_difference(234, 0.3) == pytest.approx(0.1, abs=0.001)
    assert smallest_difference(886, 0.12) == pytest.approx(0.033, abs=0.0005)
    assert instances_needed(0, 0.3) is None


def power_of_mcnemar(n: int, differ: float, difference: float) -> float:
    """Enumerate how often the exact p is at most .05: over how many differ, and how many of these go one way."""
    apart, ahead = np.triu_indices(n + 1)[::-1]
    is_found = 2 * stats.binom.cdf(np.minimum(ahead, apart - ahead), apart, 1 / 2) <= 0.05
    one_way = stats.binom.pmf(ahead, apart, (1 + difference / differ) / 2)
    return float((stats.binom.pmf(apart, n, differ) * one_way)[is_found].sum())


@pytest.mark.parametrize("n, differ", [(15, 0.6), (20, 0.4), (40, 0.2), (40, 0.5), (60, 0.3), (100, 0.12)])
def test_the_smallest_difference_is_found_by_the_exact_test_about_four_times_in_five(n, differ):
    smallest = smallest_difference(n, differ)
    assert smallest is not None
    assert 0.7 <= power_of_mcnemar(n, differ, smallest) <= 0.81  # exact tests find a little less than the normal ones
    assert power_of_mcnemar(n, differ, min(differ, 1.15 * smallest)) > 0.8


@pytest.mark.parametrize("n, differ", [(1, 1.0), (5, 1.0), (10, 0.5), (40, 0.12), (40, 0.16), (200, 0.035)])
def test_where_not_even_all_differences_one_way_would_be_found_no_difference_is_claimed(n, differ):
    assert smallest_difference(n, differ) is None
    assert power_of_mcnemar(n, differ, differ) < 0.8


def test_sets_that_are_too_small_need_at_least_six_instances_that_differ():
    two = paired_difference([1, 1, 1, 0, 0], [0, 0, 0, 0, 0])
    assert (two.p, two.smallest) == (0.25, None)
    assert instances_needed(1, 1) == 6  # all differ, all in one way: 2 / 2**6 is the first below .05
    assert paired_difference([1.0], [0.96]).smallest is None  # one question, a value that ties made a part
    assert paired_difference([1, 0] * 20, [1, 0] * 20).smallest is None


def test_the_smallest_difference_of_parts_may_be_as_large_as_the_root_of_their_mean_square():
    """Seven questions on which one is ahead by a half: the mean is .5, its square, .25, is the mean square."""
    smallest = paired_difference([0.5] * 7, [0.0] * 7).smallest
    assert smallest is not None
    assert 0.25 < smallest <= 0.5


@pytest.mark.parametrize("size", [12, 18])
def test_the_smallest_difference_of_parts_is_found_by_flipped_signs_about_four_times_in_five(size):
    """Differences of .5 up or down on two thirds of the questions, 0 on the others."""
    differ = 2 / 3
    smallest = smallest_difference(size, differ, differ / 4)
    assert smallest is not None
    generator = np.random.default_rng(size)
    up = (1 + smallest / (differ / 2)) / 2
    found = []
    for _study in range(400):
        signs = np.where(generator.random(size) < up, 0.5, -0.5)
        drawn = np.where(generator.random(size) < differ, signs, 0.0)
        found.append(sign_flip_p(drawn.tolist(), generator) <= 0.05)
    assert 0.65 <= np.mean(found) <= 0.85
