"""Agreement in parts of the items: each part by itself gives what the whole would give with nothing else there."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa

from annotation.domain.agreement import POOLED, ItemGrades, agreement
from core.domain.statistics import MissingFigure
from tests.annotation.domain.agreement.agreement_cases import (
    ITEMS,
    SCALE,
    TWENTY,
    patterns_of,
    seeded_items,
    two_raters,
    values,
)


def item_grades(items, scale=SCALE):
    records = [(number, grade) for number, item in enumerate(items) for grade in item.values()]
    return ItemGrades.of(*zip(*records, strict=True), scale=scale)


def parts_of(items, part, parts):
    return item_grades(items).agreement(np.array(part), parts)


def same_figures(part, whole):
    for name in POOLED:
        assert part.figures[name].why == whole.figures[name].why
        assert part.figures[name].value == pytest.approx(whole.figures[name].value)
        assert part.figures[name].standard_error == pytest.approx(whole.figures[name].standard_error)


@given(ITEMS, st.randoms())
def test_each_part_has_the_figures_of_its_items_alone(items, random):
    part = [random.randrange(3) for _item in items]
    for number, block in enumerate(parts_of(items, part, 3)):
        own = [item for item, where in zip(items, part, strict=True) if where == number]
        if own:
            alone = agreement(patterns_of(own), 0, np.random.default_rng(0))
            assert block.n == alone.n
            same_figures(block, alone)
        else:
            assert block.n == 0


def test_an_item_that_belongs_to_no_part_counts_nowhere():
    items = two_raters("1234", "1235")
    [block] = parts_of(items, [0, 0, -1, -1], 1)
    assert (block.n, values(block)["percent"]) == (2, 1)


def test_perfect_agreement_of_a_part_is_exactly_one_however_its_raters_rotate():
    rows = [dict.fromkeys(("AB", "CA", "BC")[number % 3], number % 5 + 1) for number in range(30)]
    rows += two_raters("12345", "54321")
    block, _other = parts_of(rows, [0] * 30 + [1] * 5, 2)
    assert {figure.value for figure in block.figures.values()} == {1}


def test_a_part_without_two_grades_or_with_one_category_says_so():
    empty, alike = parts_of([{"A": 3}, {"A": 2, "B": 2}, {"A": 2, "B": 2}], [0, 1, 1], 2)
    assert {figure.why for figure in empty.figures.values()} == {MissingFigure.NO_OVERLAP}
    assert alike.figures["percent"].value == 1
    assert alike.figures["kappa"].why == alike.figures["ac1"].why == MissingFigure.ONE_CATEGORY


def test_grades_that_nobody_used_and_the_order_of_records_change_no_part():
    items = seeded_items(40, "ABC", each=2)
    part = [number % 4 for number in range(40)]
    wide = item_grades(items, range(-3, 12)).agreement(np.array(part), 4)
    for one, other in zip(parts_of(items, part, 4), wide, strict=True):
        same_figures(one, other)
    records = [(number, grade) for number, item in enumerate(items) for grade in item.values()]
    shuffled = [records[position] for position in np.random.default_rng(2).permutation(len(records))]
    again = ItemGrades.of(*zip(*shuffled, strict=True), scale=SCALE).agreement(np.array(part), 4)
    assert again == parts_of(items, part, 4)


def test_a_part_equals_other_libraries_to_six_digits():
    items = seeded_items(300, "ABCDE", each=2) + seeded_items(200, "ABC", each=3, seed=7)
    two, three = parts_of(items, [0] * 300 + [1] * 200, 2)
    grades = np.array([list(item.values()) for item in items[:300]])
    both = np.concatenate([grades, grades[:, ::-1]])  # each order once: the symmetrised table
    for name, weights in (("kappa", None), ("kappa_linear", "linear"), ("kappa_quadratic", "quadratic")):
        assert values(two)[name] == pytest.approx(cohen_kappa_score(*both.T, weights=weights), abs=5e-7)
    counts = [[list(item.values()).count(grade) for grade in SCALE] for item in items[300:]]
    assert values(three)["kappa"] == pytest.approx(fleiss_kappa(counts), abs=5e-7)


def test_a_part_is_resampled_by_prompt_as_the_whole_is():
    items = seeded_items(60, "AB", each=2)
    units = [number // 4 for number in range(60)]
    records = [(number, grade, units[number]) for number, item in enumerate(items) for grade in item.values()]
    numbers, grades, named = zip(*records, strict=True)
    [block] = ItemGrades.of(numbers, grades, SCALE, named).agreement(np.zeros(60, dtype=int), 1)
    whole = agreement(patterns_of(items, units=units), 0, np.random.default_rng(0))
    assert (block.n, block.units) == (whole.n, whole.units) == (60, 15)
    same_figures(block, whole)


def test_the_published_example_is_a_part_like_any_other():
    block, _rest = parts_of(two_raters(*TWENTY) + two_raters("15", "51"), [0] * 20 + [1] * 2, 2)
    assert values(block)["kappa"] == pytest.approx(0.561815, abs=5e-7)
    assert values(block)["kappa_quadratic"] == pytest.approx(0.868248, abs=5e-7)


def test_gaps_and_raters_stand_in_the_order_of_the_keys():
    found = ItemGrades.of([9, 4, 9, 4, 4, 7], [1, 2, 4, 2, 3, 5], SCALE)
    assert found.keys.tolist() == [4, 7, 9]
    assert found.raters().tolist() == [3, 1, 2]
    assert found.gaps().tolist() == [1, 0, 3]
