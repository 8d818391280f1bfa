"""Inspections: blind first, never of one's own text, one outcome for all verdicts, and late verdicts."""

import pytest

from annotation.actions.inspection import inspections
from annotation.actions.projects import projects
from annotation.actions.queue.assignments import claim
from annotation.actions.queue.skips import undo_skip
from annotation.actions.rewriting import rewrites
from annotation.domain.rewriting.rewriting import InspectionVerdict
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, Inspection, Item, Project, Rewrite, Slot, Step
from annotation.selectors.rewriting.author_page import comments_for
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
    question,
    rewriting_project,
    submit,
    take,
    write,
)

ACCEPT, RETURN, DISCARD = InspectionVerdict.ACCEPT, InspectionVerdict.RETURN, InspectionVerdict.DISCARD


@pytest.fixture
def project(researcher: User) -> Project:
    return rewriting_project(researcher, rounds=2)


@pytest.fixture
def author(project: Project) -> User:
    return factories.person("an", project=project)


@pytest.fixture
def other(project: Project) -> User:
    return factories.person("bo", project=project)


@pytest.fixture
def second(project: Project) -> User:
    return factories.person("ivo", Role.INSPECTOR, project=project)


@pytest.fixture
def two(researcher: User) -> Project:
    """Return a project that requires two inspectors, with one written item."""
    project = rewriting_project(researcher, "two", inspectors=2)
    items(project)
    write(project, factories.person("cy", project=project))
    return project


@pytest.fixture(autouse=True)
def dialogues(project: Project) -> list[Item]:
    return items(project, 3)


def returned_later(inspection: Inspection) -> Inspection:
    return Inspection.objects.get(pk=inspection.pk)


# ---- blind first ----------------------------------------------------------------------------------------------------
def test_the_order_is_drawn_when_the_page_is_opened_and_stays(project, author, inspector):
    write(project, author)
    assignment = take(project, Step.INSPECT, inspector)
    inspection = inspections.open_assignment(assignment=assignment, by=inspector)
    assert sorted(inspection.order) == [0, 1, 2, 3]
    assert inspections.open_assignment(assignment=assignment, by=inspector).order == inspection.order
    assert (inspection.answered_at, inspection.verdict) == (None, "")


def test_different_inspectors_and_items_see_different_orders(project, author, inspector):
    for _item in range(3):
        write(project, author)
    orders = set()
    for _item in range(3):
        assignment = take(project, Step.INSPECT, inspector)
        inspection = inspections.open_assignment(assignment=assignment, by=inspector)
        orders.add(tuple(inspection.order))
        inspections.answer(inspection=inspection, candidate=0, by=inspector)
        judge(inspection, ACCEPT)
    assert len(orders) > 1


@pytest.mark.parametrize("candidate", [0, 3, None])
def test_the_answer_is_stored_once(project, author, inspector, candidate):
    write(project, author)
    inspection = answered(project, inspector, candidate)
    assert returned_later(inspection).answer == candidate
    at = returned_later(inspection).answered_at
    assert inspections.answer(inspection=inspection, candidate=candidate, by=inspector).answered_at == at
    with refused("answered"):
        inspections.answer(inspection=inspection, candidate=1, by=inspector)
    assert (returned_later(inspection).answer, returned_later(inspection).answered_at) == (candidate, at)
    assert history(inspection) == [("", "answered")]


@pytest.mark.parametrize("candidate", [4, -1, 99])
def test_an_answer_that_is_no_candidate_is_refused(project, author, inspector, candidate):
    write(project, author)
    inspection = inspections.open_assignment(assignment=take(project, Step.INSPECT, inspector), by=inspector)
    with refused("no_such_candidate"):
        inspections.answer(inspection=inspection, candidate=candidate, by=inspector)
    assert returned_later(inspection).answered_at is None


@pytest.mark.parametrize("verdict", InspectionVerdict)
def test_deciding_before_answering_is_refused(project, author, inspector, verdict):
    write(project, author)
    inspection = inspections.open_assignment(assignment=take(project, Step.INSPECT, inspector), by=inspector)
    with refused("not_answered"):
        judge(inspection, verdict)
    assert returned_later(inspection).verdict == ""
    assert state(inspection.assignment.slot.item) == ItemState.WRITTEN


# ---- outcomes -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("verdict", "becomes"),
    [(ACCEPT, ItemState.KEPT), (RETURN, ItemState.RETURNED), (DISCARD, ItemState.REMOVED)],
)
def test_one_verdict_decides_where_one_inspector_is_wanted(project, author, inspector, verdict, becomes):
    write(project, author)
    inspection = inspect(project, inspector, verdict)
    item = inspection.assignment.slot.item
    assert state(item) == becomes
    assert returned_later(inspection).verdict == verdict
    assert history(item) == [("open", "written"), ("written", becomes)]
    assert history(inspection) == [("", "answered"), ("", verdict)]
    assert Assignment.objects.get(pk=inspection.assignment_id).state == AssignmentState.SUBMITTED


@pytest.mark.parametrize(
    ("first", "then", "becomes"),
    [
        (ACCEPT, ACCEPT, ItemState.KEPT),
        (ACCEPT, RETURN, ItemState.RETURNED),
        (RETURN, ACCEPT, ItemState.RETURNED),
        (DISCARD, RETURN, ItemState.REMOVED),
        (RETURN, DISCARD, ItemState.REMOVED),
        (DISCARD, ACCEPT, ItemState.REMOVED),
    ],
)
def test_with_two_inspectors_the_severer_verdict_decides_once_both_are_in(two, first, then, becomes):
    inspector, second = (factories.person(name, Role.INSPECTOR, project=two) for name in ("ia", "ib"))
    item = inspect(two, inspector, first).assignment.slot.item
    assert state(item) == ItemState.WRITTEN
    assert take(two, Step.INSPECT, inspector) is None
    inspect(two, second, then)
    assert state(item) == becomes


def test_the_same_verdict_sent_twice_is_one_and_another_is_refused(project, author, inspector):
    write(project, author)
    inspection = inspect(project, inspector, RETURN)
    logged = Event.objects.count()
    assert judge(inspection, RETURN) == inspection
    assert Event.objects.count() == logged
    with refused("decided"):
        judge(inspection, ACCEPT)
    assert returned_later(inspection).verdict == RETURN


def test_whether_it_can_be_revised_is_asked_only_where_something_is_doubted(project, author, inspector):
    write(project, author)
    inspection = answered(project, inspector)
    with refused("revisable_missing", "is_revisable"):
        judge(inspection, RETURN, is_revisable=None)
    assert judge(inspection, ACCEPT, is_revisable=True).is_revisable is None


def test_sending_back_needs_a_comment_for_the_author(project, author, inspector):
    write(project, author)
    inspection = answered(project, inspector)
    with refused("comment_missing", "comments"):
        judge(inspection, RETURN, comments={"2": "  "})
    assert judge(inspection, RETURN, comments={"2": " Fits. ", "cut": "", "context": "Too short."}).comments == {
        "context": "Too short.",
        "2": "Fits.",
    }


@pytest.mark.parametrize(
    ("comments", "code", "field"),
    [
        ({"4": "x"}, "comment_wrong", "comments"),
        ({"key": "x"}, "comment_wrong", "comments"),
        ({"0": "x" * 2_001}, "comment_too_long", "0"),
    ],
)
def test_a_comment_belongs_to_a_part_and_has_a_longest_length(project, author, inspector, comments, code, field):
    write(project, author)
    inspection = answered(project, inspector)
    with refused(code, field):
        judge(inspection, RETURN, comments=comments)
    assert returned_later(inspection).decided_at is None


# ---- revising --------------------------------------------------------------------------------------------------------
def test_a_returned_item_is_held_for_its_author_with_the_text_and_the_comments(project, author, other, inspector):
    written = write(project, author)
    inspect(project, inspector, RETURN)
    slot = Slot.objects.get(queue__step=Step.WRITE, item=written.assignment.slot.item, round=2)
    assert slot.free == 0
    assert written.assignment.slot.item not in {
        assignment.slot.item for assignment in claim(project=project, step=Step.WRITE, count=3, by=other)
    }
    assignment = Assignment.objects.get(slot=slot)
    assert (assignment.person, assignment.state) == (author, AssignmentState.HELD)
    assert assignment in claim(project=project, step=Step.WRITE, by=author)
    again = rewrites.open_assignment(assignment=assignment, by=author)
    assert (again.pk != written.pk, again.cut, again.candidates, again.revision) == (True, 3, CANDIDATES, 0)
    revised = submit(again, candidates=[*CANDIDATES[:3], "Revised."])
    assert state(revised.assignment.slot.item) == ItemState.WRITTEN
    assert Rewrite.objects.get(pk=written.pk).candidates == CANDIDATES
    inspection = inspect(project, inspector)
    assert inspection.rewrite == revised
    assert state(revised.assignment.slot.item) == ItemState.KEPT


def test_when_that_lease_ends_any_author_may_revise_it_from_the_earlier_text(project, author, other, inspector):
    written = write(project, author)
    inspect(project, inspector, RETURN)
    expire_all()
    claim(project=project, step=Step.WRITE, count=3, by=other)
    assignment = Assignment.objects.get(person=other, slot__item=written.assignment.slot.item)
    assert (assignment.slot.round, rewrites.open_assignment(assignment=assignment, by=other).candidates) == (
        2,
        CANDIDATES,
    )
    submit(rewrites.open_assignment(assignment=assignment, by=other), cut=1)
    assert state(written.assignment.slot.item) == ItemState.WRITTEN


def test_an_author_who_is_gone_leaves_the_item_to_the_others(project, author, other, inspector, researcher):
    written = write(project, author)
    projects.remove_member(project=project, person=author, by=researcher)
    inspect(project, inspector, RETURN)
    assert Slot.objects.get(item=written.assignment.slot.item, queue__step=Step.WRITE, round=2).free == 1
    claim(project=project, step=Step.WRITE, count=3, by=other)
    assert Assignment.objects.filter(person=other, slot__item=written.assignment.slot.item, slot__round=2).exists()


def test_after_so_many_rounds_it_is_accepted_or_discarded(project, author, inspector):
    item = write(project, author).assignment.slot.item
    for _round in range(2):
        inspect(project, inspector, RETURN)
        submit(
            rewrites.open_assignment(
                assignment=Assignment.objects.get(slot__item=item, state=AssignmentState.HELD), by=author
            )
        )
    inspection = answered(project, inspector)
    with refused("no_round_left", "is_revisable"):
        judge(inspection, RETURN)
    judge(inspection, DISCARD)
    assert state(item) == ItemState.REMOVED


# ---- never one's own ------------------------------------------------------------------------------------------------
def test_an_author_is_never_handed_their_own_item_to_judge(project, author, other, inspector, researcher):
    own = write(project, author).assignment.slot.item
    theirs = write(project, other).assignment.slot.item
    assigned = claim(project=project, step=Step.INSPECT, count=3, by=author)
    assert [assignment.slot.item for assignment in assigned] == [theirs]
    assert {
        assignment.slot.item for assignment in claim(project=project, step=Step.INSPECT, count=3, by=inspector)
    } == {own}


def test_whoever_revised_an_item_does_not_judge_it_nor_does_its_first_author(project, author, other, inspector):
    item = write(project, author).assignment.slot.item
    inspect(project, inspector, RETURN)
    expire_all()
    claim(project=project, step=Step.WRITE, count=3, by=other)
    assignment = Assignment.objects.get(person=other, slot__item=item)
    submit(rewrites.open_assignment(assignment=assignment, by=other), cut=1)
    for person in (author, other):
        assert claim(project=project, step=Step.INSPECT, count=3, by=person) == []
    assert len(claim(project=project, step=Step.INSPECT, count=3, by=inspector)) == 1


def test_whoever_skipped_an_item_has_seen_its_key_and_does_not_judge_it(project, author, other):
    rewrite = begin(project, author)
    rewrites.skip(rewrite=rewrite, reason="unclear", by=author)
    while not Rewrite.objects.filter(assignment__slot=rewrite.assignment.slot, submitted_at__isnull=False).exists():
        write(project, other)
    assignments = claim(project=project, step=Step.INSPECT, count=3, by=author)
    assert rewrite.assignment.slot.item not in {assignment.slot.item for assignment in assignments}


def test_a_verdict_on_ones_own_item_is_refused_however_one_came_to_the_assignment(project, author):
    write(project, author)
    slot = Slot.objects.get(queue__step=Step.INSPECT)
    factories.change_role(author, project, Role.INSPECTOR)
    assignment = Assignment.objects.create(slot=slot, slot_number=1, person=author, lease_until=slot.item.created_at)
    Slot.objects.filter(pk=slot.pk).update(free=0)
    with refused("own_item"):
        inspections.open_assignment(assignment=assignment, by=author)
    planted = Inspection.objects.create(assignment=assignment, rewrite=Rewrite.objects.get(), order=[0, 1, 2, 3])
    for act in (
        lambda: inspections.answer(inspection=planted, candidate=0, by=author),
        lambda: judge(planted, ACCEPT),
    ):
        with refused("own_item"):
            act()
    assert state(slot.item) == ItemState.WRITTEN


def test_nobody_judges_on_the_assignment_of_another(project, author, inspector, second):
    write(project, author)
    inspection = answered(project, inspector)
    for act in (
        lambda: inspections.open_assignment(assignment=inspection.assignment, by=second),
        lambda: inspections.answer(inspection=inspection, candidate=1, by=second),
        lambda: inspections.decide(
            inspection=inspection, is_correct=True, is_unique=True, is_revisable=None, comments={}, by=second
        ),
        lambda: inspections.skip(inspection=inspection, reason="other", by=second),
    ):
        with refused("not_yours"):
            act()
    assert returned_later(inspection).decided_at is None


# ---- too late -------------------------------------------------------------------------------------------------------
def test_a_verdict_on_an_item_decided_meanwhile_is_refused_and_its_comments_are_kept(
    project, author, inspector, second
):
    write(project, author)
    late = answered(project, inspector)
    expire_all()
    inspect(project, second, DISCARD)
    with refused("moved_on"):
        judge(late, RETURN)
    assert (returned_later(late).comments, returned_later(late).verdict) == ({"3": "Fits as well."}, "")
    assert state(late.assignment.slot.item) == ItemState.REMOVED


def test_a_verdict_on_an_item_returned_and_written_anew_does_not_count_for_the_new_text(
    project, author, inspector, second
):
    item = write(project, author).assignment.slot.item
    late = answered(project, inspector)
    expire_all()
    inspect(project, second, RETURN)
    submit(
        rewrites.open_assignment(
            assignment=Assignment.objects.get(slot__item=item, state=AssignmentState.HELD), by=author
        ),
        cut=1,
    )
    with refused("moved_on"):
        judge(late, ACCEPT)
    assert state(item) == ItemState.WRITTEN


def test_a_late_verdict_is_taken_while_the_slot_is_free(project, author, inspector):
    write(project, author)
    late = answered(project, inspector)
    expire_all()
    judge(late, ACCEPT)
    assert state(late.assignment.slot.item) == ItemState.KEPT


def test_a_verdict_is_refused_while_somebody_else_has_the_item(project, author, inspector, second):
    write(project, author)
    late = answered(project, inspector)
    expire_all()
    answered(project, second)
    with refused("slot_taken"):
        judge(late, DISCARD)
    assert state(late.assignment.slot.item) == ItemState.WRITTEN


def test_who_has_seen_the_key_does_not_answer_again_after_the_lease(project, author, inspector):
    write(project, author)
    inspection = answered(project, inspector, 2)
    expire_all()
    assignment = take(project, Step.INSPECT, inspector)
    assert assignment.pk != inspection.assignment_id
    again = inspections.open_assignment(assignment=assignment, by=inspector)
    assert (again.pk, again.answer, again.order) == (inspection.pk, 2, inspection.order)
    with refused("answered"):
        inspections.answer(inspection=again, candidate=0, by=inspector)


def test_a_skipped_item_goes_to_another_inspector(project, author, inspector, second):
    write(project, author)
    assignment = take(project, Step.INSPECT, inspector)
    inspection = inspections.open_assignment(assignment=assignment, by=inspector)
    with refused("reason_wrong"):
        inspections.skip(inspection=inspection, reason="bored", by=inspector)
    inspections.skip(inspection=inspection, reason="unclear", by=inspector)
    assert take(project, Step.INSPECT, inspector) is None
    assert take(project, Step.INSPECT, second).slot == assignment.slot


def test_comments_come_back_with_a_skip_that_is_undone_and_to_its_person_alone(project, author, inspector, second):
    write(project, author)
    inspection = answered(project, inspector, 0)
    with refused("comment_too_long"):
        inspections.skip(inspection=inspection, reason="other", comments={"cut": "x" * 2_001}, by=inspector)
    inspections.skip(inspection=inspection, reason="other", comments={"cut": " Too early. ", "1": ""}, by=inspector)
    others = inspections.open_assignment(assignment=take(project, Step.INSPECT, second), by=second)
    assert others.comments == {}
    expire_all()
    back = undo_skip(assignment=inspection.assignment, by=inspector)
    assert inspections.open_assignment(assignment=back, by=inspector).comments == {"cut": "Too early."}


def test_comments_of_a_skip_reach_no_author(project, author, inspector, second):
    write(project, author)
    inspection = answered(project, inspector, 0)
    inspections.skip(inspection=inspection, reason="other", comments={"cut": "Too early."}, by=inspector)
    inspect(project, second, RETURN)
    returned = take(project, Step.WRITE, author)
    assert "Too early." not in str(comments_for(returned))


def test_no_event_holds_a_comment_or_the_answer(project, author, inspector):
    write(project, author)
    inspect(project, inspector, RETURN)
    assert "Fits" not in str(list(Event.objects.values()))
    assert question()["answer"] not in str(list(Event.objects.values()))
