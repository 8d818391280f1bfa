"""People against a model: the worked example, a slow second implementation, and models' own figures."""

import numpy as np
import pytest

from core.domain.statistics import wilson
from study.domain.results.comparison import difference, model_figures
from study.domain.results.metrics import Ranked, ranked_by_scores
from tests.resampling import drawn_by
from tests.study.results_cases import EXAMPLE_A

MODEL = {f"q{position}": float(right) for position, right in enumerate("1110101010")}


def columns(rows):
    cells = [(int(right), f"p{p}", f"q{q}") for p, row in enumerate(rows) for q, right in enumerate(row)]
    return tuple(map(list, zip(*cells, strict=True)))


def test_example_a_against_a_model():
    found = difference(*columns(EXAMPLE_A), MODEL, drawn_by(np.random.default_rng(0)))
    assert found.mean == pytest.approx(0.125)
    assert (found.questions, found.people) == (10, 8)


def test_the_interval_is_that_of_drawing_people_and_questions_one_by_one():
    table, model = np.array([[int(c) for c in row] for row in EXAMPLE_A], dtype=float), np.array([*MODEL.values()])
    generator = np.random.default_rng(5)
    slow = []
    for _ in range(20_000):
        people, questions = generator.integers(0, 8, 8), generator.integers(0, 10, 10)
        slow.append((table[people][:, questions].mean(axis=0) - model[questions]).mean())
    found = difference(*columns(EXAMPLE_A), MODEL, drawn_by(np.random.default_rng(6), 20_000))
    assert found.interval == pytest.approx(np.quantile(slow, [0.025, 0.975]), abs=0.0126)


def test_each_question_counts_the_same_however_many_answered_it():
    # q1: two of two right, the model wrong; q2: none of one right, the model right. d is +1 and -1.
    found = difference(
        [1, 1, 0], ["a", "b", "a"], ["q1", "q1", "q2"], {"q1": 0.0, "q2": 1.0}, drawn_by(np.random.default_rng(0))
    )
    assert found.mean == pytest.approx(0)


def test_questions_that_the_model_did_not_answer_are_left_out():
    found = difference([1, 0], ["a", "b"], ["q1", "q2"], {"q1": 0.0}, drawn_by(np.random.default_rng(0)))
    assert (found.mean, found.questions, found.interval) == (1, 1, None)
    assert difference([1], ["a"], ["q1"], {}, drawn_by(np.random.default_rng(0))) is None


def test_a_models_share_has_wilsons_interval_and_its_means_the_bootstrap():
    ranked = [ranked_by_scores(scores, 0) for scores in ([3, 2, 1], [1, 2, 3], [3, 1, 2], [2, 3, 1])]
    figures = {one.metric: one for one in model_figures([[one] for one in ranked], seed=0)}
    assert (figures["R@1"].k, figures["R@1"].n, figures["R@1"].interval) == (2, 4, wilson(2, 4))
    assert (figures["R@2"].k, figures["R@2"].p) == (3, 0.75)
    assert figures["MRR"].p == pytest.approx((1 + 1 / 3 + 1 + 1 / 2) / 4)
    low, high = figures["MRR"].interval
    assert 1 / 3 <= low < figures["MRR"].p < high <= 1


def test_a_model_that_ties_has_a_mean_and_one_without_answers_has_nothing():
    tied = model_figures([[Ranked(0, 3, 4, 4)], [Ranked(0, 0, 4, 4)]], seed=0)[0]
    assert (tied.k, tied.p) == (None, pytest.approx(0.625))
    assert {one.p for one in model_figures([], seed=0)} == {None}


def test_conditions_of_one_question_are_drawn_together_and_count_once():
    """Ten questions, each in two conditions that every person has alike: the interval is that of the ten alone."""
    value, people, questions = columns(EXAMPLE_A)
    once = difference(value, people, questions, MODEL, drawn_by(np.random.default_rng(3)))
    both = [f"{question}@{condition}" for condition in ("", "all") for question in questions]
    model = {f"{name}@{condition}": worth for name, worth in MODEL.items() for condition in ("", "all")}
    twice = difference(value * 2, people * 2, both, model, drawn_by(np.random.default_rng(3)), wholes=questions * 2)
    assert (twice.questions, twice.mean) == (once.questions, pytest.approx(once.mean))
    assert twice.interval == pytest.approx(once.interval)


def test_a_models_answers_to_the_conditions_of_a_question_are_one_value():
    right, wrong = Ranked(0, 0, 4, 4), Ranked(3, 0, 4, 4)
    figure = model_figures([[right, wrong], [right], [wrong, wrong]], seed=0)[0]
    assert (figure.metric, figure.n, figure.k) == ("R@1", 3, None)
    assert figure.p == pytest.approx((1 / 2 + 1 + 0) / 3)
