"""Comparisons as a whole: which test belongs to what, and the worked values of METHODS 3."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.statistics import DRAWS, MissingFigure
from study.domain.results.compared import (
    Answers,
    ComparisonTest,
    Spread,
    majority_with_model,
    people_with_model,
    two_groups,
    two_models,
)
from study.domain.results.comparison import difference
from study.domain.results.paired import FourfoldTable, sign_flip_p
from tests.resampling import drawn_by
from tests.study.results_cases import EXAMPLE_A

MODEL = dict(enumerate(map(float, "1110101010")))


def draws(count=DRAWS):
    """What `people_with_model` draws with: people and questions, and the signs that are flipped."""
    return drawn_by(np.random.default_rng(1), count), np.random.default_rng(2)


def answers_of(rows: list[str]) -> Answers:
    width = len(rows[0])
    values = np.array([int(right) for row in rows for right in row], dtype=float)
    questions = np.tile(np.arange(width), len(rows))
    return Answers(values, np.repeat(np.arange(len(rows)), width), questions, questions)


def test_example_a_against_the_model():
    found = people_with_model(answers_of(EXAMPLE_A), MODEL, *draws())
    assert (found.difference, found.first, found.second) == (pytest.approx(0.125), pytest.approx(0.725), 0.6)
    assert (found.test, found.p) == (ComparisonTest.SIGN_FLIP, pytest.approx(0.41015625))
    drawn = difference(*answers_of(EXAMPLE_A)[:3], MODEL, draws()[0])
    assert found.interval == drawn.interval
    assert (found.questions, found.people, found.equivalence) == (10, 8, None)


def test_with_fewer_than_six_questions_that_differ_no_difference_is_promised():
    """Of 2**5 ways to flip five differences two lead as far, .0625: no p of flipped signs is below .05."""
    people = answers_of([row[:5] for row in EXAMPLE_A])
    few = people_with_model(people, {question: MODEL[question] for question in range(5)}, *draws())
    assert (few.smallest, few.smallest_why) == (None, MissingFigure.TOO_FEW)
    assert people_with_model(people, dict.fromkeys(range(5), 0.0), *draws()).p == 0.0625
    all_of_them = people_with_model(answers_of(EXAMPLE_A), MODEL, *draws())
    assert (all_of_them.smallest > 0.125, all_of_them.smallest_why) == (True, None)


def test_two_groups_of_two_people_can_tell_no_difference_and_equal_answers_tell_no_spread():
    first = np.repeat([True, True, False, False], 4)
    few = two_groups(answers_of(["1101", "0010", "1001", "0110"]), first)
    assert (few.smallest, few.smallest_why) == (None, MissingFigure.TOO_FEW)
    equal = two_groups(answers_of(["1111"] * 4), first)
    assert (equal.smallest, equal.smallest_why) == (None, MissingFigure.NO_VARIANCE)


@given(st.integers(2, 40), st.integers(2, 40), st.integers(0, 12), st.integers(1, 12))
def test_where_nothing_varies_rounding_is_no_variance(people, questions, numerator, denominator):
    """All answers are worth the same, a share that binary numbers may not hold: of no size is it a spread."""
    worth = min(numerator / denominator, 1.0)
    answers = answers_of(["1" * questions] * people)._replace(values=np.full(people * questions, worth))
    for of_model in (0.0, 1.0, worth, (worth + worth + worth) / 3):
        found = people_with_model(answers, dict.fromkeys(range(questions), of_model), *draws(20), margin=0.1)
        assert (found.two_way_p, found.equivalence, found.interval) == (None, None, None)
        assert (found.smallest, found.smallest_why) == (None, MissingFigure.NO_VARIANCE)
        assert (found.p is None) == (abs(worth - of_model) < 1e-9)
    groups = two_groups(answers, answers.people < people / 2, margin=0.1)
    assert (groups.p, groups.smallest, groups.equivalence, groups.interval) == (None, None, None, None)


def test_rounding_moves_no_sign():
    """.1 + .2 - .3 is 0, as it is with all signs turned, so that every way to flip them leads as far."""
    assert sign_flip_p([0.1, 0.2, -0.3], np.random.default_rng(0)) == 1
    thirds = two_models(dict.fromkeys(range(9), 0.1 + 0.2), dict.fromkeys(range(9), 0.3), margin=0.1)
    assert (thirds.p, thirds.equivalence) == (1, None)


def test_most_people_against_the_model():
    """Right of eight, by question: 6 7 7 4 7 5 7 4 5 6. Two are level; of the eight others the model has six."""
    found = people_with_model(answers_of(EXAMPLE_A), MODEL, *draws()).majority
    assert (found.table, found.level) == (FourfoldTable(6, 2, 0, 0), 2)
    assert (found.p, found.mid_p) == (0.5, 0.25)


def test_one_person_against_a_model_is_mcnemars_test():
    person, model = "1" * 20 + "1" * 9 + "0" * 3 + "0" * 8, "1" * 20 + "0" * 9 + "1" * 3 + "0" * 8
    found = people_with_model(answers_of([person]), dict(enumerate(map(float, model))), *draws())
    assert (found.test, found.people, found.questions) == (ComparisonTest.MCNEMAR, 1, 40)
    assert (found.difference, found.p) == (pytest.approx(0.15), pytest.approx(0.14599609375))
    assert found.fourfold.mid_p == pytest.approx(0.09228515625)
    assert found.interval == found.fourfold.newcombe == pytest.approx((-0.02135, 0.30889), abs=5e-6)
    assert found.fourfold.tango == pytest.approx((-0.02199, 0.32087), abs=5e-6)


def test_conditions_of_one_question_are_flipped_together():
    """Ten questions in two conditions each, answered alike: the p is that of ten differences, not of twenty."""
    once = answers_of(EXAMPLE_A)
    twice = Answers(
        np.tile(once.values, 2),
        np.tile(once.people, 2),
        np.concatenate([once.questions, once.questions + 10]),
        np.tile(once.wholes, 2),
    )
    model = MODEL | {question + 10: worth for question, worth in MODEL.items()}
    found = people_with_model(twice, model, *draws())
    assert (found.questions, found.p) == (10, pytest.approx(0.41015625))
    assert found.smallest == pytest.approx(people_with_model(once, MODEL, *draws()).smallest)


def test_a_question_in_two_conditions_weighs_as_two():
    """Differences 1 and 1 of the first question, 1 and -1 of two others: of the ways to flip 2, 1, -1, six of eight
    come to 2 or more.
    """
    people = np.repeat([0, 1], 4)
    asked, whole = np.tile([0, 1, 2, 3], 2), np.tile([0, 0, 2, 3], 2)
    found = people_with_model(
        Answers(np.tile([1.0, 1, 1, 0], 2), people, asked, whole), {0: 0.0, 1: 0.0, 2: 0.0, 3: 1.0}, *draws()
    )
    assert (found.questions, found.difference, found.p) == (3, pytest.approx(0.5), pytest.approx(0.75))


def test_without_a_common_question_nothing_is_compared():
    assert people_with_model(answers_of(EXAMPLE_A), {77: 1.0}, *draws()) is None
    assert two_models({1: 1.0}, {2: 1.0}) is None
    assert two_groups(answers_of(EXAMPLE_A), np.ones(80, dtype=bool)) is None


def test_a_majority_is_compared_only_with_a_model_that_is_right_or_wrong():
    assert majority_with_model(np.array([0.7, 0.2]), np.array([1.0, 0.25])) is None
    assert majority_with_model(np.array([0.5, 0.5]), np.array([1.0, 0.0])) is None


def test_two_models_that_are_right_or_wrong_and_two_that_are_not():
    first, second = {1: 1.0, 2: 1.0, 3: 0.0}, {2: 1.0, 3: 1.0, 4: 1.0}
    found = two_models(first, second)
    assert (found.questions, found.test, found.difference) == (2, ComparisonTest.MCNEMAR, -0.5)
    ranks = two_models({1: 1.0, 2: 0.5, 3: 0.25}, {1: 0.5, 2: 0.5, 3: 1.0}, margin=0.5)
    assert (ranks.test, ranks.fourfold) == (ComparisonTest.SIGN_FLIP, None)
    assert (ranks.difference, ranks.p) == (pytest.approx((0.5 - 0.75) / 3), 1.0)


def test_similar_needs_a_margin_and_many_questions():
    people = answers_of(["10" * 200, "01" * 200, "11" * 200, "00" * 200] * 8)
    model = dict(enumerate([1.0, 0.0] * 200))
    assert people_with_model(people, model, *draws()).equivalence is None
    wide, narrow = (people_with_model(people, model, *draws(), margin=each).equivalence for each in (0.4, 0.01))
    assert (wide.is_similar, narrow.is_similar) == (True, False)
    same = dict.fromkeys(range(300), 1.0)
    assert two_models(same, same, margin=0.05).equivalence.is_similar
    assert not two_models(
        dict.fromkeys(range(5), 1.0), dict.fromkeys(range(5), 1.0), margin=0.05
    ).equivalence.is_similar


def test_two_groups_have_newcombes_interval_beside_their_own():
    """METHODS 3: 52/100 of ten people against 714/1350 of 135, each with ten questions."""
    rights = [*[6] * 2, *[5] * 8, *[6] * 39, *[5] * 96]
    rows = ["1" * right + "0" * (10 - right) for right in rights]
    answers = answers_of(rows)
    found = two_groups(answers, answers.people < 10, margin=0.2)
    assert (found.first, found.second) == (pytest.approx(0.52), pytest.approx(714 / 1350))
    assert found.newcombe == pytest.approx((-0.109286, 0.090125), abs=5e-7)
    assert (found.estimator, found.test, found.people) == ("pooled k/n", ComparisonTest.TWO_WAY_T, 145)
    assert found.equivalence.is_similar


def test_seeds_of_a_model_have_a_mean_and_a_spread():
    assert Spread.of([0.5, 0.7, 0.6]) == Spread(pytest.approx(0.6), pytest.approx(0.1), 0.5, 0.7)
    assert Spread.of([0.5]) == Spread(0.5, None, 0.5, 0.5)
