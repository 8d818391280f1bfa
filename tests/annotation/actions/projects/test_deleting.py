"""A project is deleted as long as no one has worked in it, with all that is its own."""

import threading
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from unittest.mock import patch

import pytest
from django.apps import apps
from django.core.files.storage import default_storage
from django.db import IntegrityError, OperationalError, transaction

from annotation.actions import flags
from annotation.actions.projects import copies, deleting, projects
from annotation.actions.qualification import qualification
from annotation.actions.queue import voiding
from annotation.actions.queue.assignments import expire_assignments
from annotation.actions.rating import ratings
from annotation.actions.releases.releases import freeze
from annotation.actions.rewriting import rewrites
from annotation.models import Assignment, CleaningRule, Cursor, Kind, Project, Queue, Recording, Rewrite
from core.actions import jobs, people
from core.actions.refusals import Refused
from core.domain.transitions import JobState
from core.models import Event, Invitation, Job, Name, Role, User
from core.models.scoped import scope_of
from tests import dialogues, factories, recordings
from tests.annotation.actions.qualification import gold_pairs
from tests.factories import no_progress
from tests.live_server import PATIENCE
from tests.threads import at_once, wait_until_another_waits


def refusal_of(project: Project) -> dict[str, int]:
    """Try to delete the project, and return what holds it, by code."""
    with pytest.raises(Refused) as refused:
        deleting.delete(project=project, by=project.created_by)
    assert refused.value.code == "has_work"
    holds = deleting.holds_of(project)
    assert all(hold.words in str(refused.value) for hold in holds)
    assert Project.objects.filter(pk=project.pk).exists()
    return {hold.code: hold.number for hold in holds}


def rows() -> dict[str, int]:
    """Return how many rows each table of the app has."""
    return {model.__name__: model._base_manager.count() for model in apps.get_app_config("annotation").get_models()}


def uploads() -> set[Path]:
    return {path for path in Path(default_storage.path("")).rglob("*") if path.is_file()}


def test_all_of_a_project_goes_with_it_and_nothing_of_another(researcher, django_capture_on_commit_callbacks):
    kept = factories.another_project("kept", researcher)
    factories.stored(kept, "Prompt\tResponse\nOther\tAnswer\n")
    before, files = rows(), uploads()
    project = projects.create(slug="gone", kind=Kind.RATING, settings={"gold_first": 1}, by=researcher)
    factories.person("member", project=project)
    factories.stored(project, "Prompt\tResponse\nOther\tAnswer\nShort\nPrompt\tResponse\n")
    gold_pairs.import_rows(project, gold_pairs.known(3))
    projects.change_settings(project=project, settings={"adjudicate": True}, by=researcher)
    CleaningRule.objects.create(project=project, key="own", words=["stove"])
    people.invite(role=Role.ANNOTATOR, scope=project, by=researcher)
    job = jobs.ask_for(kind="scan", arguments={}, scope=project, by=researcher)
    Job.objects.filter(pk=job.pk).update(state=JobState.DONE)
    assert uploads() > files
    with django_capture_on_commit_callbacks(execute=True):
        deleting.delete(project=project, by=researcher)
    assert rows() == before
    assert uploads() == files
    assert not Job.objects.filter(**scope_of(project)).exists()
    assert not Invitation.objects.filter(**scope_of(project)).exists()
    assert factories.another_project("gone", researcher).slug == "gone"


def test_the_log_keeps_who_deleted_which_name(project, researcher):
    factories.pairs(project, 2)
    pk, slug = project.pk, project.slug
    deleting.delete(project=project, by=researcher)
    [event] = Event.objects.filter(subject="project", subject_id=pk, became="deleted")
    assert (event.why, event.by, event.scope) == (slug, researcher, None)
    assert Event.objects.filter(subject="project", subject_id=pk, became="created").exists()
    assert not Name.objects.filter(name=slug).exists()


def test_files_stay_where_the_deletion_fails(project, researcher, django_capture_on_commit_callbacks):
    factories.stored(project, "Kettle?\tCold.\n")
    files = uploads()
    with (
        django_capture_on_commit_callbacks(execute=True),
        patch.object(deleting.deleting, "free_name", side_effect=OperationalError),
        suppress(OperationalError),
    ):
        deleting.delete(project=project, by=researcher)
    assert Project.objects.filter(pk=project.pk).exists()
    assert uploads() == files


def expired(held: Assignment) -> None:
    """Let the lease of an assignment end."""
    expire_assignments(now=held.lease_until + timedelta(minutes=1))


def test_a_pair_in_a_persons_hands_holds_a_project_and_one_that_was_only_looked_at_does_not(project, annotator):
    factories.pairs(project, 2)
    [held] = factories.take(project, annotator)
    assert refusal_of(project) == {"at_work": 1}
    expired(held)
    deleting.delete(project=project, by=project.created_by)
    assert not Assignment.objects.exists()


@pytest.mark.parametrize("what", ["grade", "late grade", "skip", "flag", "void"])
def test_what_a_person_did_holds_a_project(project, annotator, researcher, what):
    factories.pairs(project, 2)
    [held] = factories.take(project, annotator)
    if what == "skip":
        ratings.skip(assignment=held, reason="other", by=annotator)
    elif what == "flag":
        flags.raise_flag(assignment=held, by=annotator)
        expired(held)
    elif what == "late grade":
        expired(held)
        factories.grade(held)
    else:
        factories.grade(held)
    if what == "void":
        voiding.void_work(
            project=project, person=annotator, since=held.claimed_at, why="A test.", report=no_progress, by=researcher
        )
    assert refusal_of(project) == {"done": 1}


def test_a_text_that_was_begun_holds_a_project_and_an_opened_page_does_not(researcher):
    dream = dialogues.rewriting_project(researcher)
    author = factories.person("author", project=dream)
    dialogues.items(dream, 2)
    opened = dialogues.take_writing(dream, author)
    expired(opened.assignment)
    assert deleting.holds_of(dream) == []
    begun = dialogues.take_writing(dream, author)
    rewrites.save(rewrite=begun, cut=2, candidates=["One", "", "", ""], revision=begun.revision, by=author)
    expired(begun.assignment)
    assert refusal_of(dream) == {"done": 1}


def test_an_opened_page_goes_with_the_project(researcher):
    dream = dialogues.rewriting_project(researcher)
    author = factories.person("author", project=dream)
    dialogues.items(dream, 1)
    expired(dialogues.take_writing(dream, author).assignment)
    before = dream.pk
    deleting.delete(project=dream, by=researcher)
    assert not Project.objects.filter(pk=before).exists()
    assert not Rewrite.objects.exists()


def test_grades_of_a_model_practice_and_a_waiting_job_hold_a_project(project, annotator):
    factories.stored(project, "Kettle?\tCold.\nStove?\tOff.\n")
    factories.model_grades(project, "near", 1, 2)
    gold_pairs.import_rows(project, gold_pairs.known(5))
    gold_pairs.choose(project, practice=5)
    qualification.begin(project=project, by=annotator)
    jobs.ask_for(kind="scan", arguments={}, scope=project, by=project.created_by)
    assert refusal_of(project) == {"practice": 1, "models": 1, "jobs": 1}


def test_a_release_holds_a_project(project, annotator, partner):
    factories.pairs(project, 1)
    for person in (annotator, partner):
        factories.grade_next(project, person, 4)
    freeze(project=project, seed=0, report=no_progress, by=project.created_by)
    assert set(refusal_of(project)) == {"done", "releases"}


def test_recordings_that_another_project_has_stay(researcher, tmp_path, django_capture_on_commit_callbacks):
    gone, kept = (dialogues.rewriting_project(researcher, slug=slug) for slug in ("gone", "kept"))
    for project in (gone, kept):
        folder = tmp_path / project.slug
        folder.mkdir()
        recordings.items(project, folder, 1)
    shared = Recording.objects.filter(item__project=kept).first()
    with django_capture_on_commit_callbacks(execute=True):
        deleting.delete(project=gone, by=researcher)
    assert shared.path.exists()
    with django_capture_on_commit_callbacks(execute=True):
        deleting.delete(project=kept, by=researcher)
    assert not shared.path.exists()


# ---- at once --------------------------------------------------------------------------------------------------------
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", range(3))
def test_work_that_begins_while_a_project_is_deleted_is_never_lost(project, turn):
    """People who have worked there before, and one who comes for the first time."""
    people = [factories.person(f"p{number}", project=project) for number in range(3)]
    factories.pairs(project, 6)
    for person in people[:-1]:
        for held in factories.take(project, person):
            expired(held)
    claimed: list[Assignment] = []
    refused: list[str] = []

    def delete() -> None:
        try:
            deleting.delete(project=project, by=project.created_by)
        except Refused as refusal:
            refused.append(refusal.code)

    def claim(person: User) -> None:
        # The project that the person's page found is gone.
        with suppress(Queue.DoesNotExist, Cursor.DoesNotExist, IntegrityError):
            claimed.extend(factories.take(project, person))

    at_once([delete, *(lambda person=person: claim(person) for person in people)])
    is_there = Project.objects.filter(pk=project.pk).exists()
    assert is_there == (refused == ["has_work"])
    assert Assignment.objects.filter(pk__in=[each.pk for each in claimed]).count() == len(claimed)
    assert is_there or not claimed


@pytest.mark.django_db(transaction=True)
def test_a_deletion_waits_for_a_claim_that_is_under_way(project):
    annotator = factories.person("rater", project=project)
    factories.pairs(project, 2)
    has_claimed, refused = threading.Event(), []

    def claim() -> None:
        with transaction.atomic():
            factories.take(project, annotator)
            has_claimed.set()
            wait_until_another_waits()

    def delete() -> None:
        has_claimed.wait(timeout=PATIENCE)
        with pytest.raises(Refused) as refusal:
            deleting.delete(project=project, by=project.created_by)
        refused.append(refusal.value.code)

    at_once([claim, delete])
    assert refused == ["has_work"]
    assert Assignment.objects.count() == 1


def test_a_project_that_has_just_been_deleted_is_not_duplicated(project, researcher):
    gone = Project.objects.get(pk=project.pk)
    deleting.delete(project=project, by=researcher)
    with pytest.raises(Refused) as refused:
        copies.duplicate(project=gone, slug="weibo-2", by=researcher)
    assert (refused.value.code, Name.objects.filter(name="weibo-2").exists()) == ("deleted_meanwhile", False)


@pytest.mark.django_db(transaction=True)
def test_of_two_duplicates_of_one_name_at_once_one_is_refused(project, researcher):
    refused = []

    def duplicate() -> None:
        try:
            copies.duplicate(project=project, slug="weibo-2", by=researcher)
        except Refused as refusal:
            refused.append(refusal.code)

    at_once([duplicate, duplicate])
    assert (refused, Project.objects.filter(slug="weibo-2").count()) == (["slug_taken"], 1)
