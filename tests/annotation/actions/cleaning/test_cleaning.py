"""Decisions about marked pairs: what is removed, for which people, and how it is restored."""

from uuid import uuid4

import pytest

from annotation.actions.cleaning import cleaning
from annotation.actions.projects import projects
from annotation.actions.queue import assignments, voiding
from annotation.actions.rating import ratings
from annotation.actions.releases import releases
from annotation.domain.cleaning.cleaning import CleaningVerdict
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, CleaningDecision, Item, Rating, Slot, Step
from annotation.selectors.cleaning.cleaning import waiting_in
from annotation.selectors.projects.progress import funnel_of, progress_of
from annotation.selectors.rating.grades import grades_in_force
from core.actions.refusals import Refused
from core.models import Event
from tests.cleaning import MARKED, WEATHER, decide, marked_pairs, take, take_pair
from tests.factories import grade, no_progress
from tests.factories import take as take_to_rate

pytestmark = pytest.mark.django_db

CONTACT = "加我微信 lin_2024x 一起去。"
RAIN, FINE, WINDOW = "我这边在下雨。", "挺好的，出去走走。", "你自己看窗外。"


@pytest.fixture
def pairs(project):
    return marked_pairs(project)


def state_of(item):
    return Item.objects.get(pk=item.pk).state


def rate(project, item, *annotators_and_grades):
    """Let these people grade the pair, whatever else is open to them."""
    for annotator, given in annotators_and_grades:
        for assignment in take_to_rate(project, annotator, count=6):
            if assignment.slot.item_id == item.pk:
                grade(assignment, given)


def test_no_pair_is_in_two_peoples_hands(project, pairs, annotator, partner, inspector):
    held = [
        assignment.slot.item_id
        for person in (annotator, partner, inspector)
        for assignment in take(project, person, count=2)
    ]
    assert len(held) == len(set(held)) == MARKED


def test_keeping_a_pair_leaves_it_to_the_annotators(project, pairs, annotator):
    decide(project, annotator, pairs[CONTACT], CleaningVerdict.KEEP)
    assert state_of(pairs[CONTACT]) == ItemState.OPEN
    assert waiting_in(project) == MARKED - 1


def test_a_sensitive_pair_goes_alone(project, pairs, annotator, partner):
    decision = decide(project, annotator, pairs[CONTACT], CleaningVerdict.SENSITIVE)
    assert decision.removed == 1
    assert [state_of(item) == ItemState.CLEANED for item in pairs.values()].count(True) == 1
    assert state_of(pairs[CONTACT]) == ItemState.CLEANED
    offered = {assignment.slot.item_id for assignment in take_to_rate(project, partner, count=10)}
    assert offered == {item.pk for item in pairs.values()} - {pairs[CONTACT].pk}


def test_a_knowledge_dependent_prompt_goes_with_all_its_responses(project, pairs, annotator, partner):
    held_by_another = take_pair(project, partner, pairs[WINDOW])
    decision = decide(project, annotator, pairs[RAIN], CleaningVerdict.KNOWLEDGE)
    assert decision.removed == 3
    assert {item.content["prompt"] for item in project.items.filter(state=ItemState.CLEANED)} == {WEATHER}
    assert project.items.filter(state=ItemState.CLEANED).count() == 3
    assert Assignment.objects.get(pk=held_by_another.pk).state == AssignmentState.RETURNED
    assert {assignment.slot.item_id for assignment in take(project, partner, count=6)} == {pairs[CONTACT].pk}


def test_assignments_that_annotators_hold_on_a_removed_pair_are_returned(project, pairs, annotator, partner):
    held = {assignment.slot.item_id: assignment for assignment in take_to_rate(project, partner, count=6)}
    decide(project, annotator, pairs[CONTACT], CleaningVerdict.SENSITIVE)
    assignment = held[pairs[CONTACT].pk]
    with pytest.raises(Refused) as refusal:
        ratings.submit(assignment=assignment, grade=4, by=partner)
    assert refusal.value.code == "cleaned"
    assert not Rating.objects.exists()
    assert Assignment.objects.filter(person=partner, state=AssignmentState.HELD).count() == 5
    assert Assignment.objects.get(pk=assignment.pk).draft == {"grade": 4, "reason": ""}


def test_grades_of_a_removed_pair_are_kept_and_count_nowhere(project, pairs, annotator, partner, inspector):
    rate(project, pairs[CONTACT], (annotator, 4), (partner, 5))
    assert state_of(pairs[CONTACT]) == ItemState.KEPT
    decision = decide(project, inspector, pairs[CONTACT], CleaningVerdict.SENSITIVE)
    assert Rating.objects.count() == 2
    assert grades_in_force(project).items() == 0
    progress = progress_of(project)
    assert (progress["pairs"], progress["cleaned"], progress["kept"], progress["grades"]) == (5, 1, 0, 0)
    cleaning.undo(decision=decision, by=inspector)
    assert state_of(pairs[CONTACT]) == ItemState.KEPT
    assert grades_in_force(project).items() == 1


def test_the_funnel_names_what_cleaning_removed(project, pairs, annotator, partner):
    take_to_rate(project, partner, count=2)
    decide(project, annotator, pairs[RAIN], CleaningVerdict.KNOWLEDGE)
    funnel = funnel_of(project)
    assert (funnel.imported, funnel.stored, funnel.cleaned, funnel.pairs) == (6, 6, 3, 3)
    assert (funnel.untouched, funnel.begun) == (3, 0)


def test_a_grade_that_is_voided_opens_no_slot_on_a_removed_pair(project, pairs, annotator, partner, researcher):
    rate(project, pairs[CONTACT], (partner, 4))
    decide(project, annotator, pairs[CONTACT], CleaningVerdict.SENSITIVE)
    since = Rating.objects.get().created_at.replace(year=2000)
    voiding.void_work(project=project, person=partner, since=since, why="test", by=researcher)
    slot = Slot.objects.get(item=pairs[CONTACT], queue__step=Step.RATE)
    assert (slot.free, state_of(pairs[CONTACT])) == (0, ItemState.CLEANED)


def test_voiding_a_persons_grades_leaves_their_cleaning_alone(project, pairs, annotator, researcher):
    decision = decide(project, annotator, pairs[CONTACT], CleaningVerdict.SENSITIVE)
    since = decision.decided_at.replace(year=2000)
    assert voiding.void_work(project=project, person=annotator, since=since, why="test", by=researcher) == 0
    assert state_of(pairs[CONTACT]) == ItemState.CLEANED


def test_ones_own_decision_undone_is_in_ones_hands_again(project, pairs, annotator, partner):
    decision = decide(project, annotator, pairs[RAIN], CleaningVerdict.KNOWLEDGE)
    cleaning.undo(decision=decision, by=annotator)
    assert not project.items.filter(state=ItemState.CLEANED).exists()
    assert take(project, annotator)[0].slot.item_id == pairs[RAIN].pk
    again = cleaning.decide(assignment=decision.assignment, verdict=CleaningVerdict.KEEP, by=annotator)
    assert list(CleaningDecision.objects.in_force()) == [again]
    assert len(take_to_rate(project, partner, count=10)) == 6


def test_a_decision_that_somebody_else_undoes_is_open_to_all(project, pairs, annotator, partner, researcher):
    decision = decide(project, annotator, pairs[CONTACT], CleaningVerdict.SENSITIVE)
    cleaning.undo(decision=decision, by=researcher)
    cleaning.undo(decision=decision, by=researcher)  # twice changes nothing
    assert state_of(pairs[CONTACT]) == ItemState.OPEN
    assert waiting_in(project) == MARKED
    assert pairs[CONTACT].pk in {assignment.slot.item_id for assignment in take(project, partner, count=10)}
    events = Event.objects.filter(subject="cleaningdecision", became="undone")
    assert [(event.was, event.by) for event in events] == [("sensitive", researcher)]


def test_undoing_restores_nothing_that_another_decision_removes(project, pairs, annotator, partner, researcher):
    alone = decide(project, annotator, pairs[WINDOW], CleaningVerdict.SENSITIVE)
    whole = decide(project, partner, pairs[RAIN], CleaningVerdict.KNOWLEDGE)
    assert whole.removed == 2
    cleaning.undo(decision=alone, by=researcher)
    assert state_of(pairs[WINDOW]) == ItemState.CLEANED
    cleaning.undo(decision=whole, by=researcher)
    assert {state_of(pairs[each]) for each in (RAIN, FINE, WINDOW)} == {ItemState.OPEN}


@pytest.mark.parametrize("verdict", [CleaningVerdict.KEEP, CleaningVerdict.SENSITIVE])
def test_what_another_decision_removes_comes_into_nobodys_hands_by_undoing(verdict, project, pairs, annotator, partner):
    alone = decide(project, annotator, pairs[WINDOW], verdict)
    whole = decide(project, partner, pairs[RAIN], CleaningVerdict.KNOWLEDGE)
    cleaning.undo(decision=alone, by=annotator)
    assert state_of(pairs[WINDOW]) == ItemState.CLEANED
    assert pairs[WINDOW].pk not in {assignment.slot.item_id for assignment in take(project, annotator, count=10)}
    cleaning.undo(decision=whole, by=partner)
    assert state_of(pairs[WINDOW]) == ItemState.OPEN
    assert pairs[WINDOW].pk in {assignment.slot.item_id for assignment in take(project, annotator, count=10)}


def test_undoing_a_whole_prompt_leaves_out_what_is_sensitive_by_itself(project, pairs, annotator, partner, researcher):
    decide(project, annotator, pairs[WINDOW], CleaningVerdict.SENSITIVE)
    cleaning.undo(decision=decide(project, partner, pairs[RAIN], CleaningVerdict.KNOWLEDGE), by=researcher)
    assert [state_of(pairs[each]) for each in (RAIN, FINE, WINDOW)] == [
        ItemState.OPEN,
        ItemState.OPEN,
        ItemState.CLEANED,
    ]


def test_a_decision_sent_twice_is_stored_once(project, pairs, annotator):
    assignment, key = take_pair(project, annotator, pairs[CONTACT]), uuid4()
    first = cleaning.decide(assignment=assignment, verdict=CleaningVerdict.SENSITIVE, key=key, by=annotator)
    assert cleaning.decide(assignment=assignment, verdict=CleaningVerdict.SENSITIVE, key=key, by=annotator) == first
    assert CleaningDecision.objects.count() == 1


def test_a_second_decision_on_the_same_pair_is_refused(project, pairs, annotator):
    assignment = take_pair(project, annotator, pairs[CONTACT])
    cleaning.decide(assignment=assignment, verdict=CleaningVerdict.KEEP, by=annotator)
    with pytest.raises(Refused) as refusal:
        cleaning.decide(assignment=assignment, verdict=CleaningVerdict.SENSITIVE, by=annotator)
    assert refusal.value.code == "decided"
    assert state_of(pairs[CONTACT]) == ItemState.OPEN


def test_nobody_decides_on_an_assignment_that_is_not_theirs(project, pairs, annotator, partner):
    assignment = take_pair(project, annotator, pairs[CONTACT])
    with pytest.raises(Refused, match="handed to someone else"):
        cleaning.decide(assignment=assignment, verdict=CleaningVerdict.SENSITIVE, by=partner)


def test_a_verdict_on_what_went_with_its_prompt_meanwhile_is_refused(project, pairs, annotator, partner):
    late = take_pair(project, partner, pairs[FINE])
    decide(project, annotator, pairs[RAIN], CleaningVerdict.KNOWLEDGE)
    with pytest.raises(Refused) as refusal:
        cleaning.decide(assignment=late, verdict=CleaningVerdict.KEEP, by=partner)
    assert refusal.value.code == "cleaned"


def test_cleaning_takes_nothing_from_the_grades_one_may_still_change(project, pairs, annotator):
    graded = [assignment.pk for assignment in take_to_rate(project, annotator, count=5)]
    for assignment in Assignment.objects.filter(pk__in=graded):
        grade(assignment, 4)
    for response in (CONTACT, RAIN, FINE, WINDOW):
        decide(project, annotator, pairs[response], CleaningVerdict.KEEP)
    assert {assignment.pk for assignment in Assignment.objects.changeable(annotator)} == set(graded)


def test_the_audit_log_says_who_decided_and_holds_no_text(project, pairs, annotator):
    decide(project, annotator, pairs[CONTACT], CleaningVerdict.SENSITIVE)
    [decided] = Event.objects.filter(subject="cleaningdecision")
    assert (decided.became, decided.by, decided.scope) == ("sensitive", annotator, project)
    [moved] = Event.objects.filter(subject="item", became="cleaned")
    assert (moved.was, moved.subject_id) == ("open", pairs[CONTACT].pk)
    assert not Event.objects.filter(why__contains="lin_2024x").exists()


def test_a_release_leaves_out_what_cleaning_removed_and_says_how_many(project, pairs, annotator, partner, inspector):
    rate(project, pairs[CONTACT], (annotator, 4), (partner, 5))
    rate(project, pairs[FINE], (annotator, 4), (partner, 4))
    decide(project, inspector, pairs[CONTACT], CleaningVerdict.SENSITIVE)
    release = releases.freeze(project=project, seed=0, report=no_progress, by=inspector)
    assert [instance.content["response"] for instance in release.instances.all()] == [FINE]
    assert release.counts["left_out"] == {"open": 4, "removed": 0, "cleaned": 1}


def test_a_disputed_pair_goes_and_comes_back_to_a_third_person(project, pairs, annotator, partner, newcomer, inspector):
    projects.change_settings(project=project, settings={"adjudicate": True}, by=project.created_by)
    project.refresh_from_db()
    rate(project, pairs[CONTACT], (annotator, 1), (partner, 5))
    assert state_of(pairs[CONTACT]) == ItemState.DISPUTED
    [third] = assignments.claim(project=project, step=Step.ADJUDICATE, by=inspector)
    decision = decide(project, newcomer, pairs[CONTACT], CleaningVerdict.SENSITIVE)
    assert Assignment.objects.get(pk=third.pk).state == AssignmentState.RETURNED
    assert assignments.claim(project=project, step=Step.ADJUDICATE, by=inspector) == []
    cleaning.undo(decision=decision, by=newcomer)
    assert state_of(pairs[CONTACT]) == ItemState.DISPUTED
    [again] = assignments.claim(project=project, step=Step.ADJUDICATE, by=inspector)
    assert again.slot_id == third.slot_id
