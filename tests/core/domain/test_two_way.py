"""The error of answers of people to shared questions: the worked example, other implementations, simulated truth."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.regression.linear_model import OLS

from core.domain.intervals import (
    Headline,
    MissingInterval,
    headline_of_mean,
    headline_of_share,
    two_way,
    two_way_bootstrap,
    wilson,
)

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
    assert headline_of_share(found).interval == pytest.approx((0.563647, 0.843278), abs=5e-7)
    assert wilson(58, 80) == pytest.approx((0.618559, 0.810822), abs=5e-7)
    assert found.icc == pytest.approx(0.1327913, abs=5e-8)
    assert found.design_effect == pytest.approx(2.195122, abs=5e-7)
    assert found.people_mean == pytest.approx(0.725)
    assert found.people_interval() == pytest.approx((0.547653, 0.902347), abs=5e-7)


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
    ends = [
        two_way_bootstrap(*zip(*given, strict=True), generator=np.random.default_rng(1), draws=50)
        for given in (rows, renamed)
    ]
    assert ends[0] == ends[1]


def test_one_person_or_one_question_gives_no_headline_and_says_why():
    one_person = two_way([1, 0, 1], ["a"] * 3, [1, 2, 3])
    one_question = two_way([1, 0, 1], ["a", "b", "c"], [1] * 3)
    assert headline_of_share(one_person) == Headline(None, MissingInterval.ONE_PERSON)
    assert headline_of_share(one_question) == Headline(None, MissingInterval.ONE_QUESTION)
    assert headline_of_mean(one_person, None) == Headline(None, MissingInterval.ONE_PERSON)
    assert one_person.people_interval() is None
    assert one_person.icc is None


@pytest.mark.parametrize("right", [0, 1])
def test_without_variance_the_headline_is_wilson_on_the_answers_and_flagged(right):
    found = two_way([right] * 64, np.repeat(range(8), 8), np.tile(range(8), 8))
    assert headline_of_share(found) == Headline(wilson(64 * right, 64), is_without_variance=True)
    assert headline_of_mean(found, (right, right)) == Headline(
        None, MissingInterval.NO_VARIANCE, is_without_variance=True
    )
    assert found.n_eff is None


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
    fast = two_way_bootstrap(values, people, items, generator=np.random.default_rng(8), draws=20_000)
    assert fast == pytest.approx(np.quantile(slow, [0.025, 0.975]), abs=0.0126)  # a step of the mean is 1/80


def test_the_bootstrap_leaves_out_draws_without_an_answer():
    # Two people, two questions, each answered by another: half of the draws hold nothing.
    sparse = two_way_bootstrap([1, 0], ["a", "b"], [1, 2], generator=np.random.default_rng(0), draws=4_000)
    assert sparse is None or sparse == (0, 1)
    assert two_way_bootstrap([1, 0], ["a", "a"], [1, 2], generator=np.random.default_rng(0)) is None
    assert two_way_bootstrap([], [], [], generator=np.random.default_rng(0)) is None


def test_the_same_seed_gives_the_same_interval():
    ends = [two_way_bootstrap(*example(), generator=np.random.default_rng(3)) for _ in range(2)]
    assert ends[0] == ends[1]


def simulated_coverage(forms, people, questions, intercept, sd_people, sd_items, studies=2_000):
    """Return how often the headline's interval covers the share that all people would have right of all questions."""
    generator = np.random.default_rng(20_260_101)
    grid = stats.norm.ppf((np.arange(4_000) + 0.5) / 4_000) * np.hypot(sd_people, sd_items)
    truth = float((1 / (1 + np.exp(-(intercept + grid)))).mean())
    person = np.repeat(np.arange(forms * people), questions)
    item = np.concatenate([np.tile(np.arange(questions) + form * questions, people) for form in range(forms)])
    hits = 0
    for _ in range(studies):
        ability = generator.normal(0, sd_people, forms * people)
        ease = generator.normal(0, sd_items, forms * questions)
        chance = 1 / (1 + np.exp(-(intercept + ability[person] + ease[item])))
        low, high = headline_of_share(two_way(generator.random(len(chance)) < chance, person, item)).interval
        hits += low <= truth <= high
    return hits / studies


@pytest.mark.parametrize(
    ("design", "published"),
    [
        ((1, 8, 10, 1.4, 0.8, 0.8), 0.921),
        pytest.param((1, 8, 10, 3.2, 0.8, 0.8), 0.954, marks=pytest.mark.slow),
        # all people at the same ten questions
        pytest.param((1, 136, 10, 1.4, 0.8, 0.8), 0.927, marks=pytest.mark.slow),
        ((4, 34, 10, 1.4, 0.8, 0.8), 0.95),  # ten questions a form: what it promises
        pytest.param((4, 34, 10, 1.4, 0.8, 0), 0.943, marks=pytest.mark.slow),
        pytest.param((1, 8, 10, 2.75, 0, 0), 0.956, marks=pytest.mark.slow),
    ],
)
def test_the_headline_covers_the_truth_as_often_as_the_published_simulation_says(design, published):
    assert simulated_coverage(*design) == pytest.approx(published, abs=0.02)  # 2,000 studies: error .006
