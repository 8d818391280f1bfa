"""Versions of a draft: which are kept while an author writes, and restoring one."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.actions.queue.assignments import claim
from annotation.actions.queue.voiding import void_work
from annotation.actions.rewriting import rewrites
from annotation.domain.rewriting.rewriting import InspectionVerdict
from annotation.domain.rewriting.versions import MOST_VERSIONS
from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment, DraftVersion, Project, Rewrite, Step
from core.models import Role, User
from tests import factories
from tests.annotation.actions.queue.assigned_work import refused
from tests.rewriting import CANDIDATES, begin, expire_all, inspect, items, rewriting_project, submit, write

OTHERS = ["Quite another text.", "", "", ""]


@pytest.fixture
def project(researcher: User) -> Project:
    project = rewriting_project(researcher)
    items(project, 2)
    return project


@pytest.fixture
def author(project: Project) -> User:
    return factories.person("an", project=project)


@pytest.fixture
def rewrite(project: Project, author: User) -> Rewrite:
    return begin(project, author)


def save(rewrite: Rewrite, *candidates: str, cut: int = 3) -> Rewrite:
    texts = [*candidates, "", "", "", ""][:4]
    revision = Rewrite.objects.get(pk=rewrite.pk).revision
    return rewrites.save(rewrite=rewrite, cut=cut, candidates=texts, revision=revision, by=rewrite.assignment.person)


def restore(rewrite: Rewrite, version: int, **changed) -> Rewrite:
    """Restore a version from a page that shows the stored draft."""
    now = Rewrite.objects.get(pk=rewrite.pk)
    said = {"cut": now.cut, "candidates": now.candidates, "revision": now.revision, "by": rewrite.assignment.person}
    return rewrites.restore(rewrite=rewrite, version=version, **(said | changed))


def kept() -> list[str]:
    """Return the first candidate of each version, newest first."""
    return [version.candidates[0] for version in DraftVersion.objects.all()]


def long_ago(rewrite: Rewrite, **passed: float) -> None:
    """Move the stored times into the past."""
    Rewrite.objects.filter(pk=rewrite.pk).update(saved_at=timezone.now() - timedelta(**passed))


# ---- what is kept ---------------------------------------------------------------------------------------------------
def test_what_had_stood_for_a_while_is_kept_with_its_time_and_revision(rewrite):
    save(rewrite, "The hall is")
    long_ago(rewrite, minutes=6)
    before = Rewrite.objects.get()
    save(rewrite, "The hall is too small.")
    version = DraftVersion.objects.get()
    assert (version.cut, version.candidates, version.revision) == (3, ["The hall is", "", "", ""], 1)
    assert version.saved_at == before.saved_at


def test_what_a_save_throws_away_is_kept(rewrite):
    save(rewrite, "The hall is too small.")
    save(rewrite, "")
    assert kept() == ["The hall is too small."]


def test_the_same_save_sent_twice_keeps_one_version(rewrite):
    save(rewrite, "The hall is too small.")
    for _time in range(2):
        rewrites.save(rewrite=rewrite, cut=1, candidates=CANDIDATES, revision=1, by=rewrite.assignment.person)
    assert kept() == ["The hall is too small."]


def test_a_stale_save_keeps_no_version(rewrite):
    save(rewrite, "The hall is too small.")
    with refused("stale"):
        rewrites.save(rewrite=rewrite, cut=1, candidates=CANDIDATES, revision=0, by=rewrite.assignment.person)
    assert kept() == []


def test_the_first_version_and_the_newest_stay(rewrite):
    for number in range(30):
        save(rewrite, f"{number} {number} {number}")
    assert len(kept()) == MOST_VERSIONS
    assert kept() == [f"{n} {n} {n}" for n in [*range(28, 9, -1), 0]]


def test_what_came_back_from_an_inspector_stays_however_much_is_written(project, author):
    write(project, author)
    inspect(project, factories.person("ivo", Role.INSPECTOR, project=project), InspectionVerdict.RETURN)
    [assignment] = [
        assignment
        for assignment in claim(project=project, step=Step.WRITE, count=2, by=author)
        if assignment.slot.round == 2
    ]
    revised = rewrites.open_assignment(assignment=assignment, by=author)
    for number in range(30):
        save(revised, f"{number} {number} {number}")
    assert DraftVersion.objects.filter(rewrite=revised).last().candidates == CANDIDATES


def test_an_ordinary_save_costs_no_query_more_and_one_that_keeps_a_version_two(rewrite):
    ordinary = queries_of("The hall is too small.")
    assert not any("draftversion" in query for query in ordinary)
    assert len(queries_of("It closes.")) == len(ordinary) + 2


def queries_of(text: str) -> list[str]:
    with CaptureQueriesContext(connection) as captured:
        save(Rewrite.objects.get(), text)
    return [query["sql"] for query in captured]


# ---- going back -----------------------------------------------------------------------------------------------------
def test_a_version_is_brought_back_as_a_save_and_what_stood_becomes_one(rewrite):
    save(rewrite, "The hall is too small.", cut=2)
    save(rewrite, "It closes.")
    back = restore(rewrite, 1)
    assert (back.cut, back.candidates[0], back.revision) == (2, "The hall is too small.", 3)
    assert kept() == ["It closes.", "The hall is too small."]
    assert restore(rewrite, 2).candidates[0] == "It closes."


def test_going_to_and_fro_keeps_each_text_once(rewrite):
    save(rewrite, "The hall is too small.")
    save(rewrite, "It closes.")
    for version in (1, 2, 1, 2, 1):
        restore(rewrite, version)
    assert kept() == ["It closes.", "The hall is too small."]


def test_what_was_not_saved_yet_when_a_version_came_back_is_not_lost(rewrite):
    save(rewrite, "The hall is too small.")
    save(rewrite, "")
    restore(rewrite, 1, candidates=OTHERS)
    assert kept() == [OTHERS[0], "The hall is too small."]


def test_from_an_older_page_nothing_is_brought_back(rewrite):
    save(rewrite, "The hall is too small.")
    save(rewrite, "It closes.")
    with refused("stale"):
        restore(rewrite, 1, candidates=OTHERS, revision=1)
    assert Rewrite.objects.get().candidates[0] == "It closes."


def test_a_version_that_is_not_kept_is_refused_and_changes_nothing(rewrite):
    save(rewrite, "The hall is too small.")
    with refused("version_gone"):
        restore(rewrite, 77, candidates=OTHERS)
    assert Rewrite.objects.get().candidates[0] == "The hall is too small."


def test_a_version_of_another_rewrite_is_none_of_this_one(project, author, rewrite):
    save(rewrite, "The hall is too small.")
    save(rewrite, "")
    theirs = begin(project, factories.person("bo", project=project))
    with refused("version_gone"):
        restore(theirs, 1)


def test_nobody_brings_back_what_another_person_wrote(project, rewrite):
    save(rewrite, "The hall is too small.")
    save(rewrite, "")
    with refused("not_yours"):
        restore(rewrite, 1, by=factories.person("bo", project=project))
    assert Rewrite.objects.get().candidates == [""] * 4


def test_what_was_submitted_is_not_written_over_by_a_version(rewrite):
    save(rewrite, "The hall is too small.")
    submit(Rewrite.objects.get())
    with refused("submitted"):
        restore(rewrite, 1)
    assert Rewrite.objects.get().candidates == CANDIDATES


def test_on_an_item_left_to_others_or_voided_nothing_is_brought_back(project, author, researcher, rewrite):
    save(rewrite, "The hall is too small.")
    submit(Rewrite.objects.get())
    void_work(project=project, person=author, since=timezone.now() - timedelta(days=1), why="?", by=researcher)
    with refused("voided"):
        restore(rewrite, 1)
    other = begin(project, author)
    save(other, "The hall is too small.")
    save(other, "")
    rewrites.skip(rewrite=other, reason="other", by=author)
    with refused("skipped"):
        restore(other, 1)


# ---- the same place again -------------------------------------------------------------------------------------------
def test_versions_go_along_when_the_person_is_given_the_slot_again(project, author, rewrite):
    save(rewrite, "The hall is too small.")
    save(rewrite, "It closes.")
    expire_all()
    claim(project=project, step=Step.WRITE, count=2, by=author)
    newer = Assignment.objects.get(slot=rewrite.assignment.slot_id, state=AssignmentState.HELD)
    again = rewrites.open_assignment(assignment=newer, by=author)
    assert [version.candidates[0] for version in again.versions.all()] == ["The hall is too small."]
    assert restore(again, 1).candidates[0] == "The hall is too small."


def test_a_page_of_the_time_before_brings_back_on_the_newer_assignment(project, author, rewrite):
    save(rewrite, "The hall is too small.")
    save(rewrite, "It closes.")
    expire_all()
    claim(project=project, step=Step.WRITE, count=2, by=author)
    back = restore(rewrite, 1)
    assert (back.assignment_id != rewrite.assignment_id, back.candidates[0]) == (True, "The hall is too small.")


# ---- several devices ------------------------------------------------------------------------------------------------
def test_of_three_devices_each_text_is_stored_told_of_or_kept_as_a_version(rewrite, author):
    """All three opened the empty page; each takes over only what it was told of."""

    def save_from(revision: int, text: str, **how) -> Rewrite:
        return rewrites.save(rewrite=rewrite, cut=3, candidates=[text, "", "", ""], revision=revision, by=author, **how)

    save_from(0, "From the laptop: it is too small.")
    for other in ("From the telephone", "From the tablet"):
        with refused("stale"):
            save_from(0, other)
    save_from(1, "From the telephone: it is too small.", takes_over=True)
    with refused("stale"):
        save_from(1, "From the tablet: it is too small.", takes_over=True)
    save_from(2, "From the tablet: it is too small.", takes_over=True)
    assert Rewrite.objects.get().candidates[0] == "From the tablet: it is too small."
    assert kept() == ["From the telephone: it is too small.", "From the laptop: it is too small."]


def test_taking_over_an_empty_draft_keeps_no_version(rewrite, author):
    rewrites.save(rewrite=rewrite, cut=3, candidates=["Text", "", "", ""], revision=0, takes_over=True, by=author)
    assert kept() == []


@pytest.mark.parametrize("text", ["We could meet at ", "cafe\u0301 au lait", " 你好\r\n再见 "])
def test_the_same_text_is_no_conflict_whatever_its_revision_and_form(rewrite, author, text):
    for _time in range(2):
        rewrites.save(rewrite=rewrite, cut=3, candidates=[text, "", "", ""], revision=0, by=author)
    assert Rewrite.objects.get().revision == 1
