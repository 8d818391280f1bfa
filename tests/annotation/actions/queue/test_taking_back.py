"""Texts and verdicts that are taken back: for five minutes, while no one else has begun on the item."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.actions import reasoning
from annotation.actions.inspection import inspections
from annotation.actions.inspection.taking_back import take_back_verdict
from annotation.actions.queue import assignments
from annotation.actions.rewriting import rewrites
from annotation.actions.rewriting.taking_back import take_back_text
from annotation.domain.own_work import TAKE_BACK
from annotation.domain.rewriting.rewriting import InspectionVerdict
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, Inspection, Item, Project, Rewrite, Slot, Step
from core.actions.refusals import Refused
from core.models import Role, User
from tests import factories
from tests.annotation.actions.queue.assigned_work import history, refused, state
from tests.rewriting import (
    answered,
    begin,
    inspect,
    items,
    judge,
    practice_items,
    rewriting_project,
    submit,
    take,
    write,
)
from tests.threads import at_once

ACCEPT, RETURN, DISCARD = InspectionVerdict


@pytest.fixture
def project(researcher: User) -> Project:
    return rewriting_project(researcher)


@pytest.fixture
def author(project: Project) -> User:
    return factories.person("an", project=project)


@pytest.fixture
def inspector(project: Project) -> User:
    return factories.person("ida", Role.INSPECTOR, project=project)


@pytest.fixture
def item(project: Project) -> Item:
    return items(project, 1)[0]


def back(text: Rewrite) -> Rewrite:
    return take_back_text(assignment=Assignment.objects.get(pk=text.assignment_id), by=text.assignment.person)


def unjudge(inspection: Inspection) -> Inspection:
    assignment = Assignment.objects.get(pk=inspection.assignment_id)
    return take_back_verdict(assignment=assignment, by=inspection.assignment.person)


def later(assignment: Assignment) -> None:
    Assignment.objects.filter(pk=assignment.pk).update(ended_at=timezone.now() - TAKE_BACK - timedelta(seconds=1))


# ---- a text ---------------------------------------------------------------------------------------------------------
def test_a_text_taken_back_is_its_authors_draft_and_no_one_inspects_it(project, author, inspector, item):
    text = write(project, author)
    again = back(text)
    assignment = Assignment.objects.get(pk=text.assignment_id)
    assert (assignment.state, assignment.ended_at, state(item)) == (AssignmentState.HELD, None, ItemState.OPEN)
    assert (again.candidates, again.submitted_at) == (text.candidates, None)
    assert history(assignment)[-1] == ("submitted", "held")
    assert take(project, Step.INSPECT, inspector) is None
    assert back(text) == again, "twice changes nothing"
    assert begin(project, author) == again
    submit(again, candidates=[*text.candidates[:3], "Forty chairs will do."])
    assert inspect(project, inspector).rewrite.candidates[3] == "Forty chairs will do."
    assert state(item) == ItemState.KEPT


def test_a_revision_taken_back_is_to_be_revised_again(project, author, inspector, item):
    write(project, author)
    inspect(project, inspector, RETURN)
    revision = write(project, author)
    back(revision)
    assert state(item) == ItemState.RETURNED
    submit(begin(project, author), candidates=[*revision.candidates[:3], "Forty chairs will do."])
    assert state(item) == ItemState.WRITTEN


def test_a_text_accepted_without_inspection_is_taken_back_alike(researcher):
    project = rewriting_project(researcher, inspected_percent=1, first_in_full=0)
    author = factories.person("an", project=project)
    for item in items(project, 3):
        text = write(project, author)
        back(text)
        assert state(item) == ItemState.OPEN
        submit(begin(project, author))


@pytest.mark.parametrize("judges", [False, True])
def test_a_text_that_an_inspector_has_opened_or_judged_stays(project, author, inspector, item, judges):
    text = write(project, author)
    inspection = answered(project, inspector)
    if judges:
        judge(inspection, ACCEPT)
    before = state(item)
    with refused("begun"):
        back(text)
    assert state(item) == before


def test_a_text_stays_also_after_the_inspector_who_read_it_left_it_to_others(project, author, inspector, item):
    text = write(project, author)
    inspections.skip(inspection=answered(project, inspector), reason="other", by=inspector)
    with refused("begun"):
        back(text)
    assert state(item) == ItemState.WRITTEN


def test_after_five_minutes_a_text_stays(project, author, item):
    text = write(project, author)
    later(text.assignment)
    with refused("too_late"):
        back(text)
    assert state(item) == ItemState.WRITTEN


def test_no_one_takes_back_the_text_of_another_and_a_skip_is_none(project, author, inspector, item):
    text = write(project, author)
    with refused("not_yours"):
        take_back_text(assignment=text.assignment, by=inspector)
    items(project, 2)
    other = begin(project, author)
    rewrites.skip(rewrite=other, reason="other", by=author)
    with refused("not_submitted"):
        back(other)
    assert state(item) == ItemState.WRITTEN


@pytest.mark.django_db(transaction=True)
def test_of_taking_back_and_an_inspectors_claim_at_once_one_succeeds(project, author, inspector, item):
    text = write(project, author)
    done: list[str] = []

    def take_back() -> None:
        try:
            back(text)
            done.append("taken back")
        except Refused as refusal:
            assert refusal.code == "begun"

    def claim() -> None:
        if assignments.claim(project=project, step=Step.INSPECT, by=inspector):
            done.append("claimed")

    at_once([take_back, claim])
    assert len(done) == 1
    slot = Slot.objects.get(item=item, queue__step=Step.INSPECT)
    assert (state(item), slot.required) == (("open", 0) if done == ["taken back"] else ("written", 1))


# ---- a verdict ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("verdict", [ACCEPT, RETURN, DISCARD])
def test_a_verdict_taken_back_is_given_again(project, author, inspector, item, verdict):
    write(project, author)
    inspection = inspect(project, inspector, verdict)
    again = unjudge(inspection)
    assert state(item) == ItemState.WRITTEN
    assert (again.verdict, again.decided_at, again.answer) == ("", None, inspection.answer)
    assert again.comments == inspection.comments
    assert history(inspection.assignment)[-1] == ("submitted", "held")
    assert not Assignment.objects.filter(slot__round=2).taken().exists()
    assert unjudge(inspection) == again, "twice changes nothing"
    assert take(project, Step.INSPECT, inspector) == again.assignment
    judge(again, RETURN)
    assert begin(project, author).assignment.slot.round == 2


def test_a_verdict_stays_once_the_author_has_opened_what_was_returned(project, author, inspector, item):
    write(project, author)
    inspection = inspect(project, inspector, RETURN)
    begin(project, author)
    with refused("begun"):
        unjudge(inspection)
    assert state(item) == ItemState.RETURNED


def test_a_verdict_stays_once_a_person_names_the_type(project, author, inspector, item, researcher):
    write(project, author)
    inspection = inspect(project, inspector)
    reasoning.ask_about(project=project, by=researcher)
    assert take(project, Step.TYPE, factories.person("bo", project=project))
    with refused("begun"):
        unjudge(inspection)
    assert state(item) == ItemState.KEPT


def test_after_five_minutes_a_verdict_stays_and_no_other_takes_it_back(project, author, inspector, item):
    write(project, author)
    inspection = inspect(project, inspector)
    before = state(item)
    with refused("not_yours"):
        take_back_verdict(assignment=inspection.assignment, by=author)
    later(inspection.assignment)
    with refused("too_late"):
        unjudge(inspection)
    assert state(item) == before


def test_a_verdict_on_a_practice_draft_stays(researcher):
    project = rewriting_project(researcher, practice=4, practice_window=4)
    practice_items(project)
    ida = factories.person("ida", Role.INSPECTOR, project=project)
    text = write(project, factories.person("an", project=project))
    with refused("not_submitted"):
        back(text)
    with refused("not_submitted"):
        unjudge(inspect(project, ida))


def test_of_two_verdicts_the_first_is_taken_back_only_before_the_second(researcher):
    project = rewriting_project(researcher, inspectors=2)
    [item] = items(project, 1)
    ida, ilse = (factories.person(name, Role.INSPECTOR, project=project) for name in ("ida", "ilse"))
    write(project, factories.person("an", project=project))
    first = judge(unjudge(inspect(project, ida)), DISCARD)
    assert state(item) == ItemState.WRITTEN
    second = inspect(project, ilse)
    assert state(item) == ItemState.REMOVED
    with refused("moved_on"):
        unjudge(first)
    unjudge(second)
    assert (state(item), Inspection.objects.get(pk=first.pk).verdict) == (ItemState.WRITTEN, DISCARD)
