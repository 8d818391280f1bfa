"""Differences with people and questions as samples: worked values, other implementations, and what must not matter."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.proportion import confint_proportions_2indep
from statsmodels.stats.weightstats import ttost_paired

from core.domain.statistics import two_way
from study.domain.results.contrasts import Contrast, group_difference, newcombe_unpaired, people_minus_model
from tests.study.results_cases import EXAMPLE_A

SHARES = st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def example_a():
    values = [int(right) for row in EXAMPLE_A for right in row]
    return np.array(values), np.repeat(np.arange(8), 10), np.tile(np.arange(10), 8)


def crowd(seed: int, people: int = 24, questions: int = 15):
    """Answers of two groups of people, some of which are missing."""
    drawn = np.random.default_rng(seed)
    person, item = np.repeat(np.arange(people), questions), np.tile(np.arange(questions), people)
    kept = drawn.random(len(person)) < 0.8
    chance = 0.6 + drawn.normal(0, 0.1, people)[person] + drawn.normal(0, 0.1, questions)[item]
    values = (drawn.random(len(person)) < chance).astype(float)
    return values[kept], person[kept], item[kept], person[kept] < people / 3


def test_example_a_against_the_model():
    model = dict(enumerate(map(float, "1110101010")))
    assert people_minus_model(*example_a(), model).mean == pytest.approx(0.125)


@pytest.mark.parametrize("constant", [0.0, 1.0])
def test_against_a_model_that_is_always_worth_the_same_the_error_is_that_of_people_alone(constant):
    found = people_minus_model(*example_a(), dict.fromkeys(range(10), constant))
    assert found.mean == pytest.approx(0.725 - constant)
    assert found.error == pytest.approx(0.0741210, abs=5e-8)  # METHODS 1, example A
    assert found.degrees == 7


def test_the_error_is_that_of_a_regression_clustered_by_people_and_by_questions():
    """With as many answers to each question, d is the mean of the answers less the model's values."""
    values, people, questions = example_a()
    model = dict(enumerate(map(float, "1110101010")))
    fit = OLS(values - np.array([model[q] for q in questions.tolist()]), np.ones(80)).fit()
    parts = [
        float(fit.get_robustcov_results("cluster", groups=groups, use_correction=False).cov_params()[0, 0])
        for groups in (people, questions)
    ]
    by_answers = float(fit.get_robustcov_results("HC0").cov_params()[0, 0])
    expected = parts[0] * 8 / 7 + parts[1] * 10 / 9 - by_answers
    assert people_minus_model(values, people, questions, model).variance == pytest.approx(expected)


def test_questions_without_a_prediction_are_left_out_and_each_of_the_others_weighs_the_same():
    found = people_minus_model([1, 1, 0, 1], ["a", "b", "a", "a"], ["q1", "q1", "q2", "q3"], {"q1": 0.0, "q2": 1.0})
    assert found.mean == pytest.approx(0)
    assert people_minus_model([1], ["a"], ["q1"], {}) is None


@pytest.mark.parametrize("seed", range(4))
def test_two_groups_have_the_error_of_a_regression_on_the_group(seed):
    values, people, items, first = crowd(seed)
    fit = OLS(values, np.column_stack([np.ones(len(values)), first])).fit()
    found = group_difference(values, people, items, first)
    assert found.mean == pytest.approx(float(fit.params[1]))

    def part(groups):
        return float(fit.get_robustcov_results("cluster", groups=groups, use_correction=False).cov_params()[1, 1])

    questions = len(np.unique(items))
    by_answers = float(fit.get_robustcov_results("HC0").cov_params()[1, 1])
    of_people = 0.0
    for group in (first, ~first):  # each group's people are a sample of their own
        alone = np.where(group, people, len(people) + np.arange(len(people)))
        others = float(((values - values[~group].mean())[~group] ** 2).sum()) / (~group).sum() ** 2
        own = len(np.unique(people[group]))
        of_people += (part(alone) - others) * own / (own - 1)
    expected = of_people + part(items) * questions / (questions - 1) - by_answers
    assert found.variance == pytest.approx(max(expected, by_answers))
    assert found.degrees == 7


def test_swapping_the_groups_turns_the_difference_around():
    values, people, items, first = crowd(9)
    one, other = group_difference(values, people, items, first), group_difference(values, people, items, ~first)
    assert (one.mean, one.variance) == (pytest.approx(-other.mean), pytest.approx(other.variance))


def test_what_makes_a_question_hard_for_both_groups_cancels():
    """Two groups that answer the same questions alike: the questions differ and the groups do not."""
    easy = np.array([1, 1, 1, 1, 1, 0, 0, 0, 0, 0])
    values = np.concatenate([easy ^ np.eye(10, dtype=int)[person % 10] for person in range(60)])
    people, items = np.repeat(np.arange(60), 10), np.tile(np.arange(10), 60)
    found = group_difference(values, people, items, people < 30)
    separate = [two_way(values[rows], people[rows], items[rows]).variance for rows in (people < 30, people >= 30)]
    assert found.variance < sum(separate) / 10


@pytest.mark.parametrize("people", [[0, 0, 1, 1], [0, 0, 0, 0]])
def test_one_person_in_a_group_has_a_difference_and_no_error(people):
    first = np.array([True, True, False, False])
    found = group_difference([1, 0, 1, 1], [0, 0, 1, 2] if people[2] else [0, 0, 1, 1], [1, 2, 1, 2], first)
    assert found.mean == pytest.approx(-0.5)
    assert (found.error, found.p, found.interval(), found.equivalence(0.1), found.smallest()) == (None,) * 5


def test_without_answers_of_one_group_there_is_nothing_to_compare():
    assert group_difference([1, 0], [0, 1], [1, 1], [True, True]) is None


def test_where_nothing_varies_there_is_no_test():
    found = group_difference([1] * 4, [0, 1, 2, 3], [1, 2, 1, 2], [True, True, False, False])
    assert (found.mean, found.p, found.interval()) == (0, None, None)


def test_two_groups_of_the_study():
    """METHODS 3: 52/100 against 714/1350."""
    assert newcombe_unpaired((52, 100), (714, 1350)) == pytest.approx((-0.109286, 0.090125), abs=5e-7)


@given(SHARES, SHARES)
def test_newcombes_interval_of_two_groups_is_that_of_statsmodels(first, second):
    expected = confint_proportions_2indep(*first, *second, method="newcomb")
    assert newcombe_unpaired(first, second) == pytest.approx(expected, abs=1e-9)


def test_the_two_one_sided_tests_are_those_of_statsmodels():
    apart = np.random.default_rng(3).normal(0.02, 0.1, 30)
    contrast = Contrast(float(apart.mean()), float(apart.var(ddof=1)) / 30, 29)
    for margin in (0.03, 0.06, 0.2):
        p, *_sides = ttost_paired(apart, np.zeros(30), -margin, margin)
        found = contrast.equivalence(margin)
        assert found.p == pytest.approx(p)
        assert found.is_similar == (p < 0.05)
    assert contrast.p == pytest.approx(stats.ttest_1samp(apart, 0).pvalue)
    assert contrast.interval() == pytest.approx(stats.ttest_1samp(apart, 0).confidence_interval(0.95))


@pytest.mark.parametrize("degrees", [9, 30, 200])
def test_the_smallest_difference_is_found_four_times_in_five(degrees):
    """Power of the t test by its non-central distribution."""
    smallest = Contrast(0.0, 0.01**2, degrees).smallest()
    beyond = stats.t.ppf(0.975, degrees)
    power = stats.nct.sf(beyond, degrees, smallest / 0.01) + stats.nct.cdf(-beyond, degrees, smallest / 0.01)
    assert power == pytest.approx(0.8, abs=0.02)


def test_no_interval_leaves_what_a_difference_of_shares_can_be():
    assert Contrast(0.9, 0.25, 3).interval() == (pytest.approx(0.9 - 3.182446 * 0.5), 1)
    assert Contrast(0.0, 4.0, 1).smallest() is None  # 2 · (12.7 + 1.4) is beyond every difference of shares
