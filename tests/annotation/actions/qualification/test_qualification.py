"""Practice before rating: begun, graded pair by pair, passed or failed, and repeated."""

import pytest

from annotation.actions.qualification import qualification
from annotation.domain.qualification.qualification import QualificationStatus
from annotation.domain.workflow import AttemptState
from annotation.models import Item, PracticeGrade, Rating
from annotation.selectors.qualification.gold import meetings_of
from annotation.selectors.qualification.qualification import annotator_of, qualification_report, used_up_in
from tests import factories
from tests.annotation.actions.qualification.gold_pairs import attempt, choose, import_rows, known
from tests.annotation.actions.queue.assigned_work import history, refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def guarded(project):
    """Return a project with four practice pairs before rating, of ten gold pairs, and two attempts."""
    factories.pairs(project, 5)
    import_rows(project, known(10))
    choose(project, practice=4, attempts=2)
    return project


def test_nobody_rates_before_they_have_passed(guarded, annotator):
    assert factories.take(guarded, annotator) == []
    begun = attempt(guarded, annotator)
    assert (begun.state, begun.right, begun.pairs, begun.kappa) == (AttemptState.PASSED, 4, 4, 1.0)
    assert annotator_of(guarded, annotator).status == QualificationStatus.FREE
    assert len(factories.take(guarded, annotator, 5)) == 5
    assert history(begun) == [("", "open"), ("open", "passed")]


def test_one_who_has_passed_opens_nothing_for_another(guarded, annotator, partner):
    attempt(guarded, annotator)
    assert factories.take(guarded, partner) == []


def test_who_fails_tries_again_on_other_pairs_until_no_attempt_is_left(guarded, annotator):
    first = attempt(guarded, annotator, off=2)
    assert (first.state, first.right) == (AttemptState.FAILED, 0)
    assert annotator_of(guarded, annotator).status == QualificationStatus.AGAIN
    second = attempt(guarded, annotator, off=2)
    assert not {*first.grades.values_list("item", flat=True)} & {*second.grades.values_list("item", flat=True)}
    assert annotator_of(guarded, annotator).status == QualificationStatus.FAILED
    with refused("no_attempt"):
        qualification.begin(project=guarded, by=annotator)
    assert factories.take(guarded, annotator) == []
    choose(guarded, attempts=3)
    third = attempt(guarded, annotator)
    assert third.state == AttemptState.PASSED
    met = meetings_of(annotator, guarded)
    assert {len(numbers) for numbers in met.values()} == {1, 2}  # all ten came before any came twice


def test_who_has_used_up_the_attempts_is_given_another_one(guarded, annotator, inspector, researcher):
    attempt(guarded, annotator, off=2)
    assert used_up_in([guarded]) == []
    with refused("not_paused"):  # an attempt is left
        qualification.let_go_on(project=guarded, person=annotator, why="nerves", by=inspector)
    last = attempt(guarded, annotator, off=2)
    assert used_up_in([guarded]) == [last]
    with refused("why_missing"):
        qualification.let_go_on(project=guarded, person=annotator, why=" ", by=inspector)
    qualification.let_go_on(project=guarded, person=annotator, why="nerves", by=inspector)
    assert history(last)[-1] == ("failed", "excused")
    assert (used_up_in([guarded]), annotator_of(guarded, annotator).status) == ([], QualificationStatus.AGAIN)
    assert attempt(guarded, annotator, off=2).number == 3
    assert annotator_of(guarded, annotator).status == QualificationStatus.FAILED, (
        "one more was given, not all of them again"
    )


def test_an_attempt_is_gone_on_with_not_begun_twice(guarded, annotator):
    begun = qualification.begin(project=guarded, by=annotator)
    assert qualification.begin(project=guarded, by=annotator) == begun
    assert PracticeGrade.objects.count() == 4


def test_the_first_grade_of_a_practice_pair_stands(guarded, annotator):
    qualification.begin(project=guarded, by=annotator)
    qualification.practise(project=guarded, position=1, grade=1, reason="nonsense", by=annotator)
    again = qualification.practise(project=guarded, position=1, grade=4, by=annotator)
    assert (again.grade, again.reason) == (1, "nonsense")


@pytest.mark.parametrize(
    ("position", "grade", "reason", "code"),
    [
        (9, 4, "", "no_attempt"),
        (1, 6, "", "grade_outside"),
        (1, 3, "echoing", "reason_wrong"),
        (1, 3, "", "reason_missing"),
    ],
)
def test_a_practice_grade_that_cannot_be(guarded, annotator, position, grade, reason, code):
    qualification.begin(project=guarded, by=annotator)
    with refused(code):
        qualification.practise(project=guarded, position=position, grade=grade, reason=reason, by=annotator)
    assert not PracticeGrade.objects.exclude(grade=None).exists()


def test_without_an_attempt_there_is_nothing_to_grade(guarded, annotator, partner):
    qualification.begin(project=guarded, by=partner)
    with refused("no_attempt"):
        qualification.practise(project=guarded, position=1, grade=4, by=annotator)
    assert not PracticeGrade.objects.exclude(grade=None).exists()  # not on the partner's attempt either


def test_too_few_gold_pairs_let_nobody_begin(project, annotator):
    import_rows(project, known(3))
    choose(project, practice=4)
    assert annotator_of(project, annotator).status == QualificationStatus.WAITING
    with refused("no_attempt"):
        qualification.begin(project=project, by=annotator)
    assert not PracticeGrade.objects.exists()


def test_practice_counts_nowhere_and_comes_no_more_while_rating(guarded, annotator):
    practised = set(attempt(guarded, annotator).grades.values_list("item__digest", flat=True))
    assert not Rating.objects.exists()
    assert {key for key, numbers in meetings_of(annotator, guarded).items() if numbers} == practised
    assert Item.objects.counting().count() == 5
    choose(guarded, gold_first=50, gold_lowest=50)
    factories.pairs(guarded, 10)
    import_rows(guarded, known(20))  # enough for ten pairs, whatever is drawn
    for assignment in factories.take(guarded, annotator, 10):
        assert assignment.slot.item.digest not in practised


def test_the_draw_of_an_attempt_has_a_persons_name_in_it(guarded, annotator, partner):
    drawn = [
        list(qualification.begin(project=guarded, by=person).grades.values_list("item__digest", flat=True))
        for person in (annotator, partner)
    ]
    assert drawn[0] != drawn[1]


def test_the_report_says_where_everybody_stands(guarded, annotator, partner):
    attempt(guarded, annotator, off=2)
    report = qualification_report(guarded)
    assert (report["practice"], report["gold"]) == (4, 10)
    by_name = {each["user"]: each for each in report["raters"]}
    assert (by_name["an"]["status"], by_name["bo"]["status"]) == ("again", "new")
    [only] = by_name["an"]["attempts"]
    assert (only["state"], only["accuracy"]) == ("failed", 0.0)
