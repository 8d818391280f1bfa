"""Practice of authors: no other work until it is passed, each draft graded on its own, and no effect on any figure."""

import pytest
from django.core.files.base import ContentFile

from annotation.actions.imports import imports
from annotation.actions.projects import projects
from annotation.actions.qualification import qualification
from annotation.actions.queue import voiding
from annotation.actions.queue.assignments import claim
from annotation.actions.rewriting import rewrites
from annotation.domain.qualification.qualification import QualificationStatus
from annotation.domain.rewriting.rewriting import InspectionVerdict
from annotation.domain.workflow import AssignmentState, AttemptState, ItemState
from annotation.models import Attempt, Inspection, Item, PracticeDraft, Project, Purpose, Slot, Step
from annotation.selectors.qualification.practice_drafts import graded_drafts, practice_of
from annotation.selectors.rewriting.author_page import comments_for
from core.models import Role, User
from tests import factories, recordings
from tests.annotation.actions.queue.assigned_work import refused
from tests.rewriting import (
    CANDIDATES,
    answered,
    begin,
    expire_all,
    inspect,
    items,
    judge,
    practice_items,
    rewriting_project,
    submit,
    take,
    write,
)

ACCEPT, DISCARD = InspectionVerdict.ACCEPT, InspectionVerdict.DISCARD
NO = {"comments": {"0": "Says nothing."}}


@pytest.fixture
def project(researcher: User) -> Project:
    """Return a project with four drafts for an attempt, of which two of the last two must be accepted, and two
    attempts.
    """
    chosen = {"practice": 4, "practice_window": 2, "practice_threshold": 100, "practice_attempts": 2}
    return rewriting_project(researcher, **chosen)


@pytest.fixture
def author(project: Project) -> User:
    return factories.person("an", project=project)


@pytest.fixture
def other(project: Project) -> User:
    return factories.person("bo", project=project)


@pytest.fixture
def inspector(project: Project) -> User:
    return factories.person("ivo", Role.INSPECTOR, project=project)


@pytest.fixture
def work(project: Project) -> list[Item]:
    return items(project, 3)


@pytest.fixture
def practice(project: Project) -> list[Item]:
    return practice_items(project, 3)


def grade(project: Project, inspector: User, *accepted: bool) -> None:
    for is_accepted in accepted:
        judge(answered(project, inspector), ACCEPT if is_accepted else DISCARD, **({} if is_accepted else NO))


def status(project: Project, person: User) -> QualificationStatus:
    return practice_of(project, person).annotator.status


def states(project: Project, person: User) -> list[str]:
    return list(project.attempts.filter(person=person).values_list("state", flat=True))


def test_who_has_not_passed_is_handed_practice_alone_and_each_item_once(project, author, work, practice):
    met = [write(project, author).assignment for _ in practice]
    assert {assignment.slot.item for assignment in met} == set(practice)
    assert {assignment.slot_number for assignment in met} == {None}
    assert not Item.objects.exclude(state=ItemState.OPEN).exists()
    assert not Slot.objects.filter(item__in=work, free=0).exists()


def test_when_all_were_used_they_come_again_from_the_start_with_four_blanks(project, author, work, practice):
    for _ in practice:
        write(project, author)
    again = begin(project, author)
    assert (again.assignment.slot.round, again.candidates) == (2, [""] * 4)


def test_another_order_for_everybody_and_the_same_on_any_day(researcher):
    def order(slug: str) -> list[str]:
        made = rewriting_project(researcher, slug, practice=6, practice_window=2)
        practice_items(made, 6)
        person = User.objects.filter(username="an").first() or factories.person("an")
        projects.add_member(project=made, person=person, role=Role.ANNOTATOR, by=researcher)
        return [write(made, person).assignment.slot.item.external_id for _ in range(6)]

    first, second = order("one"), order("two")
    assert sorted(first) == sorted(second)
    assert first != second


def test_two_people_write_on_one_item_and_neither_sees_the_other_s(project, author, other, practice):
    texts = {person: [write(project, person) for _ in practice] for person in (author, other)}
    assert {rewrite.assignment.slot_id for rewrite in texts[author]} == {
        rewrite.assignment.slot_id for rewrite in texts[other]
    }
    for rewrite in texts[other]:
        assert not rewrite.versions.exists()
    assert begin(project, other).candidates == [""] * 4  # their second round does not begin with an earlier text


def test_a_second_meeting_with_an_item_shows_nothing_that_was_said_of_the_first(
    project, author, other, inspector, practice
):
    for _ in practice:
        write(project, other)
        write(project, author)
    grade(project, inspector, False, False, False, False)
    again = begin(project, author)
    assert again.assignment.slot.round == 2
    assert comments_for(again.assignment) == {}
    assert all(comments_for(assignment) == {} for assignment in claim(project=project, step=Step.INSPECT, by=inspector))


def test_no_further_draft_once_the_number_of_the_attempt_is_used_up(project, author, practice):
    for _ in range(4):
        write(project, author)
    assert take(project, Step.WRITE, author) is None
    assert (practice_of(project, author).waiting, practice_of(project, author).left) == (4, 0)


def test_enough_accepted_of_the_last_ones_passes_and_work_is_handed_out(project, author, inspector, work, practice):
    for _ in range(3):
        write(project, author)
    grade(project, inspector, False, True, True)
    assert states(project, author) == [AttemptState.PASSED]
    assert status(project, author) == QualificationStatus.FREE
    [assignment] = claim(project=project, step=Step.WRITE, by=author)
    assert assignment.slot.item in work


def test_what_is_left_to_grade_when_somebody_passes_is_asked_of_nobody(project, author, inspector, work, practice):
    for _ in range(3):
        write(project, author)
    claimed = begin(project, author)
    grade(project, inspector, True, True)
    assert take(project, Step.INSPECT, inspector) is None
    claimed.assignment.refresh_from_db()
    assert claimed.assignment.state == AssignmentState.OUTDATED
    with refused("practice_over"):
        submit(claimed)
    claimed.refresh_from_db()
    assert claimed.candidates[0] == CANDIDATES[0]  # kept
    assert begin(project, author).assignment.slot.item in work


def test_an_attempt_that_is_used_up_fails_and_the_next_begins_by_itself(project, author, inspector, practice):
    for _ in range(4):
        write(project, author)
    grade(project, inspector, True, False, True, False)
    assert states(project, author) == [AttemptState.FAILED]
    assert practice_of(project, author).number == 2
    write(project, author)
    assert states(project, author) == [AttemptState.FAILED, AttemptState.OPEN]


def failed(project: Project, author: User, inspector: User) -> None:
    for _ in range(8):
        write(project, author)
        grade(project, inspector, False)


def test_after_the_last_attempt_somebody_has_to_excuse(project, author, inspector, practice, researcher):
    failed(project, author, inspector)
    assert status(project, author) == QualificationStatus.FAILED
    assert take(project, Step.WRITE, author) is None
    qualification.let_go_on(project=project, person=author, why="talked it over", by=researcher)
    assert states(project, author) == [AttemptState.FAILED, AttemptState.EXCUSED]
    assert write(project, author).practice.attempt.number == 3


def test_nobody_is_excused_who_has_attempts_left(project, author, practice, researcher):
    with refused("attempts_left"):
        qualification.let_go_on(project=project, person=author, why="kind", by=researcher)
    assert states(project, author) == []


def test_a_draft_is_judged_blind_first_and_what_is_not_accepted_needs_a_comment(project, author, inspector, practice):
    write(project, author)
    inspection = answered(project, inspector, candidate=2)
    with refused("comment_missing", "comments"):
        judge(inspection, DISCARD)
    judge(inspection, DISCARD, **NO)
    [seen] = graded_drafts(project, author, most=5)
    assert (seen.draft.is_accepted, seen.comments) == (False, {"0": "Says nothing."})
    assert (
        begin(project, author).assignment.slot.item != inspection.rewrite.assignment.slot.item
    )  # nothing is returned for revision


def test_a_doubt_never_sends_a_draft_back(project, author, inspector, practice):
    write(project, author)
    judge(answered(project, inspector), InspectionVerdict.RETURN)
    assert not Slot.objects.filter(required=1, queue__step=Step.WRITE).exists()
    assert PracticeDraft.objects.get().is_accepted is False


def test_one_inspector_judges_every_draft_of_an_item_and_each_once(project, author, other, inspector, practice):
    for person in (author, other):
        write(project, person)
    write(project, author)
    grade(project, inspector, True, True, True)
    assert take(project, Step.INSPECT, inspector) is None
    assert Inspection.objects.values("rewrite").distinct().count() == 3


def test_whoever_wrote_on_an_item_judges_nobody_s_draft_of_it(project, author, other, practice):
    for _ in practice:
        write(project, author)
    write(project, other)
    factories.change_role(author, project, Role.INSPECTOR)
    author.refresh_from_db()
    assert take(project, Step.INSPECT, author) is None


def test_drafts_come_between_the_work_in_the_order_of_their_arrival(project, author, inspector, work, practice):
    free = factories.person("cy", project=project)
    Attempt.objects.create(project=project, person=free, number=1, pairs=4, state=AttemptState.PASSED)
    write(project, free)
    write(project, author)
    write(project, free)
    judged = [inspect(project, inspector).assignment.slot.item.purpose for _ in range(3)]
    assert judged == [Purpose.WORK, Purpose.PRACTICE, Purpose.WORK]


def test_a_draft_whose_time_ended_comes_back_with_its_text(project, author, practice):
    begun = begin(project, author)
    rewrites.save(rewrite=begun, cut=2, candidates=["a", "b", "", ""], revision=0, by=author)
    expire_all()
    again = begin(project, author)
    assert again.assignment != begun.assignment
    assert (again.assignment.slot, again.candidates) == (begun.assignment.slot, ["a", "b", "", ""])


def test_a_draft_that_is_late_counts_as_long_as_practice_is_not_over(project, author, practice):
    begun = begin(project, author)
    expire_all()
    submit(begun)
    assert practice_of(project, author).waiting == 1


def test_a_skipped_item_is_not_asked_again_before_the_others(project, author, practice):
    skipped = begin(project, author)
    rewrites.skip(rewrite=skipped, reason="no_clue", by=author)
    assert practice_of(project, author).submitted == 0
    assert begin(project, author).assignment.slot.item != skipped.assignment.slot.item


def void(project: Project, person: User) -> int:
    since = project.created_at
    return voiding.void_work(project=project, person=person, since=since, why="copied", by=project.created_by)


def test_a_voided_draft_leaves_its_attempt_and_nobody_judges_it(project, author, inspector, practice):
    write(project, author)
    write(project, author)
    claimed = answered(project, inspector)
    assert void(project, author) == 0  # counts work only
    assert practice_of(project, author).submitted == 0
    with refused("moved_on"):
        judge(claimed, ACCEPT)
    assert take(project, Step.INSPECT, inspector) is None
    assert write(project, author).practice.position == 3


def test_a_voided_verdict_is_asked_of_another_inspector(project, author, inspector, practice):
    second = factories.person("ute", Role.INSPECTOR, project=project)
    write(project, author)
    grade(project, inspector, True)
    void(project, inspector)
    assert PracticeDraft.objects.get().is_accepted is None
    assert take(project, Step.INSPECT, inspector) is None
    grade(project, second, False)
    assert PracticeDraft.objects.get().is_accepted is False


def test_an_attempt_that_is_over_stays_as_it_ended(project, author, inspector, work, practice):
    for _ in range(2):
        write(project, author)
    grade(project, inspector, True, True)
    void(project, inspector)
    void(project, author)
    assert states(project, author) == [AttemptState.PASSED]
    assert take(project, Step.INSPECT, inspector) is None


def test_work_in_hand_waits_while_its_author_practises(project, author, work, practice, researcher):
    projects.change_settings(project=project, settings={"practice": 0}, by=researcher)
    claimed = begin(project, author)
    projects.change_settings(project=project, settings={"practice": 4}, by=researcher)
    assert begin(project, author).assignment.slot.item in practice
    submit(claimed)
    assert Item.objects.get(pk=claimed.assignment.slot.item_id).state == ItemState.WRITTEN


def test_with_no_practice_item_there_is_nothing_to_write(project, author, work):
    assert take(project, Step.WRITE, author) is None
    assert status(project, author) == QualificationStatus.WAITING


def test_practice_is_for_rewriting(researcher):
    rating = factories.another_project("other", researcher)
    with refused("kind_wrong"):
        factories.received(rating, "a\tb\n", is_practice=True)
    assert not rating.imports.exists()


def test_nothing_with_audio_or_picture_is_practised_on(researcher, tmp_path):
    project = rewriting_project(researcher, practice=2, practice_window=1)
    path = recordings.zipped(
        tmp_path / "talks.zip", recordings.row(1), recordings.row(2, audio=None, answer_image=None)
    )
    received = imports.receive(
        project=project, file=ContentFile(path.read_bytes()), name=path.name, is_practice=True, by=researcher
    )
    received = imports.check(received=received, report=factories.no_progress, by=researcher)
    [refused_row] = received.refused_rows.all()
    assert (refused_row.line, refused_row.code) == (1, "practice_recorded")
    imports.store(received=received, partial=True, report=factories.no_progress, by=researcher)
    assert [item.state for item in project.items.all()] == ["open"]
