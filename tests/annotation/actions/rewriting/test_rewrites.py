"""Writing: drafts saved as one object, submissions checked, items left to others."""

import pytest

from annotation.actions.queue.assignments import claim
from annotation.actions.queue.drafts import NotSubmitted
from annotation.actions.rewriting import rewrites
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, Item, Project, Rewrite, Slot, Step
from core.models import Event, User
from tests import factories
from tests.annotation.actions.queue.assigned_work import history, refused, state
from tests.rewriting import CANDIDATES, begin, expire_all, items, rewriting_project, submit, take, write


@pytest.fixture
def project(researcher: User) -> Project:
    return rewriting_project(researcher)


@pytest.fixture
def author(project: Project) -> User:
    return factories.person("an", project=project)


@pytest.fixture
def other(project: Project) -> User:
    return factories.person("bo", project=project)


@pytest.fixture(autouse=True)
def dialogues(project: Project) -> list[Item]:
    return items(project, 3)


def save(rewrite: Rewrite, revision: int | None = None, **changed) -> Rewrite:
    said = {"cut": 2, "candidates": ["One.", "", "", ""], **changed}
    number = rewrite.revision if revision is None else revision
    return rewrites.save(rewrite=rewrite, revision=number, by=rewrite.assignment.person, **said)


# ---- drafts ---------------------------------------------------------------------------------------------------------
def test_a_new_item_begins_with_four_blanks_and_the_last_possible_cut(project, author):
    rewrite = begin(project, author)
    assert (rewrite.cut, rewrite.candidates, rewrite.revision) == (3, ["", "", "", ""], 0)
    assert rewrites.open_assignment(assignment=rewrite.assignment, by=author) == rewrite


def test_a_draft_is_kept_whole_and_says_its_revision(project, author):
    rewrite = begin(project, author)
    saved = save(rewrite)
    assert (saved.cut, saved.candidates, saved.revision) == (2, ["One.", "", "", ""], 1)
    assert save(rewrite, revision=1, cut=1, candidates=["One.", "Two.", "", ""]).revision == 2
    assert Rewrite.objects.get().candidates == ["One.", "Two.", "", ""]
    assert state(rewrite.assignment.slot.item) == ItemState.OPEN


def test_a_draft_from_an_older_page_is_refused_and_overwrites_nothing(project, author):
    rewrite = begin(project, author)
    save(rewrite)
    with refused("stale"):
        save(rewrite, revision=0, candidates=["Older.", "", "", ""])
    assert Rewrite.objects.get().candidates == ["One.", "", "", ""]
    assert Rewrite.objects.get().revision == 1


def test_the_same_draft_sent_twice_is_saved_once(project, author):
    rewrite = begin(project, author)
    save(rewrite)
    assert save(rewrite, revision=0).revision == 1


def test_texts_are_stored_normalised(project, author):
    saved = save(begin(project, author), candidates=[" Cafe\u0301\r\n", "a\0b", "", ""])
    assert saved.candidates == ["Café", "ab", "", ""]


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"candidates": ["One.", "", ""]}, "draft_wrong"),
        ({"cut": -1}, "draft_wrong"),
        ({"cut": 10**6}, "draft_wrong"),
        ({"candidates": ["a" * 10_001, "", "", ""]}, "draft_too_long"),
    ],
)
def test_what_is_no_draft_is_refused(project, author, changed, code):
    rewrite = begin(project, author)
    with refused(code):
        save(rewrite, **changed)
    assert Rewrite.objects.get().revision == 0


def test_nobody_writes_on_the_assignment_of_another(project, author, other):
    rewrite = begin(project, author)
    for act in (
        lambda: rewrites.open_assignment(assignment=rewrite.assignment, by=other),
        lambda: rewrites.save(rewrite=rewrite, cut=1, candidates=CANDIDATES, revision=0, by=other),
        lambda: rewrites.submit(rewrite=rewrite, cut=1, candidates=CANDIDATES, revision=0, by=other),
        lambda: rewrites.skip(rewrite=rewrite, reason="other", by=other),
    ):
        with refused("not_yours"):
            act()
    assert Rewrite.objects.get().candidates == [""] * 4


def test_saving_renews_the_lease(project, author):
    rewrite = begin(project, author)
    before = rewrite.assignment.lease_until
    save(rewrite)
    assert Assignment.objects.get(pk=rewrite.assignment_id).lease_until > before


# ---- submitting -----------------------------------------------------------------------------------------------------
def test_a_submission_goes_to_the_inspectors(project, author):
    rewrite = write(project, author)
    item = rewrite.assignment.slot.item
    assert state(item) == ItemState.WRITTEN
    assert Assignment.objects.get(pk=rewrite.assignment_id).state == AssignmentState.SUBMITTED
    assert (rewrite.cut, rewrite.candidates, rewrite.submitted_at is not None) == (3, CANDIDATES, True)
    slot = Slot.objects.get(queue__step=Step.INSPECT)
    assert (slot.item, slot.round, slot.required, slot.free) == (item, 1, 1, 1)
    assert history(item) == [("open", "written")]
    assert history(rewrite.assignment) == [("", "held"), ("held", "submitted")]


def test_as_many_inspectors_are_wanted_as_the_project_says(researcher):
    project = rewriting_project(researcher, "two", inspectors=2)
    items(project)
    write(project, factories.person("cy", project=project))
    assert Slot.objects.get(queue__step=Step.INSPECT).required == 2


def test_flaws_stop_a_submission_and_the_text_is_kept(project, author):
    rewrite = begin(project, author)
    with pytest.raises(NotSubmitted) as stopped:
        submit(rewrite, candidates=["Same."] * 4)
    assert stopped.value.code == "flaws"
    assert [(flaw.field, flaw.code) for flaw in stopped.value.flaws] == [(str(n), "equal") for n in (1, 2, 3)]
    assert Rewrite.objects.get().revision == 1
    kept = Rewrite.objects.get()
    assert (kept.candidates, kept.revision, kept.submitted_at) == (["Same."] * 4, 1, None)
    assert state(rewrite.assignment.slot.item) == ItemState.OPEN
    assert not Slot.objects.filter(queue__step=Step.INSPECT).exists()
    assert submit(kept).submitted_at is not None


def test_the_same_submission_sent_twice_is_one(project, author):
    rewrite = write(project, author)
    logged = Event.objects.count()
    assert submit(rewrite, revision=0).submitted_at == rewrite.submitted_at
    assert Event.objects.count() == logged
    assert Slot.objects.filter(queue__step=Step.INSPECT).count() == 1


def test_neither_a_draft_nor_another_submission_overwrites_what_was_submitted(project, author):
    rewrite = write(project, author)
    with refused("submitted"):
        save(rewrite)
    with refused("submitted"):
        submit(rewrite, cut=1)
    assert (Rewrite.objects.get().cut, Rewrite.objects.get().candidates) == (3, CANDIDATES)


def test_a_submission_from_an_older_page_is_refused(project, author):
    rewrite = begin(project, author)
    save(rewrite)
    with refused("stale"):
        submit(rewrite, revision=0)
    assert state(rewrite.assignment.slot.item) == ItemState.OPEN


# ---- leases and skips -----------------------------------------------------------------------------------------------
def test_a_late_submission_is_taken_while_the_slot_is_free(project, author):
    rewrite = begin(project, author)
    expire_all()
    assert submit(rewrite).submitted_at is not None
    assert history(rewrite.assignment)[-1] == ("expired", "submitted")
    assert Slot.objects.get(pk=rewrite.assignment.slot_id).free == 0


def test_a_late_submission_is_refused_and_kept_as_a_draft_once_somebody_else_has_the_item(project, author, other):
    late = begin(project, author)
    expire_all()
    while take(project, Step.WRITE, other).slot_id != late.assignment.slot_id:
        write(project, other)
    with pytest.raises(NotSubmitted) as stopped:
        submit(late)
    assert stopped.value.code == "slot_taken"
    assert Rewrite.objects.get(pk=late.pk).candidates == CANDIDATES
    assert state(late.assignment.slot.item) == ItemState.OPEN


def test_after_the_lease_a_draft_can_still_be_saved_and_is_there_when_the_item_comes_again(project, author):
    rewrite = begin(project, author)
    expire_all()
    save(rewrite)
    claim(project=project, step=Step.WRITE, count=3, by=author)
    newer = Assignment.objects.get(slot=rewrite.assignment.slot_id, state=AssignmentState.HELD)
    again = rewrites.open_assignment(assignment=newer, by=author)
    assert (again.pk != rewrite.pk, again.candidates, again.revision) == (True, ["One.", "", "", ""], 1)


def test_the_old_page_goes_on_with_the_newer_assignment_of_the_same_person(project, author):
    rewrite = begin(project, author)
    save(rewrite)
    expire_all()
    claim(project=project, step=Step.WRITE, count=3, by=author)
    rewrite.refresh_from_db()
    submitted = submit(rewrite)
    assert submitted.assignment_id != rewrite.assignment_id
    assert Assignment.objects.get(pk=submitted.assignment_id).state == AssignmentState.SUBMITTED


def test_a_skipped_item_goes_to_others_and_does_not_come_back(project, author, other, dialogues):
    rewrite = begin(project, author)
    rewrites.skip(rewrite=rewrite, reason="no_clue", by=author)
    assert Assignment.objects.get(pk=rewrite.assignment_id).reason == "no_clue"
    mine = {assignment.slot.item for assignment in claim(project=project, step=Step.WRITE, count=3, by=author)}
    assert mine == set(dialogues) - {rewrite.assignment.slot.item}
    assert {assignment.slot.item for assignment in claim(project=project, step=Step.WRITE, count=3, by=other)} == {
        rewrite.assignment.slot.item
    }
    with refused("skipped"):
        save(rewrite)


def test_a_skip_needs_one_of_the_reasons_and_an_item_that_is_not_submitted(project, author):
    rewrite = begin(project, author)
    with refused("reason_wrong"):
        rewrites.skip(rewrite=rewrite, reason="bored", by=author)
    submit(rewrite)
    with refused("submitted"):
        rewrites.skip(rewrite=rewrite, reason="other", by=author)
    assert Assignment.objects.get(pk=rewrite.assignment_id).state == AssignmentState.SUBMITTED


def test_no_event_holds_what_was_written(project, author):
    write(project, author)
    assert not any(word in str(list(Event.objects.values())) for word in ("choir", "small", "Thirty"))
