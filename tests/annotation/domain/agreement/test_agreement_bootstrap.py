"""The bootstrap over items, against the slow one, and what its intervals promise."""

import numpy as np
import pytest

from annotation.domain.agreement import FIGURES, POOLED, agreement, figures, pairs_of_raters
from core.domain.statistics import MissingFigure, wilson
from tests.annotation.domain.agreement import agreement_reference as reference
from tests.annotation.domain.agreement.agreement_cases import (
    SCALE,
    block_of,
    krippendorff_example,
    patterns_of,
    seeded_items,
    two_raters,
)

RESAMPLED = [name for name in FIGURES if name not in ("percent", "gap_le_1", "kappa_pairs_mean")]


@pytest.mark.parametrize("items", [krippendorff_example(), seeded_items(30, "ABC", each=2)])
def test_intervals_equal_those_of_the_textbook_figures_on_the_same_resampled_items(items):
    draws = 60
    patterns = patterns_of(items)
    block = agreement(patterns, draws, np.random.default_rng(5))
    multiplicity = np.bincount(patterns.grade_counts()[1])
    pooled = resample(grade_sets(patterns), multiplicity, draws, np.random.default_rng(5))
    categories = sorted({grade for item in items for grade in item.values()})
    drawn = [reference.block(resampled, categories) for resampled in pooled]
    for name in RESAMPLED:
        assert_interval(block.figures[name], [figures[name] for figures in drawn])


def test_an_item_by_itself_and_a_prompt_of_its_own_are_resampled_alike():
    items = seeded_items(40, "ABC", each=2)
    named = patterns_of(items, units=[f"prompt {number}" for number in range(40)])
    for seed in (1, 2):
        one, other = (agreement(each, 30, np.random.default_rng(seed)) for each in (patterns_of(items), named))
        assert one == other


def test_prompts_are_drawn_whole():
    # Three prompts of two pairs each, one of them without any agreement: the draws are those of three prompts.
    items = [*two_raters("12", "12"), *two_raters("34", "34"), *two_raters("15", "51")]
    patterns = patterns_of(items, units=[0, 0, 1, 1, 2, 2])
    block = agreement(patterns, 400, np.random.default_rng(3))
    assert (block.n, block.units) == (6, 3)
    prompts = [items[0:2], items[2:4], items[4:6]]
    slow = np.random.default_rng(4).integers(0, 3, (4_000, 3))
    drawn = [
        reference.pooled_kappa([list(i.values()) for one in row for i in prompts[one]], reference.nominal)
        for row in slow
    ]
    ends = np.quantile([value for value in drawn if value is not None], [0.025, 0.975])
    assert block.figures["kappa"].interval == pytest.approx(tuple(ends), abs=0.02)


def test_the_error_over_prompts_is_that_of_sums_over_prompts():
    items = seeded_items(120, "ABC", each=2)
    units = [number // 3 for number in range(120)]
    figure = agreement(patterns_of(items, units=units), 0, np.random.default_rng(0)).figures["percent"]
    same = np.array([len(set(item.values())) == 1 for item in items])
    sums = (same - same.mean()).reshape(40, 3).sum(axis=1)
    assert figure.standard_error == pytest.approx(np.sqrt((sums**2).sum()) / 120)
    effective = same.mean() * (1 - same.mean()) / figure.standard_error**2
    assert figure.interval == pytest.approx(wilson(same.mean() * effective, effective))


def test_copies_of_every_pair_add_no_certainty_where_the_prompt_is_resampled():
    items = seeded_items(60, "AB", each=2)
    alone = agreement(patterns_of(items), 0, np.random.default_rng(0))
    twice = agreement(patterns_of([*items, *items], units=[*range(60), *range(60)]), 0, np.random.default_rng(0))
    assert (alone.units, twice.units, twice.n) == (60, 60, 120)
    for name in ("percent", "gap_le_1", "kappa", "kappa_linear", "kappa_quadratic", "ac1", "ac2"):
        assert twice.figures[name].value == pytest.approx(alone.figures[name].value)
        assert twice.figures[name].standard_error == pytest.approx(alone.figures[name].standard_error)
    pairs = [pairs_of_raters(patterns_of(*given)) for given in ((items,), ([*items, *items], SCALE, [*range(60)] * 2))]
    assert pairs[1][0].kappa.standard_error == pytest.approx(pairs[0][0].kappa.standard_error)


@pytest.mark.parametrize(("items", "kept"), [(10, (10, 10)), (20, (18, 20))])
def test_shares_have_wilsons_interval_also_at_their_edge(items, kept):
    right, given = kept
    figure = block_of(two_raters("3" * right + "1" * (given - right), "3" * right + "5" * (given - right)))
    for name in ("percent", "gap_le_1"):
        assert figure.figures[name].interval == pytest.approx(wilson(right, items))


def test_where_nothing_varies_a_chance_corrected_figure_has_no_interval_and_says_why():
    figures = block_of(two_raters("1234512345", "1234512345")).figures
    assert {figures[name].value for name in RESAMPLED} == {1}
    assert {figures[name].interval_why for name in RESAMPLED} == {MissingFigure.NO_VARIANCE}
    assert {(figures[name].interval, figures[name].asymptotic) for name in RESAMPLED} == {(None, None)}
    assert figures["percent"].interval == pytest.approx(wilson(10, 10))
    assert figures["percent"].asymptotic is None
    [pair] = pairs_of_raters(patterns_of(two_raters("12", "21")))
    assert (pair.kappa.value, pair.kappa.asymptotic) == (-1, None)


def test_lights_kappa_is_the_mean_of_the_pairs_and_has_no_interval():
    items = seeded_items(100, "ABC", each=3)
    light = block_of(items).figures["kappa_pairs_mean"]
    assert light.value == pytest.approx(np.mean([pair.kappa.value for pair in pairs_of_raters(patterns_of(items))]))
    assert (light.interval, light.asymptotic, light.interval_why) == (None, None, MissingFigure.BIASED)


@pytest.mark.parametrize(("studies", "least"), [(200, 0.9), pytest.param(2_000, 0.93, marks=pytest.mark.slow)])
def test_the_interval_of_a_share_near_one_covers_it(studies, least):
    # METHODS 4: within one grade in truth .97 of 20 items. A percentile bootstrap covers 42 %.
    generator = np.random.default_rng(1)
    covered = 0
    for _study in range(studies):
        apart = int((generator.random(20) > 0.97).sum())
        figure = block_of(two_raters("3" * 20, "3" * (20 - apart) + "5" * apart), draws=0).figures["gap_le_1"]
        covered += figure.interval[0] <= 0.97 <= figure.interval[1]
    assert covered / studies >= least


def resample(items, multiplicity, draws, generator):
    """The items of each draw, the first `draws` that the generator gives for patterns with this multiplicity."""
    times = generator.multinomial(multiplicity.sum(), multiplicity / multiplicity.sum(), size=draws)
    return [[item for item, count in zip(items, row, strict=True) for _ in range(count)] for row in times]


def grade_sets(patterns):
    counts, _ = patterns.grade_counts()
    grades = [np.repeat(patterns.used_values(), row).tolist() for row in counts]
    return [dict(zip("ABCDE", row, strict=False)) for row in grades]


def assert_interval(figure, drawn):
    defined = [value for value in drawn if value is not None]
    assert figure.undefined_draws == len(drawn) - len(defined)
    assert figure.interval == pytest.approx(tuple(np.quantile(defined, [0.025, 0.975])))


def test_draws_in_small_chunks_give_the_same_intervals(monkeypatch):
    items = seeded_items(50, "ABCD", each=2)
    whole = block_of(items)
    monkeypatch.setattr(figures, "CELLS_AT_ONCE", 1)
    assert list(block_of(items).figures) == list(whole.figures)
    for name, figure in block_of(items).figures.items():
        assert figure.interval == pytest.approx(whole.figures[name].interval)


def test_the_seed_decides_the_draws():
    patterns = patterns_of(seeded_items(50, "ABCD", each=2))
    one, same, other = (agreement(patterns, 50, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert one == same
    assert one.figures["kappa"].interval != other.figures["kappa"].interval


def test_draws_without_a_second_grade_are_left_out_and_counted():
    kappa = block_of(two_raters("3" * 19 + "4", "3" * 20), draws=500).figures["kappa"]
    assert kappa.undefined_draws == pytest.approx(500 * 0.95**20, abs=60)
    assert kappa.interval is not None


def test_without_draws_there_is_a_value_and_no_bootstrap_interval():
    kappa = block_of(two_raters("1234", "1235"), draws=0).figures["kappa"]
    assert (kappa.interval, kappa.interval_why) == (None, MissingFigure.TOO_FEW_DRAWS)
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
@pytest.mark.parametrize("kind", ["interval", "asymptotic"])
def test_intervals_cover_the_truth_about_as_often_as_they_promise(kind, rounds, least):
    truth = agreement(patterns_of(seeded_items(100_000, "ABCD", each=2)), 0, np.random.default_rng(0))
    covered = dict.fromkeys(POOLED, 0)
    for seed in range(rounds):
        block = agreement(patterns_of(seeded_items(200, "ABCD", each=2, seed=seed)), 200, np.random.default_rng(seed))
        for name in covered:
            low, high = getattr(block.figures[name], kind)
            covered[name] += low <= truth.figures[name].value <= high
    assert min(covered.values()) >= least
