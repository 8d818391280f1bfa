"""Two people name the reasoning of accepted instances: who is asked, what counts, and the effect of voiding."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.actions import reasoning
from annotation.actions.inspection import returns
from annotation.actions.queue import voiding
from annotation.actions.queue.assignments import claim
from annotation.actions.rewriting import rewrites
from annotation.domain.reasoning import UNSURE, Reasoning
from annotation.domain.rewriting.rewriting import InspectionVerdict
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, Item, Project, Slot, Step, TypeChoice
from annotation.selectors.reasoning import progress_of, reasoning_of
from core.models import Event, Role, User
from tests import factories
from tests.annotation.actions.queue.assigned_work import history, refused
from tests.rewriting import expire_all, inspect, items, rewriting_project, submit, take, write

ATTITUDE, INTENTION, OTHER = Reasoning.ATTITUDE, Reasoning.INTENTION, Reasoning.OTHER


@pytest.fixture
def project(researcher: User) -> Project:
    return rewriting_project(researcher)


@pytest.fixture
def author(project: Project) -> User:
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


@pytest.fixture
def accepted(project: Project, author: User, inspector: User) -> Project:
    """Return a project with four items, three of them written by the author: two are accepted, and one was
    discarded.
    """
    items(project, 4)
    for verdict in (InspectionVerdict.ACCEPT, InspectionVerdict.ACCEPT, InspectionVerdict.DISCARD):
        write(project, author)
        inspect(project, inspector, verdict)
    return project


def ask(project: Project, instances: int | None = None) -> int:
    return reasoning.ask_about(project=project, instances=instances, by=project.created_by)


def name(project: Project, by: User, answer: str = ATTITUDE, **more: object) -> TypeChoice:
    """Claim the next instance for the person and name its reasoning."""
    assignment = take(project, Step.TYPE, by)
    assert assignment is not None
    return reasoning.choose(assignment=assignment, answer=answer, by=by, **more)


def named(project: Project) -> list[list[str]]:
    return sorted(reasoning_of(project).values())


def void(project: Project, person: User) -> int:
    since = timezone.now() - timedelta(days=1)
    return voiding.void_work(project=project, person=person, since=since, why="copied", by=project.created_by)


# ---- who is asked about what ----------------------------------------------------------------------------------------
def test_two_people_are_asked_about_each_accepted_instance_and_nobody_else(accepted, inspector, second, other):
    assert ask(accepted) == 2
    for person in (inspector, second):
        assert name(accepted, person) and name(accepted, person)
        assert take(accepted, Step.TYPE, person) is None
    assert take(accepted, Step.TYPE, other) is None
    assert named(accepted) == [[ATTITUDE, ATTITUDE]] * 2


def test_nobody_names_the_reasoning_of_what_they_wrote(accepted, author, other, inspector):
    ask(accepted)
    assert take(accepted, Step.TYPE, author) is None
    assignment = take(accepted, Step.TYPE, other)
    Assignment.objects.filter(pk=assignment.pk).update(person=author)
    with refused("own_item"):
        reasoning.choose(assignment=Assignment.objects.get(pk=assignment.pk), answer=OTHER, by=author)


def test_a_sample_is_drawn_by_the_seed_and_a_larger_one_holds_the_smaller(accepted):
    assert ask(accepted, 1) == 1
    first = Slot.objects.get(queue__step=Step.TYPE).item
    assert ask(accepted, 1) == 0
    assert ask(accepted, 2) == 1
    assert Slot.objects.filter(queue__step=Step.TYPE).earliest("position").item == first


def test_another_seed_draws_another_sample(researcher):
    def drawn(seed: int) -> str:
        project = rewriting_project(researcher, f"listening-{seed}")
        Project.objects.filter(pk=project.pk).update(seed=seed)
        author = factories.person(f"an-{seed}", project=project)
        inspector = factories.person(f"ida-{seed}", Role.INSPECTOR, project=project)
        items(project, 3)
        for _item in range(3):
            write(project, author)
            inspect(project, inspector)
        ask(Project.objects.get(pk=project.pk), 1)
        return Slot.objects.get(queue__project=project, queue__step=Step.TYPE).item.external_id

    assert len({drawn(seed) for seed in range(6)}) > 1


def test_what_is_accepted_later_is_asked_about_when_somebody_asks_again(accepted, other, inspector):
    ask(accepted)
    write(accepted, other)
    inspect(accepted, inspector)
    assert progress_of(accepted).asked == 2
    assert ask(accepted) == 1
    assert (progress_of(accepted).accepted, progress_of(accepted).asked) == (3, 3)


def test_without_anything_accepted_nobody_is_asked(project, researcher):
    with refused("nothing_accepted"):
        ask(project)
    assert progress_of(project) is None


def test_pairs_have_no_reasoning_types(researcher):
    with refused("kind_wrong"):
        ask(factories.another_project("weibo", researcher))


# ---- a choice -------------------------------------------------------------------------------------------------------
def test_a_choice_says_nothing_of_itself_in_the_audit_log(accepted, second):
    ask(accepted)
    choice = name(accepted, second, INTENTION, milliseconds=4200)
    assert (choice.answer, choice.milliseconds) == (INTENTION, 4200)
    assert history(choice) == [("", "named")]
    assert history(choice.assignment) == [("", AssignmentState.HELD), (AssignmentState.HELD, AssignmentState.SUBMITTED)]
    assert not Event.objects.filter(why__contains=INTENTION).exists()


def test_what_is_no_type_is_refused(accepted, second):
    ask(accepted)
    with refused("no_such_type"):
        name(accepted, second, "guess")
    assert name(accepted, second, UNSURE).answer == UNSURE


def test_the_same_choice_sent_twice_is_stored_once_and_another_one_refused(accepted, second):
    ask(accepted)
    choice = name(accepted, second)
    assert reasoning.choose(assignment=choice.assignment, answer=ATTITUDE, by=second) == choice
    with refused("named"):
        reasoning.choose(assignment=choice.assignment, answer=OTHER, by=second)
    assert TypeChoice.objects.get() == choice


def test_the_last_choices_may_be_changed_and_the_old_one_is_kept(accepted, second):
    ask(accepted)
    choice = name(accepted, second)
    changed = reasoning.choose(assignment=choice.assignment, answer=OTHER, again=True, by=second)
    assert named(accepted) == [[OTHER]]
    choice.refresh_from_db()
    assert choice.replaced_at and not changed.replaced_at


def test_a_choice_older_than_the_last_five_stays(accepted, second, monkeypatch):
    monkeypatch.setattr("annotation.models.reasoning.CHANGEABLE", 1)
    ask(accepted)
    first = name(accepted, second)
    name(accepted, second)
    with refused("too_late_to_change"):
        reasoning.choose(assignment=first.assignment, answer=OTHER, again=True, by=second)


def test_somebody_else_s_instance_is_refused(accepted, second, other):
    ask(accepted)
    with refused("not_yours"):
        reasoning.choose(assignment=take(accepted, Step.TYPE, second), answer=OTHER, by=other)


def test_what_one_has_named_is_not_skipped(accepted, second):
    ask(accepted)
    choice = name(accepted, second)
    with refused("named"):
        reasoning.skip(assignment=choice.assignment, reason="other", by=second)
    assert named(accepted) == [[ATTITUDE]]


def test_an_instance_that_was_left_is_another_person_s(accepted, inspector, second, other):
    ask(accepted, 1)
    assignment = take(accepted, Step.TYPE, second)
    with refused("reason_wrong"):
        reasoning.skip(assignment=assignment, reason="tired", by=second)
    reasoning.skip(assignment=assignment, reason="other", by=second)
    assert take(accepted, Step.TYPE, second) is None
    assert take(accepted, Step.TYPE, inspector) and take(accepted, Step.TYPE, other)


def test_what_comes_too_late_is_refused_where_two_others_have_named_it(accepted, inspector, second, other):
    ask(accepted, 1)
    late = take(accepted, Step.TYPE, second)
    expire_all()
    for person in (inspector, other):
        name(accepted, person)
    with refused("slot_taken"):
        reasoning.choose(assignment=late, answer=OTHER, by=second)


# ---- what is voided or revised --------------------------------------------------------------------------------------
def test_of_a_voided_text_no_type_counts_and_its_new_text_is_asked_about_anew(
    accepted, author, inspector, second, other
):
    ask(accepted)
    for person in (inspector, second):
        name(accepted, person)
    held = take(accepted, Step.TYPE, second)
    void(accepted, author)
    assert named(accepted) == []
    assert Assignment.objects.get(pk=held.pk).state == AssignmentState.OUTDATED
    assert take(accepted, Step.TYPE, second) is None
    write(accepted, other)
    inspect(accepted, inspector)
    assert ask(accepted) == 1
    assert name(accepted, second, OTHER)  # of another text: the person who named the first one is asked again
    assert named(accepted) == [[OTHER]]


def test_types_of_an_instance_whose_verdict_is_voided_rest_until_it_is_accepted_again(
    accepted, inspector, second, other
):
    ask(accepted)
    name(accepted, other)
    held = take(accepted, Step.TYPE, other)
    void(accepted, inspector)
    assert named(accepted) == []
    assert Assignment.objects.get(pk=held.pk).state == AssignmentState.OUTDATED
    assert take(accepted, Step.TYPE, other) is None
    with refused("moved_on"):
        reasoning.choose(assignment=held, answer=OTHER, by=other)
    for _item in range(2):
        inspect(accepted, second)
    assert named(accepted) == [[ATTITUDE]]
    assert ask(accepted) == 2
    name(accepted, other, OTHER)
    assert take(accepted, Step.TYPE, other) is None
    assert named(accepted) == [[ATTITUDE], [OTHER]]


def test_who_has_seen_the_key_of_a_text_is_not_asked_to_inspect_it(accepted, inspector, second):
    """Void its verdict: another one is asked for, but not from the person who has named its reasoning since."""
    ask(accepted)
    seen = name(accepted, second).assignment.slot.item
    void(accepted, inspector)
    judged = [inspect(accepted, second).assignment.slot.item for _item in range(2)]
    assert seen not in judged
    assert take(accepted, Step.INSPECT, second) is None
    assert Item.objects.get(pk=seen.pk).state == ItemState.WRITTEN, "it waits for another inspector"


def test_a_reopened_instance_is_nobody_s_to_name_until_its_new_text_is_accepted(
    accepted, author, inspector, second, other
):
    ask(accepted)
    item = name(accepted, other).assignment.slot.item
    held = take(accepted, Step.TYPE, second)
    assert held.slot.item == item
    returns.return_instance(item=item, comment="Two fit.", by=accepted.created_by)
    assert named(accepted) == []
    assert Assignment.objects.get(pk=held.pk).state == AssignmentState.OUTDATED
    with refused("moved_on"):
        reasoning.choose(assignment=held, answer=OTHER, by=second)
    [assignment] = Assignment.objects.filter(slot__round=2, state=AssignmentState.HELD)
    submit(rewrites.open_assignment(assignment=assignment, by=author), candidates=["Yes.", "No.", "Perhaps.", "Never."])
    inspect(accepted, inspector)
    assert named(accepted) == []
    assert ask(accepted) == 1


def test_types_of_a_text_that_was_revised_later_do_not_count(accepted, author, inspector, second, other):
    ask(accepted)
    name(accepted, other)
    name(accepted, other)
    void(accepted, inspector)
    for _item in range(3):
        inspect(accepted, second, InspectionVerdict.RETURN)
    for assignment in Assignment.objects.filter(slot__round=2, state=AssignmentState.HELD):
        submit(
            rewrites.open_assignment(assignment=assignment, by=author), candidates=["Yes.", "No.", "Perhaps.", "Never."]
        )
        inspect(accepted, second)
    assert named(accepted) == []
    assert ask(accepted) == 3
    name(accepted, other, OTHER)
    assert named(accepted) == [[OTHER]]


def test_voided_types_are_asked_for_again_of_somebody_else(accepted, inspector, second, other):
    ask(accepted, 1)
    name(accepted, second)
    name(accepted, other, OTHER)
    assert void(accepted, second) == 1
    assert named(accepted) == [[OTHER]]
    assert take(accepted, Step.TYPE, second) is None
    name(accepted, inspector, INTENTION)
    assert named(accepted) == [[INTENTION, OTHER]]
    assert void(accepted, second) == 0


def test_items_that_do_not_count_have_no_types(accepted, second):
    ask(accepted)
    name(accepted, second)
    accepted.items.update(purpose="gold")
    assert named(accepted) == []


def test_many_instances_are_handed_out_one_after_the_other(accepted, second):
    ask(accepted)
    assert len(claim(project=accepted, step=Step.TYPE, count=5, by=second)) == 2
