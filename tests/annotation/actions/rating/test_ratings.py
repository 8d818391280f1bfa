"""Grades: given once, with a reason, accepted late while there is room; and the outcome of a pair."""

from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from annotation.actions.projects import guidelines
from annotation.actions.rating import ratings
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, Item, Project, Purpose, Rating, Slot
from core.models import Event
from tests import factories
from tests.annotation.actions.queue.assigned_work import claim, counting, expire_all, history, refused, state


@pytest.fixture(autouse=True)
def pairs(project: Project) -> list[Item]:
    return factories.pairs(project, 8)


# ---- submitting -----------------------------------------------------------------------------------------------------
def test_a_grade_is_stored_with_its_reason_time_and_guideline(project, annotator):
    assignment = claim(project, annotator)[0]
    key = uuid4()
    rating = ratings.submit(assignment=assignment, grade=2, reason="echoing", milliseconds=4200, key=key, by=annotator)
    rating.refresh_from_db()
    assignment.refresh_from_db()
    assert (rating.grade, rating.reason, rating.milliseconds, rating.submission_key) == (2, "echoing", 4200, key)
    assert rating.guideline == project.guidelines.get(number=1)
    assert assignment.state == AssignmentState.SUBMITTED
    assert assignment.ended_at is not None
    assert history(assignment) == [("", "held"), ("held", "submitted")]


def test_a_grade_keeps_the_guideline_it_was_given_under(project, annotator, researcher):
    [first] = factories.grade_next(project, annotator, 3)
    content = project.guidelines.get(number=1).content
    guidelines.write(project=project, content=content, by=researcher)
    [second] = factories.grade_next(project, annotator, 3)
    assert first.ratings.get().guideline.number == 1
    assert second.ratings.get().guideline.number == 2


def test_a_submitted_assignment_keeps_its_slot(project, annotator):
    [assignment] = factories.grade_next(project, annotator, 3)
    assert Slot.objects.get(pk=assignment.slot_id).free == 1


def test_the_same_grade_sent_twice_is_stored_once(project, annotator):
    assignment, key = claim(project, annotator)[0], uuid4()
    first = factories.grade(assignment, 4, key=key)
    logged = Event.objects.count()
    assert factories.grade(assignment, 4, key=key) == first
    assert Rating.objects.count() == 1
    assert Event.objects.count() == logged


def test_another_grade_on_a_graded_assignment_is_refused(project, annotator):
    assignment = claim(project, annotator)[0]
    factories.grade(assignment, 4, key=uuid4())
    for key in (uuid4(), None):
        with refused("already_rated"):
            factories.grade(assignment, 1, key=key)
    assert list(Rating.objects.values_list("grade", flat=True)) == [4]


def test_the_first_grade_sent_again_after_it_was_changed_is_still_answered_with_success(project, annotator):
    assignment, key = claim(project, annotator)[0], uuid4()
    first = factories.grade(assignment, 4, key=key)
    ratings.change(assignment=assignment, grade=1, reason="nonsense", by=annotator)
    assert factories.grade(assignment, 4, key=key) == first
    assert list(Rating.objects.filter(replaced_at=None).values_list("grade", flat=True)) == [1]


@pytest.mark.parametrize("grade", [0, 6, -3])
def test_a_grade_outside_the_scale_is_refused(project, annotator, grade):
    assignment = claim(project, annotator)[0]
    with refused("grade_outside"):
        ratings.submit(assignment=assignment, grade=grade, reason="echoing", by=annotator)
    assignment.refresh_from_db()
    assert assignment.state == AssignmentState.HELD
    assert not Rating.objects.exists()


@pytest.mark.parametrize(
    ("grade", "reason", "code"),
    [
        (5, "", "reason_missing"),
        (5, "echoing", "reason_wrong"),
        (5, "no such reason", "reason_wrong"),
        (4, "echoing", "reason_wrong"),
    ],
)
def test_a_reason_that_is_missing_or_does_not_explain_the_grade_is_refused(project, annotator, grade, reason, code):
    assignment = claim(project, annotator)[0]
    with refused(code):
        ratings.submit(assignment=assignment, grade=grade, reason=reason, by=annotator)
    assert not Rating.objects.exists()


def test_nobody_grades_on_the_assignment_of_another(project, annotator, partner):
    assignment = claim(project, annotator)[0]
    with refused("not_yours"):
        ratings.submit(assignment=assignment, grade=3, reason="versatile", by=partner)
    assert not Rating.objects.exists()


# ---- too late -------------------------------------------------------------------------------------------------------
def test_a_late_grade_is_taken_while_the_slot_is_free(project, annotator, pairs):
    assignment = claim(project, annotator)[0]
    expire_all()
    rating = factories.grade(assignment, 5)
    assignment.refresh_from_db()
    assert rating.assignment == assignment
    assert assignment.state == AssignmentState.SUBMITTED
    assert Slot.objects.get(pk=assignment.slot_id).free == 1
    assert history(assignment)[-1] == ("expired", "submitted")


def test_a_late_grade_takes_the_slot_number_that_is_left(project, annotator, partner):
    [late], [other] = claim(project, annotator), claim(project, partner)
    expire_all()
    factories.grade(other)
    factories.grade(late)
    assert {Assignment.objects.get(pk=assignment.pk).slot_number for assignment in (late, other)} == {1, 2}


def test_a_late_grade_is_refused_and_kept_as_a_draft_once_the_slot_is_full(project, annotator, partner, newcomer):
    late = claim(project, annotator)[0]
    expire_all()
    for person in (partner, newcomer):
        factories.grade_next(project, person, *[3] * 8)
    with refused("slot_taken"):
        factories.grade(late, 5)
    late.refresh_from_db()
    assert late.draft == {"grade": 5, "reason": "informative"}
    assert late.state == AssignmentState.EXPIRED
    assert counting(late.slot.item) == [3, 3]


def test_a_grade_can_take_the_next_pairs_along(project, annotator):
    [first] = claim(project, annotator)
    rating, held = ratings.submit_and_claim(assignment=first, grade=4, most=3, by=annotator)
    assert (rating.assignment, counting(first.slot.item)) == (first, [4])
    assert held == claim(project, annotator, count=3)
    assert [history(assignment) for assignment in held] == [[("", "held")]] * 3


def test_a_late_grade_takes_no_pair_along_and_is_kept_as_a_draft(project, annotator, partner, newcomer):
    late = claim(project, annotator)[0]
    expire_all()
    for person in (partner, newcomer):
        factories.grade_next(project, person, *[3] * 8)
    with refused("slot_taken"):
        ratings.submit_and_claim(assignment=late, grade=5, reason="informative", most=1, by=annotator)
    late.refresh_from_db()
    assert late.draft == {"grade": 5, "reason": "informative"}


def test_a_grade_that_is_refused_takes_no_pair_along(project, annotator):
    [assignment] = claim(project, annotator)
    with refused("grade_outside"):
        ratings.submit_and_claim(assignment=assignment, grade=9, most=3, by=annotator)
    assert Assignment.objects.get(person=annotator) == assignment


def test_the_newer_assignment_of_the_same_person_takes_a_grade_from_the_old_page(project, annotator):
    factories.grade_next(project, annotator, *[3] * 7)
    old = claim(project, annotator)[0]
    expire_all()
    new = claim(project, annotator)[0]
    assert (new.slot, new.pk != old.pk) == (old.slot, True)
    assert factories.grade(old, 5).assignment == new
    old.refresh_from_db()
    assert old.state == AssignmentState.EXPIRED


def test_a_grade_from_an_old_page_is_refused_when_the_pair_was_skipped_since(project, annotator):
    factories.grade_next(project, annotator, *[3] * 7)
    old = claim(project, annotator)[0]
    expire_all()
    new = claim(project, annotator)[0]
    ratings.skip(assignment=new, reason="other", by=annotator)
    with refused("skipped"):
        factories.grade(old, 5)
    assert Assignment.objects.get(pk=new.pk).draft == {"grade": 5, "reason": "informative"}
    assert Rating.objects.count() == 7


# ---- settling -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("grades", "becomes"),
    [((3, 3), ItemState.KEPT), ((3, 4), ItemState.KEPT), ((2, 4), ItemState.REMOVED), ((1, 5), ItemState.REMOVED)],
)
def test_two_grades_settle_a_pair_by_their_gap(project, annotator, partner, pairs, grades, becomes):
    first, second = grades
    factories.grade_next(project, annotator, first)
    assert state(pairs[0]) == ItemState.OPEN
    factories.grade_next(project, partner, second)
    assert state(pairs[0]) == becomes
    assert history(pairs[0]) == [("open", becomes)]


def test_practice_pilot_and_gold_are_graded_like_work_but_never_counted(project, annotator, pairs):
    for item, purpose in zip(pairs, (Purpose.PRACTICE, Purpose.GOLD, Purpose.PILOT), strict=False):
        Item.objects.filter(pk=item.pk).update(purpose=purpose)
    factories.grade_next(project, annotator, 3, 3, 3, 5)
    assert list(Rating.objects.counting().values_list("grade", flat=True)) == [5]


def test_the_database_refuses_two_grades_in_force_on_one_assignment(project, annotator):
    [assignment] = factories.grade_next(project, annotator, 3)
    with pytest.raises(IntegrityError), transaction.atomic():
        Rating.objects.create(assignment=assignment, grade=5)
