"""Later changes: grades changed for a while, pairs left to others, work voided."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from annotation.actions.projects import projects
from annotation.actions.queue import voiding
from annotation.actions.rating import ratings
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, Item, Project, Queue, Rating, Slot, Step
from annotation.models.work import CHANGEABLE
from core.models import Event
from tests import factories
from tests.annotation.actions.queue.assigned_work import claim, counting, expire_all, history, refused, state

LONG_AGO = timezone.now() - timedelta(days=365)


@pytest.fixture(autouse=True)
def pairs(project: Project) -> list[Item]:
    return factories.pairs(project, 8)


# ---- changing -------------------------------------------------------------------------------------------------------
def test_a_changed_grade_replaces_the_old_one_which_stays_as_history(project, annotator):
    [assignment] = factories.grade_next(project, annotator, 3)
    ratings.change(assignment=assignment, grade=5, reason="interesting", by=annotator)
    old, new = assignment.ratings.order_by("pk")
    assert (old.grade, new.grade, new.reason) == (3, 5, "interesting")
    assert old.replaced_at is not None
    assert new.replaced_at is None
    assert history(assignment)[-1] == ("submitted", "grade changed")


def test_a_changed_grade_settles_the_pair_anew(project, annotator, partner, pairs):
    [assignment] = factories.grade_next(project, annotator, 3)
    factories.grade_next(project, partner, 3)
    ratings.change(assignment=assignment, grade=5, reason="interesting", by=annotator)
    assert state(pairs[0]) == ItemState.REMOVED
    ratings.change(assignment=assignment, grade=4, by=annotator)
    assert state(pairs[0]) == ItemState.KEPT
    assert counting(pairs[0]) == [3, 4]


def test_a_change_sent_twice_is_stored_once(project, annotator):
    [assignment] = factories.grade_next(project, annotator, 3)
    key = uuid4()
    changed = [ratings.change(assignment=assignment, grade=4, key=key, by=annotator) for _time in range(2)]
    assert changed[0] == changed[1]
    assert assignment.ratings.count() == 2


def test_only_the_last_five_grades_can_be_changed(project, annotator):
    first, *last = factories.grade_next(project, annotator, *[3] * (CHANGEABLE + 1))
    with refused("too_late_to_change"):
        ratings.change(assignment=first, grade=4, by=annotator)
    for assignment in last:
        ratings.change(assignment=assignment, grade=4, by=annotator)
    assert sorted(Rating.objects.filter(replaced_at=None).values_list("grade", flat=True)) == [3, 4, 4, 4, 4, 4]


def test_the_grades_of_others_do_not_push_ones_own_out_of_the_last_five(project, annotator, partner):
    [assignment] = factories.grade_next(project, annotator, 3)
    factories.grade_next(project, partner, *[3] * (CHANGEABLE + 1))
    assert ratings.change(assignment=assignment, grade=4, by=annotator).grade == 4


@pytest.mark.parametrize(("grade", "reason", "code"), [(9, "", "grade_outside"), (4, "echoing", "reason_wrong")])
def test_a_wrong_change_is_refused_and_the_grade_stays(project, annotator, grade, reason, code):
    [assignment] = factories.grade_next(project, annotator, 3)
    with refused(code):
        ratings.change(assignment=assignment, grade=grade, reason=reason, by=annotator)
    assert list(assignment.ratings.filter(replaced_at=None).values_list("grade", flat=True)) == [3]


def test_nobody_changes_the_grade_of_another_or_one_not_given(project, annotator, partner):
    [assignment] = factories.grade_next(project, annotator, 3)
    with refused("not_yours"):
        ratings.change(assignment=assignment, grade=4, by=partner)
    with refused("too_late_to_change"):
        ratings.change(assignment=claim(project, annotator)[0], grade=4, by=annotator)
    assert list(Rating.objects.values_list("grade", flat=True)) == [3]


# ---- skipping -------------------------------------------------------------------------------------------------------
def test_a_skip_opens_the_slot_to_others_and_keeps_its_reason(project, annotator):
    assignment = claim(project, annotator)[0]
    ratings.skip(assignment=assignment, reason="not_chinese", by=annotator)
    assignment.refresh_from_db()
    assert (assignment.state, assignment.reason) == (AssignmentState.SKIPPED, "not_chinese")
    assert Slot.objects.get(pk=assignment.slot_id).free == 2
    event = Event.objects.filter(subject="assignment", subject_id=assignment.pk).last()
    assert (event.was, event.became, event.why, event.by) == ("held", "skipped", "not_chinese", annotator)


def test_a_skip_needs_one_of_the_reasons_and_the_assignment_of_ones_own(project, annotator, partner):
    assignment = claim(project, annotator)[0]
    with refused("reason_wrong"):
        ratings.skip(assignment=assignment, reason="too long", by=annotator)
    with refused("not_yours"):
        ratings.skip(assignment=assignment, reason="other", by=partner)
    assert Assignment.objects.get(pk=assignment.pk).state == AssignmentState.HELD


def test_skipping_twice_changes_nothing_and_a_graded_pair_is_not_skipped(project, annotator):
    assignment = claim(project, annotator)[0]
    for _time in range(2):
        ratings.skip(assignment=assignment, reason="other", by=annotator)
    assert history(assignment) == [("", "held"), ("held", "skipped")]
    [graded] = factories.grade_next(project, annotator, 3)
    with refused("already_rated"):
        ratings.skip(assignment=graded, reason="other", by=annotator)
    assert Assignment.objects.get(pk=graded.pk).state == AssignmentState.SUBMITTED


def test_a_late_skip_bars_the_person_and_takes_no_room(project, annotator):
    assignment = claim(project, annotator)[0]
    expire_all()
    tail = Queue.objects.get(project=project, step=Step.RATE).tail
    ratings.skip(assignment=assignment, reason="other", by=annotator)
    assert Assignment.objects.get(pk=assignment.pk).state == AssignmentState.SKIPPED
    assert Slot.objects.get(pk=assignment.slot_id).free == 2
    assert Queue.objects.get(project=project, step=Step.RATE).tail == tail
    given = claim(project, annotator, count=10)
    assert assignment.slot_id not in {other.slot_id for other in given}


# ---- voiding --------------------------------------------------------------------------------------------------------
def test_voided_work_reopens_its_pairs_and_counts_no_more(project, annotator, partner, newcomer, researcher, pairs):
    factories.grade_next(project, annotator, 5, 5)
    factories.grade_next(project, partner, 1, 5)
    voided = voiding.void_work(project=project, person=annotator, since=LONG_AGO, why="clicked through", by=researcher)
    assert voided == 2
    assert [state(item) for item in pairs[:2]] == [ItemState.OPEN, ItemState.OPEN]
    assert [counting(item) for item in pairs[:2]] == [[1], [5]]
    assert Rating.objects.filter(assignment__person=annotator).count() == 2
    factories.grade_next(project, newcomer, *[1] * 8)
    assert [counting(item) for item in pairs[:2]] == [[1, 1], [1, 5]]


def test_however_much_is_voided_all_of_it_is(project, annotator, partner, researcher, pairs, monkeypatch):
    monkeypatch.setattr(voiding, "AT_ONCE", 3)
    factories.grade_next(project, annotator, *[3] * 8)
    factories.grade_next(project, partner, *[3] * 8)
    assert voiding.void_work(project=project, person=annotator, since=LONG_AGO, why="tired", by=researcher) == 8
    assert {state(item) for item in pairs} == {ItemState.OPEN}
    assert sorted(Slot.objects.values_list("position", "free")) == [(position, 1) for position in range(9, 17)]


def test_voided_work_keeps_when_it_was_done(project, annotator, researcher):
    [assignment] = factories.grade_next(project, annotator, 3)
    done = Assignment.objects.get(pk=assignment.pk).ended_at
    voiding.void_work(project=project, person=annotator, since=LONG_AGO, why="tired", by=researcher)
    assert Assignment.objects.get(pk=assignment.pk).ended_at == done


def test_voiding_is_logged_with_its_reason(project, annotator, partner, researcher, pairs):
    [assignment] = factories.grade_next(project, annotator, 3)
    factories.grade_next(project, partner, 3)
    voiding.void_work(project=project, person=annotator, since=LONG_AGO, why="clicked through", by=researcher)
    event = Event.objects.get(subject="assignment", subject_id=assignment.pk, became="voided")
    assert (event.was, event.why, event.by) == ("submitted", "clicked through", researcher)
    assert history(pairs[0]) == [("open", "kept"), ("kept", "open")]


def test_the_person_whose_work_was_voided_is_not_asked_again(project, annotator, researcher):
    factories.grade_next(project, annotator, *[3] * 8)
    voiding.void_work(project=project, person=annotator, since=LONG_AGO, why="clicked through", by=researcher)
    assert claim(project, annotator) == []


def test_only_the_persons_own_work_since_then_in_this_project_is_voided(project, annotator, partner, researcher):
    other = projects.create(slug="other", kind="rating", by=researcher)
    factories.pairs(other, 1)
    factories.grade_next(other, annotator, 3)
    _early, late = factories.grade_next(project, annotator, 3, 3)
    factories.grade_next(project, partner, 3, 3)
    since = Assignment.objects.get(pk=late.pk).ended_at
    assert voiding.void_work(project=project, person=annotator, since=since, why="tired", by=researcher) == 1
    assert list(Assignment.objects.filter(state=AssignmentState.VOIDED)) == [late]


def test_voiding_needs_a_reason_and_twice_is_once(project, annotator, researcher):
    factories.grade_next(project, annotator, 3)
    with refused("why_missing"):
        voiding.void_work(project=project, person=annotator, since=LONG_AGO, why="  ", by=researcher)
    given = {"project": project, "person": annotator, "since": LONG_AGO, "why": "tired", "by": researcher}
    assert [voiding.void_work(**given), voiding.void_work(**given)] == [1, 0]


def test_a_reason_that_the_audit_log_cannot_hold_in_full_voids_nothing(project, annotator, researcher):
    factories.grade_next(project, annotator, 3)
    with refused("why_too_long"):
        voiding.void_work(project=project, person=annotator, since=LONG_AGO, why="x" * 501, by=researcher)
    assert Rating.objects.counting().count() == 1
    voiding.void_work(project=project, person=annotator, since=LONG_AGO, why="x" * 500, by=researcher)
    assert Event.objects.get(became="voided").why == "x" * 500


def test_a_voided_grade_sent_again_is_neither_doubled_nor_revived(project, annotator, researcher):
    assignment, key = claim(project, annotator)[0], uuid4()
    rating = factories.grade(assignment, 4, key=key)
    voiding.void_work(project=project, person=annotator, since=LONG_AGO, why="tired", by=researcher)
    assert factories.grade(assignment, 4, key=key) == rating
    with refused("already_rated"):
        factories.grade(assignment, 5, key=uuid4())
    assert not Rating.objects.counting().exists()
