"""The error of answers of people to shared questions: the worked example, other implementations, simulated truth."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.regression.linear_model import OLS

from benchmarks.coverage import coverage_of
from benchmarks.designs import CROWD, DESIGNS
from core.domain.statistics import (
    DRAWS,
    Headline,
    MissingFigure,
    headline,
    two_way,
    two_way_bootstraps,
    wilson,
)
from tests.resampling import drawn_by

EXAMPLE_A = "1110111011 1111110111 0110101001 1111111111 1010111010 0111101101 1100101000 1111011111"


def columns(table):
    """Values, people, items of a table with a row a person; None is no answer."""
    cells = [
        (value, f"p{row}", f"q{column}")
        for row, values in enumerate(table)
        for column, value in enumerate(values)
        if value is not None
    ]
    return tuple(map(list, zip(*cells, strict=True)))


@cache
def example():
    return columns([[int(value) for value in row] for row in EXAMPLE_A.split()])


def bootstrap(values, people, items, generator, draws=DRAWS):
    [interval] = two_way_bootstraps([values], people, items, drawn_by(generator, draws))
    return interval


TABLES = st.integers(2, 6).flatmap(
    lambda width: st.lists(
        st.lists(st.sampled_from([0, 1, None]), min_size=width, max_size=width).filter(
            lambda row: any(value is not None for value in row)
        ),
        min_size=2,
        max_size=8,
    )
)


def test_example_a():
    found = two_way(*example())
    assert (found.n, found.mean, found.people, found.items) == (80, 0.725, 8, 10)
    assert found.by_answers**0.5 == pytest.approx(0.0499218, abs=5e-8)
    assert found.by_people**0.5 == pytest.approx(0.0701561, abs=5e-8)
    assert found.by_items**0.5 == pytest.approx(0.0460977, abs=5e-8)
    assert found.variance**0.5 == pytest.approx(0.0741210, abs=5e-8)
    assert found.n_eff == pytest.approx(36.2901, abs=5e-5)
    assert headline(found) == Headline(pytest.approx((0.529069, 0.860853), abs=5e-7))
    assert wilson(0.725 * found.n_eff, found.n_eff) == pytest.approx((0.563647, 0.843278), abs=5e-7)
    assert wilson(58, 80) == pytest.approx((0.618559, 0.810822), abs=5e-7)
    assert found.icc == pytest.approx(0.1327913, abs=5e-8)
    assert 1 + (10 - 1) * found.icc == pytest.approx(2.195122, abs=5e-7)
    assert found.design_effect == pytest.approx(2.204458, abs=5e-7)
    assert found.people_mean == pytest.approx(0.725)
    assert found.people_interval() == pytest.approx((0.547653, 0.902347), abs=5e-7)


def test_example_a_as_a_reciprocal_rank_of_five_candidates():
    values, people, items = example()
    found = two_way([1 if value else 1 / 2 for value in values], people, items, lowest=1 / 5)
    assert found.mean == pytest.approx(0.8625)
    assert found.n_eff == pytest.approx(66.3233, abs=5e-5)
    assert headline(found) == Headline(pytest.approx((0.755492, 0.928688), abs=5e-7))


@pytest.mark.parametrize("lowest", [0, 0.2, 0.5])
def test_the_headline_moves_with_the_scale(lowest):
    values, people, items = example()
    plain = headline(two_way(values, people, items)).interval
    scaled = headline(two_way([lowest + (1 - lowest) * value for value in values], people, items, lowest=lowest))
    assert scaled.interval == pytest.approx([lowest + (1 - lowest) * end for end in plain])


@given(TABLES)
def test_the_headline_is_wider_than_wilson_on_the_same_number(table):
    found = two_way(*columns(table))
    interval = headline(found).interval
    if interval and found.n_eff:
        low, high = wilson(found.mean * found.n_eff, found.n_eff)
        assert 0 <= interval[0] <= low <= high <= interval[1] <= 1


def test_a_value_out_of_range_is_refused():
    for value in (0.1, 1.1):
        with pytest.raises(ValueError, match="worth"):
            two_way([1, value], ["a", "b"], [1, 1], lowest=0.2)


@given(TABLES)
def test_the_parts_of_the_error_are_those_of_statsmodels(table):
    values, people, items = columns(table)
    found = two_way(values, people, items)
    fit = OLS(np.array(values, dtype=float), np.ones(len(values))).fit()
    for names, part in ((people, found.by_people), (items, found.by_items)):
        groups = np.unique(names, return_inverse=True)[1]
        if len(set(names)) > 1:
            robust = fit.get_robustcov_results("cluster", groups=groups, use_correction=False)
            assert part == pytest.approx(float(robust.cov_params()[0, 0]), abs=1e-12)
    assert found.by_answers == pytest.approx(float(fit.get_robustcov_results("HC0").cov_params()[0, 0]), abs=1e-12)


@given(TABLES)
def test_the_icc_is_that_of_the_f_statistic(table):
    values, people, items = columns(table)
    own = [[value for value in row if value is not None] for row in table]
    sizes = np.array(list(map(len, own)))
    found = two_way(values, people, items).icc
    if sizes.max() == 1 or len(set(values)) == 1:
        assert found is None
        return
    with np.errstate(divide="ignore", invalid="ignore"):
        within = sum(np.var(row) * len(row) for row in own)
        if within == 0:
            assert found == pytest.approx(1)
            return
        f = stats.f_oneway(*own).statistic
    size = (sizes.sum() - (sizes**2).sum() / sizes.sum()) / (len(sizes) - 1)
    assert found == pytest.approx((f - 1) / (f + size - 1))


@given(TABLES, st.randoms())
def test_neither_the_order_of_rows_nor_names_change_anything(table, random):
    rows = list(zip(*columns(table), strict=True))
    shuffled = random.sample(rows, len(rows))
    renamed = [(value, f"x-{person}", f"y-{item}") for value, person, item in shuffled]
    first, second = (two_way(*zip(*given, strict=True)) for given in (rows, renamed))
    for name in ("n", "mean", "people", "items", "variance", "icc", "people_mean"):
        assert getattr(first, name) == pytest.approx(getattr(second, name)), name
    ends = [bootstrap(*zip(*given, strict=True), np.random.default_rng(1), 50) for given in (rows, renamed)]
    assert ends[0] == ends[1]


def test_one_person_or_one_question_gives_no_headline_and_says_why():
    one_person = two_way([1, 0, 1], ["a"] * 3, [1, 2, 3])
    one_question = two_way([1, 0, 1], ["a", "b", "c"], [1] * 3)
    assert headline(one_person) == Headline(None, MissingFigure.ONE_PERSON)
    assert headline(one_question) == Headline(None, MissingFigure.ONE_QUESTION)
    assert one_person.people_interval() is None
    assert one_person.icc is None


@pytest.mark.parametrize("right", [0, 0.5, 1])
def test_without_variance_the_headline_is_wilson_on_the_smaller_number_and_flagged(right):
    found = two_way([right] * 80, np.repeat(range(8), 10), np.tile(range(10), 8))
    assert headline(found) == Headline(wilson(8 * right, 8), is_without_variance=True)
    assert (found.n_eff, found.design_effect) == (None, None)


def test_the_error_is_never_below_that_of_independent_answers():
    # Each person and each question has one right and one wrong answer: nothing but the answers differ.
    found = two_way([1, 0, 0, 1], ["a", "a", "b", "b"], [1, 2, 1, 2])
    assert (found.by_people, found.by_items) == (0, 0)
    assert found.n_eff == pytest.approx(4)


def test_a_person_who_answered_a_question_twice_is_refused():
    with pytest.raises(ValueError, match="twice"):
        two_way([1, 0], ["a", "a"], [1, 1])


def test_without_answers_there_is_no_mean():
    with pytest.raises(ValueError, match="no mean"):
        two_way([], [], [])


def test_the_bootstrap_is_that_of_drawing_people_and_questions_one_by_one():
    values, people, items = example()
    table = np.array(values, dtype=float).reshape(8, 10)
    generator = np.random.default_rng(7)
    slow = [table[np.ix_(generator.integers(0, 8, 8), generator.integers(0, 10, 10))].mean() for _ in range(20_000)]
    fast = bootstrap(values, people, items, np.random.default_rng(8), 20_000)
    assert fast == pytest.approx(np.quantile(slow, [0.025, 0.975]), abs=0.0126)  # a step of the mean is 1/80


def test_the_bootstrap_leaves_out_draws_without_an_answer():
    # Two people, two questions, each answered by another: half of the draws hold nothing.
    sparse = bootstrap([1, 0], ["a", "b"], [1, 2], np.random.default_rng(0), 4_000)
    assert sparse is None or sparse == (0, 1)
    assert bootstrap([1, 0], ["a", "a"], [1, 2], np.random.default_rng(0)) is None
    assert bootstrap([], [], [], np.random.default_rng(0)) is None


def test_the_same_seed_gives_the_same_interval():
    ends = [bootstrap(*example(), np.random.default_rng(3)) for _ in range(2)]
    assert ends[0] == ends[1]


@pytest.mark.parametrize(
    ("design", "published"),
    [
        pytest.param(design, published, marks=() if position in (0, 5) else pytest.mark.slow)
        for position, (design, published) in enumerate(DESIGNS.items())
    ],
)
def test_the_headline_covers_the_truth_as_often_as_the_published_simulation_says(design, published):
    assert coverage_of(design, studies=2_000).recall == pytest.approx(published, abs=0.02)  # error .006


def test_the_studys_own_interval_covers_too_little_in_the_design_of_its_crowd():
    """METHODS 1: 62 %. Of 600 studies the error is .02."""
    found = coverage_of(CROWD, studies=600)
    assert found.wald == pytest.approx(0.62, abs=0.05)
    assert found.recall > 0.9
