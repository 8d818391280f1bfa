"""Qualification status, and the outcome of an attempt."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from annotation.domain.qualification.gold import GoldSettings
from annotation.domain.qualification.qualification import (
    QualificationStatus,
    outcome,
    qualification_status,
    score,
    window,
)
from annotation.domain.rewriting.rewriting import RewritingSettings
from annotation.domain.workflow import AnnotatorState, AttemptState

OPEN, PASSED, FAILED, EXCUSED, OUTDATED = AttemptState
WORKING, PAUSED = AnnotatorState
SCALE = (1, 2, 3, 4, 5)
TWO_OF_TEN = GoldSettings(practice=10, attempts=2)


@pytest.mark.parametrize(
    ("state", "attempts", "gold", "expected"),
    [
        (WORKING, [], 10, QualificationStatus.NEW),
        (WORKING, [], 9, QualificationStatus.WAITING),
        (WORKING, [OPEN], 0, QualificationStatus.UNDER_WAY),
        (WORKING, [FAILED], 10, QualificationStatus.AGAIN),
        (WORKING, [FAILED, OPEN], 10, QualificationStatus.UNDER_WAY),
        (WORKING, [FAILED, FAILED], 10, QualificationStatus.FAILED),
        (WORKING, [FAILED, PASSED], 10, QualificationStatus.FREE),
        (WORKING, [FAILED, EXCUSED], 10, QualificationStatus.AGAIN),
        (WORKING, [FAILED, EXCUSED, FAILED], 10, QualificationStatus.FAILED),
        (WORKING, [FAILED, OUTDATED], 10, QualificationStatus.NEW),
        (WORKING, [FAILED, OUTDATED], 9, QualificationStatus.WAITING),
        (WORKING, [FAILED, OUTDATED, FAILED], 10, QualificationStatus.AGAIN),
        (WORKING, [FAILED, OUTDATED, FAILED, FAILED], 10, QualificationStatus.FAILED),
        (WORKING, [OUTDATED, PASSED], 10, QualificationStatus.FREE),
        (WORKING, [OUTDATED, OUTDATED], 10, QualificationStatus.NEW),
        (PAUSED, [PASSED], 10, QualificationStatus.PAUSED),
    ],
)
def test_where_somebody_stands(state, attempts, gold, expected):
    assert qualification_status(TWO_OF_TEN, state, attempts, gold) is expected


def test_without_practice_everybody_may_rate_who_is_not_paused():
    assert qualification_status(GoldSettings(), WORKING, [], 0) is QualificationStatus.FREE
    assert qualification_status(GoldSettings(), PAUSED, [], 0) is QualificationStatus.PAUSED


def test_fewer_attempts_than_were_used_leave_none():
    assert (
        qualification_status(GoldSettings(practice=5, attempts=1), WORKING, [FAILED, FAILED], 10)
        is QualificationStatus.FAILED
    )


GRADES = st.lists(st.tuples(st.sampled_from(SCALE), st.sampled_from(SCALE)), min_size=2, max_size=40)


@given(GRADES)
def test_the_score_is_that_of_scikit_learn(grades):
    known, given_ = zip(*grades, strict=True)
    reached = score(known, given_, SCALE)
    assert reached.right == sum(one == other for one, other in grades)
    if len({*known, *given_}) == 1:
        assert reached.kappa is None
    else:
        assert reached.kappa == pytest.approx(cohen_kappa_score(known, given_, weights="quadratic", labels=SCALE))


@pytest.mark.parametrize(
    ("known", "grades", "passed"),
    [
        ([1, 2, 3, 4, 5], [1, 2, 3, 4, 5], True),
        ([1, 2, 3, 4, 5], [1, 2, 3, 5, 4], True),  # three of five are just enough, and kappa is .9
        ([1, 2, 3, 4, 5], [2, 3, 3, 4, 4], False),  # close everywhere, two of five right
        ([1, 1, 1, 5, 5], [5, 5, 1, 5, 5], False),  # three of five right, but far off: kappa is .29
        ([3, 3, 3], [3, 3, 3], True),  # all right; kappa is undefined
        ([3, 3, 3], [4, 4, 4], False),
    ],
)
def test_an_attempt_passes_by_accuracy_and_by_kappa(known, grades, passed):
    assert score(known, grades, SCALE).passes(GoldSettings(practice_accuracy=60, practice_kappa=60)) is passed


def test_the_thresholds_themselves_are_enough():
    reached = score([1, 2, 3, 4, 5], [1, 2, 3, 4, 5], SCALE)
    assert reached.passes(GoldSettings(practice_accuracy=100, practice_kappa=100))


DRAFTS = RewritingSettings(practice=6, practice_window=4, practice_threshold=75, practice_attempts=2)


@pytest.mark.parametrize(
    ("graded", "became"),
    [
        ("", OPEN),
        ("+++", OPEN),  # the window is not full yet
        ("+++-", PASSED),
        ("++--", OPEN),
        ("-+++", PASSED),
        ("--+++", PASSED),  # the last four alone are looked at
        ("++--+", OPEN),
        ("++--++", FAILED),
        ("--++-+", PASSED),
        ("------", FAILED),
    ],
)
def test_what_graded_drafts_come_to(graded, became):
    assert outcome([mark == "+" for mark in graded], 6, DRAFTS) is became


def test_the_window_is_never_longer_than_its_attempt():
    """An attempt of three drafts was begun before the window became one of four."""
    assert window([True, False], 3, DRAFTS) == (3, 2, 1)
    assert outcome([True, True, True], 3, DRAFTS) is PASSED
    assert outcome([True, True, False], 3, DRAFTS) is FAILED


@pytest.mark.parametrize(
    ("attempts", "items", "expected"),
    [
        ([], 0, QualificationStatus.WAITING),
        ([], 1, QualificationStatus.NEW),  # all items come again and again
        ([OPEN], 1, QualificationStatus.UNDER_WAY),
        ([FAILED], 1, QualificationStatus.AGAIN),
        ([FAILED, FAILED], 1, QualificationStatus.FAILED),
        ([FAILED, EXCUSED, FAILED], 1, QualificationStatus.FAILED),
        ([FAILED, PASSED], 1, QualificationStatus.FREE),
    ],
)
def test_where_an_author_stands(attempts, items, expected):
    assert qualification_status(DRAFTS, WORKING, attempts, items) is expected
    assert qualification_status(RewritingSettings(), WORKING, attempts, items) is QualificationStatus.FREE


@pytest.mark.parametrize(("practice", "size"), [(10, 11), (1, 20)])
def test_a_window_has_no_more_than_an_attempt(practice, size):
    with pytest.raises(ValueError, match="can never be graded"):
        RewritingSettings(practice=practice, practice_window=size)
    assert RewritingSettings(practice=0, practice_window=size).practice == 0
