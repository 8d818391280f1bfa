"""Sample sizes against METHODS' table, and what the questions alone leave."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from study.domain.results.planning import WIDEST, half_width, plan


@pytest.mark.parametrize(
    ("p", "half_width", "independent", "answers", "people"),
    [
        (0.50, 0.05, 385, (385, 558, 730, 1076), (39, 56, 73, 108)),
        (0.75, 0.03, 801, (801, 1161, 1521, 2241), (81, 117, 153, 225)),
    ],
)
def test_the_table_of_sample_sizes(p, half_width, independent, answers, people):
    found = [plan(p, half_width, icc=icc) for icc in (0, 0.05, 0.10, 0.20)]
    assert {one.answers_independent for one in found} == {independent}
    assert [one.answers for one in found] == list(answers)
    assert [one.people for one in found] == list(people)
    assert {one.item_half_width for one in found} == {None}


def test_forty_questions_alone_leave_six_points_so_five_cannot_be_reached():
    found = plan(0.75, 0.05, questions=40, question_sd=0.2)
    assert found.item_half_width == pytest.approx(0.062, abs=5e-4)
    assert (found.answers, found.people) == (None, None)
    assert plan(0.75, 0.05, questions=found.questions_needed, question_sd=0.2).people
    assert plan(0.75, 0.05, questions=found.questions_needed - 1, question_sd=0.2).people is None


def test_people_and_questions_make_one_half_width():
    found = plan(0.75, 0.05, questions=400, question_sd=0.2, icc=0.1)
    of_people = 1.959964 * (0.75 * 0.25 * 1.9 / found.answers) ** 0.5
    assert (of_people**2 + found.item_half_width**2) ** 0.5 == pytest.approx(0.05, abs=1e-4)
    assert found.answers_independent == plan(0.75, 0.05).answers_independent
    assert plan(0.75, 0.05, questions=400, question_sd=0).answers == plan(0.75, 0.05).answers


@pytest.mark.parametrize("knobs", [{"questions": 40}, {"question_sd": 0.2}])
def test_a_number_of_questions_needs_their_spread_and_the_other_way_round(knobs):
    with pytest.raises(ValueError, match="or neither"):
        plan(0.5, 0.05, **knobs)


def test_nobody_answers_more_questions_than_there_are():
    with pytest.raises(ValueError, match="once"):
        plan(0.5, 0.05, questions=5, question_sd=0.2)


@pytest.mark.parametrize(
    ("knobs", "wrong"),
    [
        ({"p": 1}, "share expected"),
        ({"p": float("nan")}, "share expected"),
        ({"half_width": 0}, "half-width"),
        ({"half_width": 1e-300}, "half-width"),
        ({"half_width": 0.72}, "half-width"),
        ({"icc": 2}, "ICC"),
        ({"questions_each": 0}, "at least one question"),
        ({"questions": 10, "question_sd": float("inf")}, "standard deviation"),
    ],
)
def test_what_cannot_be_planned_is_refused_with_the_value_that_is_wrong(knobs, wrong):
    with pytest.raises(ValueError, match=wrong):
        plan(**{"p": 0.5, "half_width": 0.05, **knobs})


@given(
    p=st.floats(0.05, 0.95),
    people=st.integers(2, 500),
    questions=st.integers(10, 300),
    icc=st.floats(0, 0.5),
    question_sd=st.floats(0, 0.3),
)
def test_the_half_width_of_a_plan_is_the_one_that_it_was_made_for(p, people, questions, icc, question_sd):
    known = {"questions_each": 10, "questions": questions, "icc": icc, "question_sd": question_sd}
    reached = half_width(p, people=people, **known).together
    assume(reached <= WIDEST)
    needed = plan(p, reached, **known).people
    assert needed is not None
    assert abs(needed - people) <= 1


def test_forty_questions_alone_leave_six_points():
    """METHODS: 40 questions with a standard deviation of .2 contribute ± 6.2 points whatever the number of people."""
    found = half_width(0.75, people=10**9, questions_each=10, questions=40, icc=0.1, question_sd=0.2)
    assert round(100 * found.questions, 1) == 6.2
    assert found.together == pytest.approx(found.questions, abs=1e-4)


def test_a_half_width_needs_a_share_and_people():
    for wrong in ({"p": 0}, {"people": 0}, {"questions_each": 41}, {"icc": 2}):
        known = {"p": 0.7, "people": 9, "questions_each": 10, "questions": 40, "icc": 0.1, "question_sd": 0.2}
        with pytest.raises(ValueError, match="at least one"):
            half_width(**{**known, **wrong})
