"""Kendall's W against scipy's Friedman test, of which it is a multiple, and against hand calculations."""

import numpy as np
import pytest
import scipy.stats

from core.domain.statistics import kendall_w, spearman_interval, spearman_rho

WITH_TIES = [[1, 2, 3, 4, 4], [1, 1, 3, 5, 5], [2, 1, 3, 3, 5]]


def test_w_is_that_of_a_hand_calculation():
    """Three raters and four items: sums 4, 6, 8, 12 around 7.5, so S = 35, and W = 12 · 35 / (9 · 60)."""
    assert kendall_w([[1, 2, 3, 4], [2, 1, 3, 4], [1, 3, 2, 4]]) == pytest.approx(12 * 35 / 540)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("highest", [3, 50], ids=["many ties", "few ties"])
def test_w_is_the_friedman_statistic_over_its_most(seed, highest):
    ranks = np.random.default_rng(seed).integers(1, highest, (4, 6))
    chi_square, _p = scipy.stats.friedmanchisquare(*ranks.T)
    assert kendall_w(ranks) == pytest.approx(chi_square / (4 * (6 - 1)))


def test_without_ties_w_follows_from_the_mean_of_the_pairs_correlations():
    generator = np.random.default_rng(7)
    ranks = np.array([generator.permutation(5) for _rater in range(3)])
    rho = [scipy.stats.spearmanr(ranks[a], ranks[b]).statistic for a, b in ((0, 1), (0, 2), (1, 2))]
    assert kendall_w(ranks) == pytest.approx((1 + 2 * np.mean(rho)) / 3)


def test_equal_rankings_agree_wholly_and_opposite_ones_not_at_all():
    assert kendall_w([[1, 2, 3]] * 4) == pytest.approx(1)
    assert kendall_w([[1, 1, 3]] * 2) == pytest.approx(1)
    assert kendall_w([[1, 2, 3], [3, 2, 1]]) == pytest.approx(0)


def test_neither_names_of_ranks_nor_the_order_of_raters_and_items_change_w():
    w = kendall_w(WITH_TIES)
    assert kendall_w([[10 * rank for rank in row] for row in WITH_TIES]) == pytest.approx(w)
    assert kendall_w([row[::-1] for row in WITH_TIES[::-1]]) == pytest.approx(w)


@pytest.mark.parametrize("ranks", [[[1, 2, 3]], [[1], [1]], [[1, 1, 1], [2, 2, 2]]])
def test_w_is_undefined_for_one_rater_one_item_or_ties_alone(ranks):
    assert kendall_w(ranks) is None


def test_spearmans_rho_is_that_of_scipy_with_ties_too():
    for one, other in ((WITH_TIES[0], WITH_TIES[1]), (WITH_TIES[0], WITH_TIES[2])):
        assert spearman_rho(one, other) == pytest.approx(scipy.stats.spearmanr(one, other).statistic)
    assert spearman_rho([1, 1], [1, 2]) is None


def test_the_interval_of_spearmans_rho_is_that_of_a_hand_calculation():
    """atanh .15 = .15114, error √(1.01125 / 134) = .08687: tanh(.15114 ± 1.96 · .08687); none of four pairs."""
    assert spearman_interval(0.15, 137) == (pytest.approx(-0.0191, abs=1e-4), pytest.approx(0.3108, abs=1e-4))
    assert spearman_interval(0.15, 4) is None
    assert spearman_interval(1.0, 10) is None
