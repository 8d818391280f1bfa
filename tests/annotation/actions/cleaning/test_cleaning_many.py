"""One verdict on many marked pairs, and several decisions undone at once: the same as one by one."""

import pytest

from annotation.actions.cleaning import cleaning
from annotation.domain.cleaning.cleaning import CleaningVerdict
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, CleaningDecision, Item, Slot, Step
from annotation.selectors.cleaning.cleaning import waiting_in
from core.actions.refusals import Refused
from core.models import Event
from tests.cleaning import MARKED, decide, marked_pairs, take, take_pair
from tests.factories import take as take_to_rate

pytestmark = pytest.mark.django_db

CONTACT = "加我微信 lin_2024x 一起去。"
RAIN, FINE, WINDOW = "我这边在下雨。", "挺好的，出去走走。", "你自己看窗外。"
UNMARKED = "吃面。"


@pytest.fixture
def pairs(project):
    return marked_pairs(project)


def all_of(project, pairs, *responses, verdict=CleaningVerdict.SENSITIVE, why="spam", by):
    items = [pairs[each] for each in responses]
    return cleaning.decide_many(items=items, project=project, verdict=verdict, why=why, by=by)


def cleaned(project) -> set[str]:
    return {item.content["response"] for item in project.items.filter(state=ItemState.CLEANED)}


def test_many_are_kept_as_each_would_be(project, pairs, inspector, annotator):
    done = all_of(project, pairs, RAIN, CONTACT, verdict=CleaningVerdict.KEEP, why="", by=inspector)
    assert (done.done, done.left_out) == (2, 0)
    assert cleaned(project) == set()
    assert waiting_in(project) == MARKED - 2
    decisions = CleaningDecision.objects.in_force()
    assert {each.assignment.person for each in decisions} == {inspector}
    assert {tuple(each.findings) for each in decisions} == {("weather",), ("wechat",)}
    assert {each.assignment.slot.item for each in decisions}.isdisjoint(
        assignment.slot.item for assignment in take(project, annotator, count=10)
    )


def test_many_are_removed_with_one_reason(project, pairs, inspector, partner):
    held = take_to_rate(project, partner, count=6)
    done = all_of(project, pairs, RAIN, CONTACT, by=inspector)
    assert (done.done, done.left_out) == (2, 0)
    assert cleaned(project) == {RAIN, CONTACT}
    assert list(CleaningDecision.objects.values_list("removed", flat=True)) == [1, 1]
    for subject in ("item", "cleaningdecision"):
        events = Event.objects.filter(subject=subject, became__in=("cleaned", "sensitive"))
        assert [(event.why, event.by) for event in events] == [("spam", inspector)] * 2
    returned = Assignment.objects.filter(pk__in=[each.pk for each in held], state=AssignmentState.RETURNED)
    assert {each.slot.item.content["response"] for each in returned} == {RAIN, CONTACT}
    assert not Slot.objects.filter(item__state=ItemState.CLEANED, free__gt=0).exists()


def test_prompts_go_with_all_their_responses_by_one_decision_each(project, pairs, inspector):
    done = all_of(project, pairs, RAIN, FINE, CONTACT, verdict=CleaningVerdict.KNOWLEDGE, by=inspector)
    assert (done.done, done.left_out) == (5, 0)
    assert cleaned(project) == {RAIN, FINE, WINDOW, CONTACT, "在家睡觉。"}
    assert sorted(CleaningDecision.objects.values_list("removed", flat=True)) == [2, 3]
    assert waiting_in(project) == 0
    assert not Assignment.objects.filter(state=AssignmentState.HELD).exists()


@pytest.mark.parametrize("verdict", [CleaningVerdict.SENSITIVE, CleaningVerdict.KNOWLEDGE])
def test_without_a_reason_nothing_is_removed(verdict, project, pairs, inspector):
    with pytest.raises(Refused) as refusal:
        all_of(project, pairs, RAIN, verdict=verdict, why=" ", by=inspector)
    assert refusal.value.code == "why_missing"
    assert (cleaned(project), waiting_in(project)) == (set(), MARKED)


def test_a_pair_that_someone_else_holds_or_decided_about_is_left_out(project, pairs, inspector, annotator, partner):
    theirs = take_pair(project, partner, pairs[RAIN])
    decide(project, annotator, pairs[FINE], CleaningVerdict.KEEP)
    done = all_of(project, pairs, RAIN, FINE, CONTACT, UNMARKED, by=inspector)
    assert (done.done, done.left_out) == (1, 3)
    assert cleaned(project) == {CONTACT}
    theirs.refresh_from_db()
    assert theirs.state == AssignmentState.HELD
    cleaning.decide(assignment=theirs, verdict=CleaningVerdict.KEEP, by=partner)


def test_when_all_are_held_by_others_nothing_happens(project, pairs, inspector, partner):
    take_pair(project, partner, pairs[RAIN])
    before = Event.objects.count()
    done = all_of(project, pairs, RAIN, verdict=CleaningVerdict.KNOWLEDGE, by=inspector)
    assert (done.done, done.left_out) == (0, 1)
    assert (cleaned(project), Event.objects.count()) == (set(), before)


def test_what_the_person_holds_already_is_decided_on_their_assignment(project, pairs, inspector):
    held = take_pair(project, inspector, pairs[RAIN])
    all_of(project, pairs, RAIN, by=inspector)
    assert CleaningDecision.objects.get().assignment == held
    with pytest.raises(Refused) as refusal:
        cleaning.decide(assignment=held, verdict=CleaningVerdict.KEEP, by=inspector)
    assert refusal.value.code == "cleaned"


def test_the_same_twice_changes_nothing(project, pairs, inspector):
    all_of(project, pairs, RAIN, CONTACT, by=inspector)
    done = all_of(project, pairs, RAIN, CONTACT, by=inspector)
    assert (done.done, done.left_out) == (0, 2)
    assert CleaningDecision.objects.count() == 2


def test_an_archived_project_gives_out_nothing(project, pairs, inspector, researcher):
    from annotation.actions.projects import archiving

    archiving.archive(project=project, by=researcher)
    project.refresh_from_db()
    with pytest.raises(Refused) as refusal:
        all_of(project, pairs, RAIN, by=inspector)
    assert refusal.value.code == "archived"


def test_many_decisions_are_undone_and_their_pairs_are_open_to_all(project, pairs, inspector, annotator, researcher):
    all_of(project, pairs, RAIN, verdict=CleaningVerdict.KNOWLEDGE, by=inspector)
    all_of(project, pairs, CONTACT, by=inspector)
    assert len(cleaned(project)) == 4
    assert cleaning.undo_many(decisions=list(CleaningDecision.objects.all()), by=researcher) == 2
    assert cleaned(project) == set()
    assert waiting_in(project) == MARKED
    events = Event.objects.filter(subject="cleaningdecision", became="undone")
    assert {(event.was, event.by) for event in events} == {("knowledge", researcher), ("sensitive", researcher)}
    assert len(take(project, annotator, count=10)) == MARKED
    assert len(take_to_rate(project, annotator, count=10)) == 6


def test_ones_own_decisions_undone_at_once_are_not_in_ones_hands(project, pairs, inspector):
    all_of(project, pairs, RAIN, CONTACT, by=inspector)
    decisions = list(CleaningDecision.objects.all())
    cleaning.undo_many(decisions=decisions, by=inspector)
    assert not Assignment.objects.filter(state=AssignmentState.HELD).exists()
    assert cleaning.undo_many(decisions=decisions, by=inspector) == 0
    assert cleaning.undo_many(decisions=[], by=inspector) == 0
    assert all_of(project, pairs, RAIN, CONTACT, by=inspector).done == 2


def test_undoing_many_restores_nothing_that_another_decision_removes(project, pairs, inspector, annotator):
    alone = decide(project, annotator, pairs[WINDOW], CleaningVerdict.SENSITIVE)
    all_of(project, pairs, RAIN, verdict=CleaningVerdict.KNOWLEDGE, by=inspector)
    whole = CleaningDecision.objects.get(verdict=CleaningVerdict.KNOWLEDGE)
    assert whole.removed == 2
    all_of(project, pairs, CONTACT, by=inspector)
    others = list(CleaningDecision.objects.exclude(pk=alone.pk))
    cleaning.undo_many(decisions=others, by=inspector)
    assert cleaned(project) == {WINDOW}


def test_a_long_list_takes_few_statements_a_pair(project, inspector, django_assert_max_num_queries):
    from tests.cleaning import scan
    from tests.factories import stored

    stored(project, "".join(f"今天天气{n}怎么样\t第{n}条。\n" for n in range(40)))
    scan(project)
    items = list(Item.objects.filter(slots__queue__step=Step.CLEAN))
    assert len(items) == 40
    with django_assert_max_num_queries(40 * 6 + 40):
        cleaning.decide_many(items=items, project=project, verdict=CleaningVerdict.SENSITIVE, why="x", by=inspector)
    with django_assert_max_num_queries(40 * 6 + 40):
        cleaning.undo_many(decisions=list(CleaningDecision.objects.all()), by=inspector)
