"""Assignments: claimed, renewed, ended, and claimed again."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.actions.projects import projects
from annotation.actions.queue import assignments
from annotation.actions.queue.ahead import claim_ahead
from annotation.actions.rating import ratings
from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment, Cursor, Project, Queue, Slot, Step
from core.models import Event, User
from tests import factories
from tests.annotation.actions.queue.assigned_work import claim, expire_all, history

LATER = timedelta(hours=1)  # beyond any lease


def items(claimed: list[Assignment]) -> list[int]:
    return [assignment.slot.item_id for assignment in claimed]


def expire(*claimed: Assignment) -> None:
    """Let the leases of these assignments, and of no others, expire."""
    Assignment.objects.filter(pk__in=[assignment.pk for assignment in claimed]).update(
        lease_until=timezone.now() - timedelta(seconds=1)
    )
    assignments.expire_assignments()


def test_a_person_is_given_the_first_slot_with_its_lowest_slot_number(project, annotator):
    first, *_rest = factories.pairs(project, 3)
    [assignment] = claim(project, annotator)
    assert (assignment.slot.item, assignment.slot_number, assignment.state) == (first, 1, AssignmentState.HELD)
    assert Slot.objects.get(item=first).free == 1
    assert history(assignment) == [("", "held")]
    assert Event.objects.get(subject="assignment", subject_id=assignment.pk).by == annotator


def test_an_assignment_is_lent_for_the_minutes_of_the_projects_settings(project, annotator):
    factories.pairs(project, 1)
    before = timezone.now()
    [assignment] = claim(project, annotator)
    lent = timedelta(minutes=project.rating.lease_minutes)
    assert before + lent <= assignment.lease_until <= timezone.now() + lent


def test_two_people_share_a_slot_on_different_required_and_a_third_gets_the_next(project, annotator, partner, newcomer):
    first, second = factories.pairs(project, 2)
    [one], [two], [three] = claim(project, annotator), claim(project, partner), claim(project, newcomer)
    assert items([one, two, three]) == [first.pk, first.pk, second.pk]
    assert [one.slot_number, two.slot_number] == [1, 2]


def test_opened_but_not_graded_pairs_hold_their_slots(project):
    """Let six people open the work before any of them grades: with two assignments a pair each pair goes to two of
    them.
    """
    factories.pairs(project, 3)
    people = [factories.person(f"opener{number}", project=project) for number in range(6)]
    given = [items(claim(project, person))[0] for person in people]
    assert sorted(given.count(item) for item in set(given)) == [2, 2, 2]


def ahead(project: Project, person: User, most: int = 6) -> list[Assignment]:
    return claim_ahead(project=project, step=Step.RATE, most=most, by=person)


def test_a_page_is_given_ahead_an_equal_share_of_what_is_open(project, annotator, partner, newcomer):
    factories.pairs(project, 4)  # eight places: a third of 8, of 5 and of 3
    assert [len(ahead(project, person)) for person in (annotator, partner, newcomer)] == [3, 2, 1]
    factories.pairs(project, 4)  # a third of 10, of 9 and of 8
    assert [len(ahead(project, person)) for person in (annotator, partner, newcomer)] == [4, 3, 3]


def test_one_annotator_alone_is_given_all_ahead(project, annotator):
    factories.pairs(project, 6)
    assert len(ahead(project, annotator)) == 6


def test_what_a_person_holds_beyond_their_share_stays_theirs(project, annotator):
    factories.pairs(project, 3)
    held = claim(project, annotator, count=3)
    factories.person("late", project=project)
    assert ahead(project, annotator) == held


def test_the_last_slots_go_to_as_many_people_as_there_are(project):
    factories.pairs(project, 6)
    people = [factories.person(f"p{number}", project=project) for number in range(32)]
    assert [len(ahead(project, person)) for person in people] == [1] * 12 + [0] * 20


def test_all_that_is_open_is_graded_however_few_come(project, annotator):
    """Let two of ten annotators rate until nothing is given to them."""
    others = [factories.person(f"p{number}", project=project) for number in range(9)]
    factories.pairs(project, 7)
    for person in (annotator, others[0]):
        while held := ahead(project, person):
            ratings.submit_and_claim(assignment=held[0], grade=4, most=6, by=person)
    assert not Slot.objects.filter(queue__step=Step.RATE, free__gt=0).exists()


def test_asking_again_gives_the_same_assignments_and_tops_them_up(project, annotator):
    factories.pairs(project, 5)
    first = claim(project, annotator, count=2)
    again = claim(project, annotator, count=3)
    assert again[:2] == first
    assert len(set(items(again))) == 3
    assert Assignment.objects.count() == 3


def test_asking_for_fewer_than_one_holds_takes_nothing_away(project, annotator):
    factories.pairs(project, 5)
    held = claim(project, annotator, count=3)
    assert claim(project, annotator, count=1) == held


def test_asking_again_renews_the_lease(project, annotator):
    factories.pairs(project, 1)
    [assignment] = claim(project, annotator)
    Assignment.objects.update(lease_until=timezone.now() + timedelta(seconds=1))
    [renewed] = claim(project, annotator)
    assignment.refresh_from_db()
    assert assignment.lease_until == renewed.lease_until > timezone.now() + timedelta(minutes=29)
    assert assignments.expire_assignments(now=timezone.now() + timedelta(minutes=29)) == 0


def test_a_lease_that_is_over_opens_its_slot_at_the_tail(project, annotator):
    factories.pairs(project, 3)
    [assignment] = claim(project, annotator)
    assert expire_all() == 1
    assignment.refresh_from_db()
    slot = Slot.objects.get(pk=assignment.slot_id)
    queue = Queue.objects.get(project=project, step=Step.RATE)
    assert assignment.state == AssignmentState.EXPIRED
    assert assignment.ended_at is not None
    assert (slot.free, slot.position) == (2, queue.tail) == (2, 4)
    assert history(assignment)[-1] == ("held", "expired")
    assert Event.objects.filter(subject="assignment", became="expired").get().by is None


def test_expiring_twice_changes_nothing(project, annotator):
    factories.pairs(project, 1)
    claim(project, annotator)
    assert expire_all() == 1
    tail = Queue.objects.get(project=project, step=Step.RATE).tail
    assert expire_all() == 0
    assert Queue.objects.get(project=project, step=Step.RATE).tail == tail


def test_only_leases_that_are_over_expire(project, annotator, partner):
    factories.pairs(project, 2)
    [mine], [theirs] = claim(project, annotator), claim(project, partner)
    expire(mine)
    assert Assignment.objects.get(pk=theirs.pk).state == AssignmentState.HELD


def test_a_lease_renewed_while_the_sweeper_waited_is_kept(project, annotator):
    factories.pairs(project, 1)
    [assignment] = claim(project, annotator)
    stale = Assignment.objects.get(pk=assignment.pk)
    stale.lease_until = timezone.now() - LATER  # what the sweeper read before the person came back
    assert not assignments._expire(stale, timezone.now())
    assert Assignment.objects.get(pk=assignment.pk).state == AssignmentState.HELD


def test_an_expiry_does_not_bar_the_person(project, annotator):
    [item] = factories.pairs(project, 1)
    [first] = claim(project, annotator)
    expire(first)
    [second] = claim(project, annotator)
    assert second.slot.item == item
    assert second.pk != first.pk
    assert second.slot_number == 1


def test_a_skip_bars_the_person_and_nobody_else(project, annotator, partner):
    [item] = factories.pairs(project, 1)
    [assignment] = claim(project, annotator)
    ratings.skip(assignment=assignment, reason="cut_off", by=annotator)
    assert claim(project, annotator) == []
    assert items(claim(project, partner)) == [item.pk]


def test_a_second_pass_finds_what_others_held(project, annotator, partner, newcomer):
    first, second = factories.pairs(project, 2)
    held = claim(project, annotator) + claim(project, partner)
    [assignment] = claim(project, newcomer)
    assert assignment.slot.item == second
    factories.grade(assignment)
    assert claim(project, newcomer) == []
    expire(*held)
    assert items(claim(project, newcomer)) == [first.pk]


def test_an_annotator_alone_who_has_done_everything_gets_nothing(project, annotator):
    factories.pairs(project, 4)
    factories.grade_next(project, annotator, 3, 3, 3, 3)
    assert claim(project, annotator, count=5) == []
    assert Cursor.objects.get(person=annotator).position == Queue.objects.get(project=project, step=Step.RATE).tail


def test_a_finished_annotator_finds_pairs_that_are_added_later(project, annotator):
    factories.pairs(project, 1)
    factories.grade_next(project, annotator, 3)
    assert claim(project, annotator) == []
    [added] = factories.pairs(project, 1)
    assert items(claim(project, annotator)) == [added.pk]


def test_the_cursor_of_one_person_moves_no_other(project, annotator, partner):
    factories.pairs(project, 3)
    factories.grade_next(project, annotator, 3, 3, 3)
    claim(project, annotator)
    assert [assignment.slot.position for assignment in claim(project, partner, count=3)] == [1, 2, 3]


def test_no_slot_is_ever_lost_to_a_cursor(project, annotator, partner, newcomer):
    """Hold everything, let it expire, let others hold it and expire again: in the end all of it can still be done."""
    wanted = {item.pk for item in factories.pairs(project, 6)}
    for person in (annotator, partner, newcomer):
        claim(project, person, count=4)
    for person in (newcomer, annotator, partner):
        expire_all()
        claim(project, person, count=2)
    expire_all()
    for person in (annotator, partner):
        assert set(items(claim(project, person, count=10))) == wanted


def test_work_of_one_project_is_never_handed_out_in_another(project, annotator, researcher):
    other = projects.create(slug="other", kind="rating", by=researcher)
    factories.pairs(other, 2)
    mine = factories.pairs(project, 1)
    assert items(claim(project, annotator, count=5)) == [mine[0].pk]
    assert len(claim(other, annotator, count=5)) == 2
    assert claim(project, annotator) == list(Assignment.objects.filter(slot__queue__project=project))


def test_giving_up_an_assignment_twice_changes_nothing(project, annotator):
    factories.pairs(project, 1)
    [assignment] = claim(project, annotator)
    assert assignments.give_up(assignment=assignment, becomes=AssignmentState.RETURNED, by=annotator) == assignment
    events = Event.objects.count()
    assert assignments.give_up(assignment=assignment, becomes=AssignmentState.RETURNED, by=annotator) is None
    assert Event.objects.count() == events
    assert Slot.objects.get().free == 2


def test_a_submitted_assignment_can_only_be_voided(project, annotator):
    factories.pairs(project, 1)
    [assignment] = factories.grade_next(project, annotator, 3)
    for becomes in (AssignmentState.EXPIRED, AssignmentState.RETURNED, AssignmentState.SKIPPED):
        assert assignments.give_up(assignment=assignment, becomes=becomes, by=None) is None
    assert Assignment.objects.get(pk=assignment.pk).state == AssignmentState.SUBMITTED


@pytest.mark.parametrize(
    "state", [AssignmentState.HELD, AssignmentState.SUBMITTED, AssignmentState.SKIPPED, AssignmentState.VOIDED]
)
def test_the_database_refuses_a_second_assignment_of_one_person(project, annotator, state):
    factories.pairs(project, 1)
    [assignment] = claim(project, annotator)
    Assignment.objects.update(state=state)
    with pytest.raises(IntegrityError), transaction.atomic():
        Assignment.objects.create(slot=assignment.slot, slot_number=2, person=annotator, lease_until=timezone.now())


@pytest.mark.parametrize("state", [AssignmentState.HELD, AssignmentState.SUBMITTED])
def test_the_database_refuses_two_people_on_one_slot_number(project, annotator, partner, state):
    factories.pairs(project, 1)
    [assignment] = claim(project, annotator)
    Assignment.objects.update(state=state)
    with pytest.raises(IntegrityError), transaction.atomic():
        Assignment.objects.create(slot=assignment.slot, slot_number=1, person=partner, lease_until=timezone.now())


@pytest.mark.parametrize("free", [-1, 3])
def test_the_database_refuses_room_below_none_and_above_the_required(project, free):
    factories.pairs(project, 1)
    with pytest.raises(IntegrityError), transaction.atomic():
        Slot.objects.update(free=free)


def test_holding_and_grading_ask_as_many_questions_on_the_last_pair_as_on_an_early_one(project, annotator):
    factories.pairs(project, 30)
    asked = []
    for _turn in range(30):
        with CaptureQueriesContext(connection) as queries:
            factories.grade_next(project, annotator, 3)
        asked.append(len(queries))
    assert asked[29] == asked[1]
