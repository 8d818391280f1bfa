"""Invariances of agreement, and its result if there is nothing to compute."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from annotation.domain.agreement import (
    FIGURES,
    Figure,
    agreement,
    confusion,
    grade_patterns,
    pairs_of_raters,
    partner_agreement,
)
from core.domain.statistics import MissingFigure
from tests.annotation.domain.agreement.agreement_cases import (
    GRADES,
    ITEMS,
    SCALE,
    block_of,
    patterns_of,
    seeded_items,
    two_raters,
    values,
)

CHANCE_CORRECTED = [name for name in FIGURES if name not in ("percent", "gap_le_1")]
NOMINAL = ("percent", "kappa", "kappa_pairs_mean", "ac1", "alpha_nominal")


@given(st.lists(st.tuples(GRADES, st.permutations("ABCDE"), st.integers(2, 5)), min_size=2, max_size=20))
def test_perfect_agreement_is_exactly_one_however_the_raters_rotate(rows):
    assume(len({grade for grade, _, _ in rows}) > 1)
    figures = values(block_of([dict.fromkeys(people[:each], grade) for grade, people, each in rows]))
    assert figures.pop("kappa_pairs_mean") in (1, None)
    assert set(figures.values()) == {1}


def test_raters_are_compared_on_their_common_items_whatever_order_their_grades_arrived_in():
    grades = [1, 5, 2, 4, 3] * 20
    records = [(item, rater, grade) for item, grade in enumerate(grades) for rater in ("ABC" * 2)[item % 3 :][:2]]
    records = [records[position] for position in np.random.default_rng(1).permutation(len(records))]
    pairs = pairs_of_raters(grade_patterns(*zip(*records, strict=True), scale=SCALE))
    assert [(pair.raters, pair.kappa.value) for pair in pairs] == [(("A", "B"), 1), (("A", "C"), 1), (("B", "C"), 1)]


@given(ITEMS, st.randoms())
def test_the_order_of_items_and_records_changes_no_number(items, random):
    records = [(str(number), rater, grade) for number, item in enumerate(items) for rater, grade in item.items()]
    numbers = [str(number) for number in range(len(items))]
    renamed = dict(zip(numbers, random.sample(numbers, len(numbers)), strict=True))
    shuffled = [(renamed[item], rater, grade) for item, rater, grade in random.sample(records, len(records))]
    one, other = (grade_patterns(*zip(*rows, strict=True), scale=SCALE) for rows in (records, shuffled))
    assert agreement(one, 20, np.random.default_rng(3)) == agreement(other, 20, np.random.default_rng(3))


def agreement_over(items, units):
    return agreement(patterns_of(items, units=units), 20, np.random.default_rng(3))


def test_the_names_of_raters_and_units_change_no_number():
    items = seeded_items(60, "ABCD", each=2)
    units = [number // 3 for number in range(60)]
    assert agreement_over(items, units) == agreement_over(items, [-unit for unit in units])
    names = {"A": "u4", "B": "u2", "C": "u1", "D": "u3"}
    renamed = [{names[rater]: grade for rater, grade in item.items()} for item in items]
    assert block_of(renamed) == block_of(items)


@given(ITEMS, st.integers(-3, 1), st.integers(5, 9))
def test_grades_that_nobody_used_change_no_number(items, lowest, highest):
    assert block_of(items, draws=20, scale=range(lowest, highest + 1)) == block_of(items, draws=20)


def test_a_grade_that_nobody_used_keeps_its_slot_between_its_neighbours():
    close, far = two_raters("1122", "1222"), two_raters("1155", "1555")
    assert values(block_of(close))["kappa"] == values(block_of(far))["kappa"]
    middle, aside = two_raters("112255", "122555"), two_raters("112233", "122333")
    assert values(block_of(middle))["kappa_quadratic"] != values(block_of(aside))["kappa_quadratic"]


@given(ITEMS, st.permutations(range(1, 6)))
def test_nominal_figures_do_not_depend_on_what_the_grades_are_called(items, names):
    renamed = [{rater: names[grade - 1] for rater, grade in item.items()} for item in items]
    before, after = values(block_of(items, draws=0)), values(block_of(renamed, draws=0))
    assert [before[name] for name in NOMINAL] == [pytest.approx(after[name]) for name in NOMINAL]


@given(ITEMS)
def test_a_scale_turned_round_changes_no_value(items):
    turned = [{rater: -grade for rater, grade in item.items()} for item in items]
    before, after = values(block_of(items, draws=0)), values(block_of(turned, draws=0, scale=range(-5, 0)))
    assert list(before.values()) == [pytest.approx(value) for value in after.values()]


@given(ITEMS)
def test_no_figure_is_ever_nan(items):
    figures = block_of(items, draws=20).figures.values()
    assert all((figure.value is None) == bool(figure.why) for figure in figures)
    assert all((figure.interval is None) == bool(figure.why or figure.interval_why) for figure in figures)
    numbers = [
        number for figure in figures for number in (figure.value, *(figure.interval or ())) if number is not None
    ]
    assert np.isfinite(numbers).all()


@pytest.mark.parametrize("items", [[], [{"A": 3}], [{"A": 3}, {"B": 4}]])
def test_without_an_item_that_has_two_grades_every_figure_says_so(items):
    records = [(number, rater, grade) for number, item in enumerate(items) for rater, grade in item.items()]
    patterns = grade_patterns(*([record[column] for record in records] for column in range(3)), scale=SCALE)
    block = agreement(patterns, 10, np.random.default_rng(0))
    assert block.n == 0
    assert {figure.why for figure in block.figures.values()} == {MissingFigure.NO_OVERLAP}
    assert {figure.value for figure in block.figures.values()} == {None}
    assert pairs_of_raters(patterns) == []
    assert {row.kappa_quadratic for row in partner_agreement(patterns)} <= {Figure(None, why=MissingFigure.NO_OVERLAP)}
    assert confusion(patterns).sum() == 0


def test_where_all_grades_are_the_same_no_agreement_beyond_chance_is_claimed():
    items = two_raters("3333", "3333")
    figures = block_of(items).figures
    assert figures["percent"].value == figures["gap_le_1"].value == 1
    assert {figures[name].why for name in CHANCE_CORRECTED} == {MissingFigure.ONE_CATEGORY}
    assert pairs_of_raters(patterns_of(items))[0].kappa == Figure(None, why=MissingFigure.ONE_CATEGORY)
    assert partner_agreement(patterns_of(items))[0].kappa_quadratic == Figure(None, why=MissingFigure.ONE_CATEGORY)


def test_a_single_item_has_values_but_no_intervals():
    items = two_raters("3", "4")
    figures = block_of(items).figures.values()
    assert {figure.interval_why for figure in figures} == {MissingFigure.ONE_ITEM}
    together = agreement(patterns_of(two_raters("345", "445"), units=["one prompt"] * 3), 10, np.random.default_rng(0))
    assert {figure.interval_why for figure in together.figures.values()} == {MissingFigure.ONE_ITEM}
    assert (together.n, together.units) == (3, 1)
    assert {(figure.interval, figure.standard_error, figure.asymptotic) for figure in figures} == {(None, None, None)}
    assert pairs_of_raters(patterns_of(items))[0].kappa.asymptotic is None


def test_a_grade_outside_the_scale_is_refused_by_name():
    with pytest.raises(ValueError, match=r"^grade 6 is not on the scale -2, -1, 0, 1, 2$"):
        grade_patterns(["x", "x"], ["A", "B"], [2, 6], range(-2, 3))


def test_a_rater_who_graded_an_item_twice_is_refused_by_name():
    with pytest.raises(ValueError, match=r"^rater B graded item y twice$"):
        grade_patterns(["x", "y", "y", "y"], ["A", "B", "A", "B"], [1, 2, 3, 4], SCALE)


def test_within_gap_keeps_the_items_whose_grades_lie_close_together():
    items = [{"A": 1, "B": 3}, {"A": 1, "B": 2}, {"A": 4}, {"A": 5, "B": 4, "C": 4}, {"A": 2, "B": 3, "C": 4}]
    kept = patterns_of(items).within_gap(1)
    assert agreement(kept, 10, np.random.default_rng(0)) == block_of([items[1], items[3]], draws=10)


def test_confusion_counts_each_item_once_with_both_orders_together():
    matrix = confusion(patterns_of([{"A": 1, "B": 2}, {"A": 2, "B": 1}, {"A": 5, "C": 5}, {"B": 4}]))
    assert matrix[1, 0] == 2
    assert matrix[4, 4] == 1
    assert matrix.sum() == 3


def test_confusion_spreads_an_item_over_its_pairs_of_raters():
    matrix = confusion(patterns_of([{"A": 1, "B": 1, "C": 4}]))
    assert matrix[0, 0] == pytest.approx(1 / 3)
    assert matrix[3, 0] == pytest.approx(2 / 3)
    assert matrix.sum() == pytest.approx(1)
