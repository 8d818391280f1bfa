"""The text of an accepted instance: only an inspection changes it, and a later return sends it to its author."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.actions.inspection import returns
from annotation.actions.projects import projects
from annotation.actions.queue import voiding
from annotation.actions.releases import releases
from annotation.actions.rewriting import rewrites
from annotation.domain.rewriting.rewriting import InspectionVerdict
from annotation.domain.workflow import ItemState
from annotation.models import Assignment, Inspection, InstanceReturn, Item, Project, Slot, Step
from annotation.selectors.inspection.inspections import inspection_report
from annotation.selectors.releases.releases import instances_of
from annotation.selectors.rewriting.author_page import comments_for
from annotation.selectors.rewriting.rewrites import rewrite_in_force
from core.models import Event, Role, User
from tests import factories
from tests.annotation.actions.queue.assigned_work import history, refused, state
from tests.rewriting import (
    CANDIDATES,
    answered,
    begin,
    expire_all,
    inspect,
    items,
    judge,
    rewriting_project,
    submit,
    take,
    write,
)

RETURN, DISCARD = InspectionVerdict.RETURN, InspectionVerdict.DISCARD
OTHERS = [*CANDIDATES[:3], "Forty chairs will do."]
REASON = "B fits as well: the choir has it until four."


@pytest.fixture(params=["inspected", "not inspected"])
def project(request, researcher: User) -> Project:
    share = {"inspected_percent": 1, "first_in_full": 0} if request.param == "not inspected" else {}
    return rewriting_project(researcher, **share)


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


def accept(project: Project, author: User, inspector: User):
    """Let the author's text of the item be accepted, by the inspector or without inspection."""
    written = write(project, author)
    if state(written.assignment.slot.item) == ItemState.WRITTEN:
        inspect(project, inspector)
    assert state(written.assignment.slot.item) == ItemState.KEPT
    return written


def reopen(item: Item, by: User, comment: str = REASON) -> InstanceReturn:
    return returns.return_instance(item=item, comment=comment, by=by)


def text_of(item: Item) -> tuple[int, list[str]]:
    rewrite = rewrite_in_force(item)
    assert rewrite is not None
    return rewrite.cut, rewrite.candidates


def freeze(project: Project):
    return releases.freeze(project=project, seed=0, report=factories.no_progress, by=project.created_by)


# ---- nothing changes an accepted text -------------------------------------------------------------------------------
def test_its_author_neither_saves_over_it_nor_submits_another(project, item, author, inspector):
    written = accept(project, author, inspector)
    for act in (rewrites.save, rewrites.submit):
        for revision in range(4):
            with refused("submitted"):
                act(rewrite=written, cut=1, candidates=OTHERS, revision=revision, by=author)
    with refused("submitted"):
        rewrites.skip(rewrite=written, reason="other", by=author)
    assert (state(item), text_of(item)) == (ItemState.KEPT, (3, CANDIDATES))


def test_sent_twice_it_is_what_it_was(project, item, author, inspector):
    written = accept(project, author, inspector)
    before = history(item)
    submit(written, revision=0)
    assert (text_of(item), history(item)) == ((3, CANDIDATES), before)


def test_an_author_whose_time_was_over_keeps_a_draft_that_stands_nowhere(project, item, author, other, inspector):
    late = begin(project, other)
    expire_all()
    accept(project, author, inspector)
    with refused("slot_taken"):
        submit(late, candidates=OTHERS)
    rewrites.save(rewrite=late, cut=2, candidates=OTHERS, revision=1, by=other)
    assert (state(item), text_of(item)) == (ItemState.KEPT, (3, CANDIDATES))
    assert take(project, Step.WRITE, other) is None


def test_the_same_author_s_page_of_an_earlier_lease_changes_nothing(project, item, author, inspector):
    late = begin(project, author)
    expire_all()
    accept(project, author, inspector)
    with refused("submitted"):
        submit(late, candidates=OTHERS)
    with refused("submitted"):
        rewrites.save(rewrite=late, cut=2, candidates=OTHERS, revision=0, by=author)
    assert text_of(item) == (3, CANDIDATES)


def test_an_inspector_who_comes_late_does_not_judge_it_again(researcher):
    project = rewriting_project(researcher, "two")
    [item] = items(project)
    first, second = (factories.person(name, Role.INSPECTOR, project=project) for name in ("ia", "ib"))
    write(project, factories.person("cy", project=project))
    late = answered(project, first)
    expire_all()
    inspect(project, second)
    with refused("moved_on"):
        judge(late, DISCARD)
    assert (state(item), text_of(item)) == (ItemState.KEPT, (3, CANDIDATES))


def test_work_that_is_voided_leaves_it_accepted_as_it_is_or_not_accepted(project, item, author, other, inspector):
    accept(project, author, inspector)
    since = timezone.now() - timedelta(days=1)
    for person in (other, inspector, author):
        voiding.void_work(project=project, person=person, since=since, why="copied", by=project.created_by)
        assert state(item) != ItemState.KEPT or text_of(item) == (3, CANDIDATES)
    assert state(item) == ItemState.OPEN


def test_nothing_is_written_over_the_interface_for_programs(project, item, author, inspector, researcher):
    accept(project, author, inspector)
    client = Client()
    client.force_login(researcher)
    for name in ("project-detail", "project-items", "project-progress", "project-agreement"):
        for method in (client.post, client.put, client.patch, client.delete):
            address = reverse(name, args=[project.slug])
            sent = method(address, {"candidates": OTHERS}, content_type="application/json")
            assert sent.status_code in (403, 405)
    assert (state(item), text_of(item)) == (ItemState.KEPT, (3, CANDIDATES))


def test_the_page_on_which_it_was_written_takes_nothing_more(project, item, author, inspector):
    written = accept(project, author, inspector)
    client = Client()
    client.force_login(author)
    sent = {"cut": 1, "candidates": OTHERS, "revision": 1}
    for name in ("save_rewrite", "submit_rewrite"):
        address = reverse(name, args=[project.slug, written.assignment_id])
        assert client.post(address, sent, content_type="application/json").json()["code"] == "submitted"
    client.get(reverse("write", args=[project.slug]), {"assignment": written.assignment_id})
    assert (state(item), text_of(item)) == (ItemState.KEPT, (3, CANDIDATES))


# ---- reopening ------------------------------------------------------------------------------------------------------
def test_a_reopened_instance_is_back_with_its_author_and_what_is_to_be_revised(project, item, author, inspector):
    written = accept(project, author, inspector)
    returned_later = reopen(item, project.created_by)
    assert (returned_later.rewrite, returned_later.by, returned_later.comment) == (written, project.created_by, REASON)
    assert (state(item), history(item)[-1]) == (ItemState.RETURNED, ("kept", "returned"))
    again = begin(project, author)
    assert (again.assignment.slot.item, again.assignment.slot.round, again.candidates) == (item, 2, CANDIDATES)
    assert [comment.text for said in comments_for(again.assignment).values() for comment in said] == [REASON]


def test_what_was_sent_back_is_not_submitted_as_it_was(project, item, author, inspector):
    """Otherwise a person who knows its key could be asked about the same text."""
    accept(project, author, inspector)
    reopen(item, project.created_by)
    again = begin(project, author)
    with refused("unchanged"):
        submit(again, candidates=CANDIDATES)
    assert state(item) == ItemState.RETURNED
    submit(again, candidates=OTHERS)
    assert state(item) == ItemState.WRITTEN


def test_it_is_accepted_again_by_inspectors_alone_whatever_the_share(project, item, author, inspector):
    accept(project, author, inspector)
    reopen(item, project.created_by)
    projects.change_settings(
        project=project, settings={"inspected_percent": 1, "first_in_full": 0, "inspectors": 2}, by=project.created_by
    )
    submit(begin(project, author), candidates=OTHERS)
    assert state(item) == ItemState.WRITTEN
    slot = Slot.objects.get(queue__step=Step.INSPECT, round=2)
    assert (slot.required, slot.free) == (2, 2)
    inspect(project, inspector)
    assert state(item) == ItemState.WRITTEN
    inspect(project, factories.person("ib", Role.INSPECTOR, project=project))
    assert (state(item), text_of(item)) == (ItemState.KEPT, (3, OTHERS))
    found = inspection_report(project)["instances"]
    assert (found["returned_later"], found["inspected"], found["not_inspected"]) == (1, 0, 0)


def test_the_inspector_may_discard_it_then(project, item, author, inspector):
    accept(project, author, inspector)
    reopen(item, project.created_by)
    submit(begin(project, author), candidates=OTHERS)
    inspect(project, inspector, DISCARD)
    assert state(item) == ItemState.REMOVED


def test_rounds_that_are_used_up_do_not_keep_a_flaw_in(researcher):
    """A later return corrects what inspectors missed, so the limit of rounds does not apply."""
    project = rewriting_project(researcher, "one-round", rounds=1)
    [item] = items(project)
    author, inspector = (
        factories.person(name, role, project=project)
        for name, role in (("cy", Role.ANNOTATOR), ("ina", Role.INSPECTOR))
    )
    write(project, author)
    inspect(project, inspector, RETURN)
    submit(begin(project, author), candidates=OTHERS)
    inspect(project, inspector)
    reopen(item, researcher)
    submit(begin(project, author), candidates=CANDIDATES)
    with refused("no_round_left"):
        inspect(project, inspector, RETURN)
    judge(Inspection.objects.get(decided_at=None), InspectionVerdict.ACCEPT)
    assert (state(item), text_of(item)) == (ItemState.KEPT, (3, CANDIDATES))


def test_where_its_author_has_left_it_is_open_to_others(project, item, author, other, inspector):
    accept(project, author, inspector)
    projects.remove_member(project=project, person=author, by=project.created_by)
    reopen(item, project.created_by)
    again = begin(project, other)
    assert (again.assignment.slot.round, again.candidates) == (2, CANDIDATES)


def test_what_was_frozen_before_keeps_its_text(project, item, author, inspector):
    accept(project, author, inspector)
    release = freeze(project)
    before = list(instances_of(release))
    reopen(item, project.created_by)
    with refused("nothing_kept"):
        freeze(project)
    submit(begin(project, author), candidates=OTHERS)
    inspect(project, inspector)
    assert list(instances_of(release)) == before
    assert OTHERS[3] in next(instances_of(freeze(project)))["candidates"]


@pytest.mark.parametrize(("comment", "code"), [(" \n", "comment_missing"), ("x" * 2_001, "comment_too_long")])
def test_a_reason_is_wanted_that_its_author_can_read(project, item, author, inspector, comment, code):
    accept(project, author, inspector)
    with refused(code, "comment"):
        reopen(item, project.created_by, comment)
    assert state(item) == ItemState.KEPT


def test_what_is_not_accepted_is_not_reopened(researcher):
    project = rewriting_project(researcher, "plain")
    [item] = items(project)
    author, inspector = (
        factories.person(name, role, project=project)
        for name, role in (("cy", Role.ANNOTATOR), ("ina", Role.INSPECTOR))
    )
    with refused("not_accepted"):
        reopen(item, researcher)
    write(project, author)
    with refused("not_accepted"):
        reopen(item, researcher)
    inspect(project, inspector, RETURN)
    with refused("being_revised"):
        reopen(item, researcher)
    submit(begin(project, author), candidates=OTHERS)
    inspect(project, inspector, DISCARD)
    with refused("not_accepted"):
        reopen(item, researcher)
    assert not InstanceReturn.objects.exists()


def test_reopened_twice_it_is_sent_back_once(project, item, author, inspector):
    accept(project, author, inspector)
    reopen(item, project.created_by)
    with refused("being_revised"):
        reopen(item, project.created_by)
    assert Assignment.objects.filter(slot__round=2).count() == 1


def test_no_event_holds_what_was_said(project, item, author, inspector):
    accept(project, author, inspector)
    reopen(item, project.created_by)
    assert "choir" not in str(list(Event.objects.values()))
    last = Event.objects.filter(subject="item").latest("pk")
    assert (last.by, last.why) == (project.created_by, "returned_later")


def test_a_text_voided_after_it_was_reopened_takes_the_reason_with_it(project, item, author, other, inspector):
    accept(project, author, inspector)
    reopen(item, project.created_by)
    since = timezone.now() - timedelta(days=1)
    voiding.void_work(project=project, person=author, since=since, why="copied", by=project.created_by)
    assert state(item) == ItemState.OPEN
    accept(project, other, inspector)
    reopen(item, project.created_by, "C is not said by the man.")
    again = begin(project, other)
    assert [comment.text for said in comments_for(again.assignment).values() for comment in said] == [
        "C is not said by the man."
    ]
