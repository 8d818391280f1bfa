"""The bootstrap over items, against the slow one, and what its intervals promise."""

import numpy as np
import pytest

from annotation.domain.agreement import FIGURES, MissingFigure, agreement, figures
from tests.annotation.domain.agreement import agreement_reference as reference
from tests.annotation.domain.agreement.agreement_cases import (
    block_of,
    krippendorff_example,
    patterns_of,
    seeded_items,
    two_raters,
)

POOLED = [name for name in FIGURES if name != "kappa_pairs_mean"]


@pytest.mark.parametrize("items", [krippendorff_example(), seeded_items(30, "ABC", each=2)])
def test_intervals_equal_those_of_the_textbook_figures_on_the_same_resampled_items(items):
    draws = 60
    patterns = patterns_of(items)
    block = agreement(patterns, draws, np.random.default_rng(5))
    generator = np.random.default_rng(5)
    pooled = resample(grade_sets(patterns), patterns.grade_counts()[1], draws, generator)
    by_rater = resample(rater_sets(patterns), patterns.multiplicity, draws, generator)
    categories = sorted({grade for item in items for grade in item.values()})
    drawn = [reference.block(resampled, categories) for resampled in pooled]
    pairs = [reference.kappa_pairs_mean(resampled) for resampled in by_rater]
    for name in POOLED:
        assert_interval(block.figures[name], [figures[name] for figures in drawn])
    assert_interval(block.figures["kappa_pairs_mean"], pairs)


def resample(items, multiplicity, draws, generator):
    """The items of each draw, the first `draws` that the generator gives for patterns with this multiplicity."""
    times = generator.multinomial(multiplicity.sum(), multiplicity / multiplicity.sum(), size=draws)
    return [[item for item, count in zip(items, row, strict=True) for _ in range(count)] for row in times]


def grade_sets(patterns):
    counts, _ = patterns.grade_counts()
    grades = [np.repeat(patterns.used_values(), row).tolist() for row in counts]
    return [dict(zip("ABCDE", row, strict=False)) for row in grades]


def rater_sets(patterns):
    rows = zip(patterns.raters, patterns.grades, strict=True)
    return [
        {patterns.names[who]: patterns.scale[what] for who, what in zip(*row, strict=True) if who >= 0} for row in rows
    ]


def assert_interval(figure, drawn):
    defined = [value for value in drawn if value is not None]
    assert figure.undefined_draws == len(drawn) - len(defined)
    assert figure.bootstrap == pytest.approx(tuple(np.quantile(defined, [0.025, 0.975])))


def test_draws_in_small_chunks_give_the_same_intervals(monkeypatch):
    items = seeded_items(50, "ABCD", each=2)
    whole = block_of(items)
    monkeypatch.setattr(figures, "CELLS_AT_ONCE", 1)
    assert list(block_of(items).figures) == list(whole.figures)
    for name, figure in block_of(items).figures.items():
        assert figure.bootstrap == pytest.approx(whole.figures[name].bootstrap)


def test_the_seed_decides_the_draws():
    patterns = patterns_of(seeded_items(50, "ABCD", each=2))
    one, same, other = (agreement(patterns, 50, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert one == same
    assert one.figures["kappa"].bootstrap != other.figures["kappa"].bootstrap


def test_draws_without_a_second_grade_are_left_out_and_counted():
    kappa = block_of(two_raters("3" * 19 + "4", "3" * 20), draws=500).figures["kappa"]
    assert kappa.undefined_draws == pytest.approx(500 * 0.95**20, abs=60)
    assert kappa.bootstrap is not None


def test_an_interval_is_withheld_where_more_than_half_of_the_draws_are_undefined():
    kappa = block_of([{"A": 3, "B": 3}, {"A": 4, "B": 4}, *[{"A": 3}] * 100], draws=500).figures["kappa"]
    assert (kappa.value, kappa.bootstrap, kappa.bootstrap_why) == (1, None, MissingFigure.TOO_FEW_DRAWS)
    assert kappa.undefined_draws > 250


def test_without_draws_there_is_a_value_and_no_bootstrap_interval():
    kappa = block_of(two_raters("1234", "1235"), draws=0).figures["kappa"]
    assert (kappa.bootstrap, kappa.bootstrap_why) == (None, MissingFigure.TOO_FEW_DRAWS)
    assert kappa.asymptotic is not None


def test_an_asymptotic_interval_ends_where_the_figure_does():
    few = block_of(two_raters("12345", "54312"), draws=0).figures
    ends = {name: figure.asymptotic for name, figure in few.items() if figure.asymptotic}
    assert ends["percent"][0] == 0
    assert ends["kappa_quadratic"][0] == -1
    assert min(low for name, (low, _high) in ends.items() if name != "ac2") == -1
    assert max(high for _low, high in ends.values()) <= 1


def test_the_interval_of_ac2_holds_a_value_below_minus_one():
    # By hand: 14 pairs of 1 and 5, 5 of 2 and 4, 1 of 2 and 3. Disagreement (14 + 5/4 + 1/16)/20 = 49/64; the quadratic
    # weights sum to 75/4 of 25, so by chance 75/4/20 (1 - (14² + 14² + 6² + 5² + 1)/40²) = 15/16 · 1146/1600.
    ac2 = block_of([*two_raters("1" * 14, "5" * 14), *two_raters("22222", "44444"), {"A": 2, "B": 3}]).figures["ac2"]
    assert ac2.value == pytest.approx(1 - 49 / 64 / (1 - 15 / 16 * 1146 / 1600))
    low, high = ac2.asymptotic
    assert low < ac2.value < -1
    assert high - ac2.value == pytest.approx(ac2.value - low)


@pytest.mark.parametrize(("rounds", "least"), [(20, 16), pytest.param(100, 88, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", ["bootstrap", "asymptotic"])
def test_intervals_cover_the_truth_about_as_often_as_they_promise(kind, rounds, least):
    truth = agreement(patterns_of(seeded_items(100_000, "ABCD", each=2)), 0, np.random.default_rng(0))
    covered = dict.fromkeys(FIGURES, 0)
    for seed in range(rounds):
        block = agreement(patterns_of(seeded_items(200, "ABCD", each=2, seed=seed)), 200, np.random.default_rng(seed))
        for name, figure in block.figures.items():
            low, high = getattr(figure, kind)
            covered[name] += low <= truth.figures[name].value <= high
    assert min(covered.values()) >= least
