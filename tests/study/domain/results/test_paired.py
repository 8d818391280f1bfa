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


def test_up_to_twenty_differences_the_p_is_exact_and_that_of_scipy():
    differences = np.random.default_rng(4).normal(0.4, 1, 20)
    of_scipy = stats.permutation_test((differences,), np.sum, permutation_type="samples", n_resamples=np.inf)
    found = [sign_flip_p([*differences.tolist(), 0.0, 0.0], np.random.default_rng(seed)) for seed in (0, 1)]
    assert found == [pytest.approx(of_scipy.pvalue)] * 2


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
    assert smallest_difference(5, 0.2) == 0.2
    assert smallest_difference(10, 0) == 0
    assert instances_needed(0, 0.3) is None
