"""Voiding texts and verdicts: kept, not counted, and the item open to others if the workflow asks for them."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.actions import reasoning
from annotation.actions.inspection import inspections, returns
from annotation.actions.queue import voiding
from annotation.actions.queue.assignments import claim
from annotation.actions.releases import releases
from annotation.actions.rewriting import rewrites
from annotation.domain.rewriting.rewriting import InspectionVerdict
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, Inspection, Item, Project, Rewrite, Slot, Step
from annotation.selectors.inspection.inspections import inspection_report
from annotation.selectors.rewriting.author_page import comments_for
from annotation.selectors.rewriting.rewrites import rewrite_in_force
from core.models import Event, Role, User
from tests import factories
from tests.annotation.actions.queue.assigned_work import history, refused, state
from tests.rewriting import (
    CANDIDATES,
    answered,
    begin,
    inspect,
    items,
    judge,
    rewriting_project,
    submit,
    take,
    write,
)

ACCEPT, RETURN, DISCARD = InspectionVerdict.ACCEPT, InspectionVerdict.RETURN, InspectionVerdict.DISCARD
OTHERS = [*CANDIDATES[:3], "Forty chairs will do."]


@pytest.fixture
def project(researcher: User) -> Project:
    return rewriting_project(researcher)


@pytest.fixture
def item(project: Project) -> Item:
    return items(project)[0]


@pytest.fixture
def author(project: Project, item: Item) -> User:
    return factories.person("an", project=project)


@pytest.fixture
def other(project: Project) -> User:
    return factories.person("bo", project=project)


@pytest.fixture
def inspector(project: Project) -> User:
    return factories.person("ida", Role.INSPECTOR, project=project)


@pytest.fixture
def second(project: Project) -> User:
    return factories.person("ivo", Role.INSPECTOR, project=project)


def void(project: Project, person: User, since=None, why: str = "copied") -> int:
    since = since or timezone.now() - timedelta(days=1)
    return voiding.void_work(project=project, person=person, since=since, why=why, by=project.created_by)


def counts(project: Project) -> dict[str, int]:
    return inspection_report(project)["verdicts"]


# ---- texts ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("verdict", [None, ACCEPT, DISCARD])
def test_a_voided_text_is_kept_and_its_item_begins_anew(project, item, author, other, inspector, verdict):
    written = write(project, author)
    if verdict:
        inspect(project, inspector, verdict)
    assert void(project, author) == 1
    assert (state(item), rewrite_in_force(item)) == (ItemState.OPEN, None)
    assert Rewrite.objects.get(pk=written.pk).candidates == CANDIDATES
    assert sum(counts(project).values()) == 0
    assert take(project, Step.INSPECT, inspector) is None
    assert take(project, Step.WRITE, author) is None
    rewritten = begin(project, other)
    assert rewritten.candidates == [""] * 4
    submit(rewritten, candidates=OTHERS)
    judged = inspect(project, inspector)
    assert (judged.rewrite, state(item)) == (rewritten, ItemState.KEPT)
    assert counts(project) == {"accept": 1, "return": 0, "discard": 0}


def test_a_voided_text_that_was_sent_back_is_not_revised(project, item, author, other, inspector):
    write(project, author)
    inspect(project, inspector, RETURN)
    assert take(project, Step.WRITE, author).slot.round == 2
    void(project, author)
    assert state(item) == ItemState.OPEN
    assert take(project, Step.WRITE, author) is None
    rewritten = begin(project, other)
    assert (rewritten.assignment.slot.round, rewritten.candidates) == (1, [""] * 4)
    submit(rewritten, candidates=OTHERS)
    inspect(project, inspector, RETURN)
    again = begin(project, other)
    assert (again.assignment.slot.round, again.candidates) == (2, OTHERS)
    said = [comment.text for comment in comments_for(again.assignment)["3"]]
    assert said == ["Fits as well."]  # once: comments on the voided text do not belong to it
    submit(again)
    inspect(project, inspector)
    assert state(item) == ItemState.KEPT


@pytest.mark.parametrize("verdict", [None, ACCEPT, DISCARD])
def test_a_voided_revising_leaves_the_text_before_it_to_be_revised_by_others(
    project, item, author, other, inspector, verdict
):
    first = write(project, author)
    inspect(project, inspector, RETURN)
    submit(begin(project, author), candidates=OTHERS)
    if verdict:
        inspect(project, inspector, verdict)
    since = timezone.now() - timedelta(hours=1)
    Assignment.objects.filter(pk=first.assignment_id).update(ended_at=since - timedelta(hours=1))
    assert void(project, author, since) == 1
    assert (state(item), rewrite_in_force(item)) == (ItemState.RETURNED, first)
    assert take(project, Step.WRITE, author) is None
    again = begin(project, other)
    assert (again.assignment.slot.round, again.candidates) == (2, CANDIDATES)
    submit(again, candidates=OTHERS)
    assert inspect(project, inspector).rewrite == again
    assert state(item) == ItemState.KEPT


def test_a_text_that_somebody_else_has_revised_since_moves_nothing(project, item, author, other, inspector):
    write(project, author)
    inspect(project, inspector, RETURN)
    Assignment.objects.filter(state=AssignmentState.HELD).update(person=other)
    revised = submit(begin(project, other), candidates=OTHERS)
    inspect(project, inspector)
    before = history(item)
    assert void(project, author) == 1
    assert (state(item), rewrite_in_force(item), history(item)) == (ItemState.KEPT, revised, before)
    assert counts(project) == {"accept": 1, "return": 0, "discard": 0}  # the verdict on the voided text does not count
    assert inspection_report(project)["instances"]["inspected"] == 1


def test_an_inspector_at_work_on_a_voided_text_is_told_and_keeps_the_comments(project, author, other, inspector):
    write(project, author)
    inspection = answered(project, inspector)
    void(project, author)
    with refused("moved_on"):
        judge(inspection, RETURN)
    assert Inspection.objects.get(pk=inspection.pk).comments
    rewritten = submit(begin(project, other), candidates=OTHERS)
    with refused("moved_on"):
        judge(inspection, ACCEPT)
    again = inspections.open_assignment(assignment=take(project, Step.INSPECT, inspector), by=inspector)
    assert (again.rewrite, again.answered_at, again.comments) == (rewritten, None, {})


def test_a_lease_that_ended_on_a_voided_text_does_not_judge_the_new_one(project, item, author, other, inspector):
    write(project, author)
    inspection = answered(project, inspector)
    Assignment.objects.filter(pk=inspection.assignment_id).update(state=AssignmentState.EXPIRED)
    Slot.objects.filter(pk=inspection.assignment.slot_id).update(free=1)
    void(project, author)
    submit(begin(project, other), candidates=OTHERS)
    with refused("moved_on"):
        judge(inspection, DISCARD)
    assert state(item) == ItemState.WRITTEN


def test_the_author_of_a_voided_text_cannot_hand_it_in_again(project, item, author):
    written = write(project, author)
    void(project, author)
    with refused("voided"):
        rewrites.submit(rewrite=written, cut=3, candidates=OTHERS, revision=Rewrite.objects.get().revision, by=author)
    assert (state(item), rewrite_in_force(item)) == (ItemState.OPEN, None)


# ---- verdicts -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("verdict", [ACCEPT, DISCARD])
def test_a_voided_verdict_is_asked_of_somebody_else(project, item, author, inspector, second, verdict):
    written = write(project, author)
    judged = inspect(project, inspector, verdict)
    assert void(project, inspector) == 1
    assert (state(item), rewrite_in_force(item)) == (ItemState.WRITTEN, written)
    assert Inspection.objects.get(pk=judged.pk).verdict == verdict
    assert sum(counts(project).values()) == 0
    assert take(project, Step.INSPECT, inspector) is None
    inspect(project, second)
    assert (state(item), counts(project)["accept"]) == (ItemState.KEPT, 1)


def test_an_item_that_only_a_voided_verdict_sent_back_is_judged_anew_as_it_was(
    project, item, author, inspector, second
):
    written = write(project, author)
    inspect(project, inspector, RETURN)
    revising = begin(project, author)
    rewrites.save(rewrite=revising, cut=3, candidates=OTHERS, revision=0, by=author)
    void(project, inspector)
    assert state(item) == ItemState.WRITTEN
    assert take(project, Step.WRITE, author) is None
    assert take(project, Step.INSPECT, inspector) is None
    assert inspect(project, second, RETURN).rewrite == written
    again = begin(project, author)
    assert (again.assignment.slot.round, again.candidates) == (2, OTHERS)  # what was begun is not lost
    assert [comment.text for comment in comments_for(again.assignment)["3"]] == ["Fits as well."]  # the second's alone
    submit(again, candidates=OTHERS)
    inspect(project, second)
    assert state(item) == ItemState.KEPT
    assert void(project, inspector) == 0


def test_what_is_revised_since_a_voided_verdict_is_judged_and_not_what_it_was(project, item, author, inspector, second):
    write(project, author)
    inspect(project, inspector, RETURN)
    revised = submit(begin(project, author), candidates=OTHERS)
    void(project, inspector)
    assert state(item) == ItemState.WRITTEN
    assert inspect(project, second).rewrite == revised
    assert (state(item), take(project, Step.INSPECT, second)) == (ItemState.KEPT, None)


def test_what_another_inspector_or_a_researcher_sent_back_as_well_stays_with_its_author(researcher):
    project = rewriting_project(researcher, "two", inspectors=2)
    [item] = items(project)
    author = factories.person("cy", project=project)
    inspectors = [factories.person(name, Role.INSPECTOR, project=project) for name in ("ia", "ib")]
    write(project, author)
    for person in inspectors:
        inspect(project, person, RETURN)
    void(project, inspectors[0])
    assert state(item) == ItemState.RETURNED
    submit(begin(project, author), candidates=OTHERS)
    for person in inspectors:
        inspect(project, person)
    returns.return_instance(item=Item.objects.get(), comment="D fits as well.", by=researcher)
    void(project, inspectors[0])
    assert state(item) == ItemState.RETURNED
    assert begin(project, author).assignment.slot.round == 3


def test_of_two_verdicts_the_other_one_stays(researcher):
    project = rewriting_project(researcher, "two", inspectors=2)
    [item] = items(project)
    inspectors = [factories.person(name, Role.INSPECTOR, project=project) for name in ("ia", "ib", "ic")]
    write(project, factories.person("cy", project=project))
    inspect(project, inspectors[0], DISCARD)
    void(project, inspectors[0])
    assert state(item) == ItemState.WRITTEN
    inspect(project, inspectors[1])
    assert state(item) == ItemState.WRITTEN
    inspect(project, inspectors[2])
    assert state(item) == ItemState.KEPT


def test_who_named_the_type_of_a_voided_text_may_judge_the_one_in_its_slot(
    project, item, author, other, inspector, second
):
    write(project, author)
    inspect(project, second)
    reasoning.ask_about(project=project, by=project.created_by)
    reasoning.choose(assignment=take(project, Step.TYPE, inspector), answer="attitude", by=inspector)
    void(project, second)
    assert take(project, Step.INSPECT, inspector) is None  # they have seen the key of this text
    void(project, author)
    rewritten = submit(begin(project, other), candidates=OTHERS)
    assert inspect(project, inspector).rewrite == rewritten


# ---- for all of them ------------------------------------------------------------------------------------------------
def test_what_was_frozen_stays_and_the_next_release_goes_without(project, item, author, inspector):
    write(project, author)
    inspect(project, inspector)
    frozen = releases.freeze(project=project, seed=0, report=factories.no_progress, by=project.created_by)
    void(project, author)
    assert frozen.instances.count() == 1
    with refused("nothing_kept"):
        releases.freeze(project=project, seed=0, report=factories.no_progress, by=project.created_by)


def test_voiding_is_logged_with_its_reason_for_each_thing_that_moved(project, item, author, inspector):
    written = write(project, author)
    judged = inspect(project, inspector)
    void(project, author)
    logged = Event.objects.filter(why="copied").values_list("subject", "subject_id", "was", "became")
    assert set(logged) == {
        ("assignment", written.assignment_id, "submitted", "voided"),
        ("assignment", judged.assignment_id, "submitted", "outdated"),
        ("item", item.pk, "kept", "open"),
    }
    assert set(Event.objects.filter(why="copied").values_list("by", flat=True)) == {project.created_by.pk}


def test_however_many_items_there_are_all_of_the_work_is_voided_once(project, author, other, inspector, monkeypatch):
    monkeypatch.setattr(voiding, "AT_ONCE", 2)
    made = items(project, 5)
    for _item in made:
        write(project, author)
    inspect(project, inspector)
    assert [void(project, author), void(project, author)] == [5, 0]
    assert {state(each) for each in made} == {ItemState.OPEN}
    assert len(claim(project=project, step=Step.WRITE, count=9, by=other)) == 5
    assert Slot.objects.filter(queue__step=Step.INSPECT, free__gt=0).count() == 0
