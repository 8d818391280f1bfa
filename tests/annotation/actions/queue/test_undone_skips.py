"""Skips that are taken back: while the slot is free, within a day, by the one who would be given the item anyway."""

from datetime import timedelta

import pytest
from django.db.models import Count, F, Q
from django.utils import timezone

from annotation.actions.cleaning import cleaning
from annotation.actions.queue import assignments, skips, voiding
from annotation.actions.rating import ratings
from annotation.actions.rewriting import rewrites
from annotation.domain.workflow import AnnotatorState, AssignmentState
from annotation.models import Assignment, Cursor, Project, Queue, Slot, Step
from annotation.models.work import TAKEN
from annotation.selectors.skips import undoable_skips
from core.actions.refusals import Refused
from core.models import User
from tests import dialogues, factories
from tests.annotation.actions.queue.assigned_work import claim, expire_all, history, refused
from tests.threads import at_once

LONG_AGO = timezone.now() - timedelta(days=365)


@pytest.fixture(autouse=True)
def pairs(project: Project) -> None:
    factories.pairs(project, 3)


def skipped(project: Project, by: User) -> Assignment:
    assignment = claim(project, by)[0]
    ratings.skip(assignment=assignment, reason="other", by=by)
    return assignment


def free(assignment: Assignment) -> int:
    return Slot.objects.get(pk=assignment.slot_id).free


def test_a_skip_taken_back_is_held_again_and_can_be_graded(project, annotator):
    assignment = skipped(project, annotator)
    again = skips.undo_skip(assignment=assignment, by=annotator)
    assert (again.pk, again.state, again.reason, again.ended_at) == (assignment.pk, "held", "", None)
    assert again.lease_until > timezone.now()
    assert free(assignment) == 1
    assert history(assignment) == [("", "held"), ("held", "skipped"), ("skipped", "held")]
    assert claim(project, annotator, count=3)[0] == assignment, "it comes first again"
    assert factories.grade(assignment, 4).assignment == assignment


def test_undoing_twice_changes_nothing_and_skipping_again_is_free(project, annotator):
    assignment = skipped(project, annotator)
    for _time in range(2):
        skips.undo_skip(assignment=assignment, by=annotator)
    ratings.skip(assignment=assignment, reason="cut_off", by=annotator)
    assert Assignment.objects.get(pk=assignment.pk).reason == "cut_off"
    assert free(assignment) == 2


def test_a_skip_after_the_lease_has_ended_can_be_taken_back_too(project, annotator):
    assignment = claim(project, annotator)[0]
    expire_all()
    ratings.skip(assignment=assignment, reason="other", by=annotator)
    skips.undo_skip(assignment=assignment, by=annotator)
    assert (Assignment.objects.get(pk=assignment.pk).state, free(assignment)) == (AssignmentState.HELD, 1)


def test_a_pair_that_others_have_taken_is_theirs(project, annotator, partner, newcomer):
    assignment = skipped(project, annotator)
    assert list(undoable_skips(project, Step.RATE, annotator)) == [assignment]
    for other in (partner, newcomer):
        claim(project, other, count=3)
    assert list(undoable_skips(project, Step.RATE, annotator)) == []
    with refused("slot_taken"):
        skips.undo_skip(assignment=assignment, by=annotator)
    assert Assignment.objects.get(pk=assignment.pk).state == AssignmentState.SKIPPED


def test_a_skip_can_be_taken_back_for_a_day(project, annotator):
    assignment = skipped(project, annotator)
    now = timezone.now()
    Assignment.objects.filter(pk=assignment.pk).update(ended_at=now - timedelta(hours=23))
    assert list(undoable_skips(project, Step.RATE, annotator)) == [assignment]
    Assignment.objects.filter(pk=assignment.pk).update(ended_at=now - timedelta(hours=25))
    assert list(undoable_skips(project, Step.RATE, annotator)) == []
    with refused("not_skipped"):
        skips.undo_skip(assignment=assignment, by=annotator)


def test_only_ones_own_skip_is_taken_back_and_graded_or_voided_work_is_none(project, annotator, partner, researcher):
    with refused("not_yours"):
        skips.undo_skip(assignment=skipped(project, annotator), by=partner)
    [graded] = factories.grade_next(project, annotator, 3)
    with refused("not_skipped"):
        skips.undo_skip(assignment=graded, by=annotator)
    voiding.void_work(project=project, person=annotator, since=LONG_AGO, why="tired", by=researcher)
    with refused("not_skipped"):
        skips.undo_skip(assignment=graded, by=annotator)


def test_a_pair_that_cleaning_removed_does_not_come_back(project, annotator):
    assignment = skipped(project, annotator)
    cleaning.remove([assignment.slot.item], project=project, by=None)
    with refused("moved_on"):
        skips.undo_skip(assignment=assignment, by=annotator)


def test_who_is_paused_takes_no_skip_back(project, annotator):
    assignment = skipped(project, annotator)
    Cursor.objects.filter(person=annotator).update(state=AnnotatorState.PAUSED)
    with refused("moved_on"):
        skips.undo_skip(assignment=assignment, by=annotator)


def test_who_decided_about_the_pair_meanwhile_does_not_grade_it(project, annotator):
    assignment = skipped(project, annotator)
    queue = Queue.objects.create(project=project, step=Step.ADJUDICATE)
    slot = Slot.objects.create(queue=queue, item=assignment.slot.item, required=1, free=0, position=1)
    Assignment.objects.create(slot=slot, slot_number=1, person=annotator, lease_until=timezone.now())
    with refused("moved_on"):
        skips.undo_skip(assignment=assignment, by=annotator)


# ---- texts ----------------------------------------------------------------------------------------------------------
def test_what_was_written_comes_back_with_the_item(researcher):
    dream = dialogues.rewriting_project(researcher)
    author = factories.person("author", project=dream)
    dialogues.items(dream, 1)
    rewrite = dialogues.take_writing(dream, author)
    rewrites.save(rewrite=rewrite, cut=3, candidates=["Four", "finished", "texts", "are here"], revision=0, by=author)
    rewrites.skip(rewrite=rewrite, reason="other", by=author)
    skips.undo_skip(assignment=rewrite.assignment, by=author)
    again = dialogues.take_writing(dream, author)
    assert (again.pk, again.cut, again.candidates) == (rewrite.pk, 3, ["Four", "finished", "texts", "are here"])


# ---- at once --------------------------------------------------------------------------------------------------------
@pytest.mark.django_db(transaction=True)
def test_skips_taken_back_while_others_claim_never_exceed_the_cap(project):
    people = [factories.person(f"p{number}", project=project) for number in range(5)]
    taken_back: list[Assignment] = []

    def skip_and_undo(by: User) -> None:
        for assignment in claim(project, by, count=3):
            ratings.skip(assignment=assignment, reason="other", by=by)
            try:
                taken_back.append(skips.undo_skip(assignment=assignment, by=by))
            except Refused as refusal:
                assert refusal.code == "slot_taken"

    at_once([lambda by=by: skip_and_undo(by) for by in people])
    taken = Count("assignments", filter=Q(assignments__state__in=TAKEN))
    slots = Slot.objects.filter(queue__project=project, queue__step=Step.RATE).annotate(taken=taken)
    assert [slot.free for slot in slots] == [slot.required - slot.taken for slot in slots]
    assert not slots.filter(taken__gt=F("required")).exists()
    assert all(Assignment.objects.get(pk=each.pk).state == AssignmentState.HELD for each in taken_back)


@pytest.mark.django_db(transaction=True)
def test_of_a_skip_taken_back_and_a_claim_at_once_one_gets_the_item(researcher):
    dream = dialogues.rewriting_project(researcher)
    first, second = (factories.person(name, project=dream) for name in ("first", "second"))
    dialogues.items(dream, 1)
    rewrite = dialogues.take_writing(dream, first)
    rewrites.skip(rewrite=rewrite, reason="other", by=first)
    got: list[User] = []

    def undo() -> None:
        try:
            got.append(skips.undo_skip(assignment=rewrite.assignment, by=first).person)
        except Refused as refusal:
            assert refusal.code == "slot_taken"

    def take() -> None:
        if assignments.claim(project=dream, step=Step.WRITE, by=second):
            got.append(second)

    at_once([undo, take])
    held = Assignment.objects.filter(state=AssignmentState.HELD)
    assert [each.person for each in held] == got
    assert len(got) == 1
