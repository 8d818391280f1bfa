"""Correcting transcripts: two people, never the same one, before any author."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.actions.queue import assignments, voiding
from annotation.actions.queue.drafts import NotSubmitted
from annotation.actions.rewriting import rewrites
from annotation.actions.transcription import transcripts
from annotation.domain.corpora.dialogue import conversation
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, Item, Queue, Recording, Slot, Step, Transcript
from core.actions.refusals import Refused
from tests import dialogues, factories, recordings
from tests.recordings import CHOICES, MACHINE_TEXT, RIGHT, SAID, check, correct, take

pytestmark = pytest.mark.django_db


@pytest.fixture
def dream(researcher):
    return dialogues.rewriting_project(researcher)


@pytest.fixture
def first(dream):
    return factories.person("an", project=dream)


@pytest.fixture
def second(dream):
    return factories.person("bo", project=dream)


@pytest.fixture
def item(dream, tmp_path) -> Item:
    return recordings.items(dream, tmp_path)[0]


def held(project, step, by) -> list[Assignment]:
    return assignments.claim(project=project, step=step, by=by)


def code_of(act, **how) -> str:
    with pytest.raises(Refused) as refused:
        act(**how)
    return refused.value.code


# ---- the way of an item ---------------------------------------------------------------------------------------------


def test_authors_get_an_item_once_two_people_have_transcribed_it(dream, item, first, second):
    assert item.state == ItemState.RECORDED
    assert held(dream, Step.WRITE, first) == []
    correct(dream, first)
    item.refresh_from_db()
    assert (item.state, item.content["turns"]) == (ItemState.CORRECTED, MACHINE_TEXT)
    assert held(dream, Step.WRITE, second) == []
    check(dream, second)
    item.refresh_from_db()
    assert (item.state, item.content["turns"]) == (ItemState.OPEN, SAID)
    [assignment] = held(dream, Step.WRITE, first)
    assert assignment.slot.item == item


def test_what_two_people_agree_on_has_three_choices_the_right_one_among_them_and_its_own_conversation(
    dream, item, first, second
):
    digest = item.digest
    assert item.content["choices"] == CHOICES
    correct(dream, first)
    check(dream, second, answer=3)
    item.refresh_from_db()
    assert len(item.content["choices"]) == 3
    assert item.content["choices"][item.content["answer"]] == CHOICES[3]
    assert (item.digest, item.group) == (digest, conversation(SAID))


def test_two_questions_about_one_dialogue_stay_two_items_with_the_same_text(dream, tmp_path, first, second):
    """An item's digest is made of its question and choices, so a correction cannot make two items the same."""
    recordings.items(dream, tmp_path, 2)
    for _ in range(2):
        correct(dream, first)
        check(dream, second)
    one, other = dream.items.all()
    assert (one.state, other.state) == (ItemState.OPEN, ItemState.OPEN)
    assert one.content["turns"] == other.content["turns"]
    assert one.group == other.group
    assert one.digest != other.digest


def test_the_same_item_brought_in_again_is_a_duplicate_and_keeps_what_people_corrected(
    dream, item, tmp_path, first, second
):
    correct(dream, first)
    check(dream, second)
    path = recordings.zipped(tmp_path / "again.zip", recordings.row(0), recordings.row(7))
    received = recordings.import_rows(dream, path, dream.created_by)
    assert (received.good, received.duplicate) == (1, 1)
    item.refresh_from_db()
    assert (item.state, item.content["turns"]) == (ItemState.OPEN, SAID)


def test_items_without_audio_or_picture_go_straight_to_the_authors(dream, tmp_path, first):
    path = recordings.zipped(tmp_path / "x.zip", recordings.row(audio=None, answer_image=None, answer="A"))
    recordings.import_rows(dream, path, dream.created_by)
    assert dream.items.get().state == ItemState.OPEN
    assert len(held(dream, Step.WRITE, first)) == 1
    assert not Queue.objects.filter(project=dream, step=Step.TRANSCRIBE).exists()


def test_nobody_checks_what_they_corrected(dream, item, first, second):
    correct(dream, first)
    assert held(dream, Step.CHECK, first) == []
    assert len(held(dream, Step.CHECK, second)) == 1


def test_nobody_checks_what_they_left_to_others_either(dream, item, first, second):
    transcripts.skip(transcript=take(dream, Step.TRANSCRIBE, first), reason="unusable", by=first)
    assert held(dream, Step.TRANSCRIBE, first) == []
    correct(dream, second)
    assert held(dream, Step.CHECK, first) == []
    assert Assignment.objects.get(person=first).reason == "unusable"


def test_the_second_person_begins_with_the_first_ones_text_and_may_skip(dream, item, first, second):
    correct(dream, first)
    checked = take(dream, Step.CHECK, second)
    assert (checked.turns, checked.answer, checked.revision) == (SAID, RIGHT, 0)
    transcripts.skip(transcript=checked, reason="not_understood", by=second)
    item.refresh_from_db()
    assert item.state == ItemState.CORRECTED
    assert len(held(dream, Step.CHECK, factories.person("cy", project=dream))) == 1


def test_a_dialogue_with_two_questions_keeps_its_file_once(dream, tmp_path):
    recordings.items(dream, tmp_path, 2)
    files = Recording.objects.filter(kind="audio")
    assert files.count() == 2
    assert len({file.path for file in files}) == 1
    assert files[0].path.read_bytes() == recordings.FILES["clips/a.wav"]


def test_a_second_file_of_items_stands_behind_the_first_one(dream, tmp_path, first):
    recordings.items(dream, tmp_path, 2)
    held(dream, Step.TRANSCRIBE, first)
    [correct(dream, first) for _ in range(2)]
    assert held(dream, Step.TRANSCRIBE, first) == []
    recordings.items(dream, tmp_path, 1)
    assert len(held(dream, Step.TRANSCRIBE, first)) == 1


# ---- drafts ---------------------------------------------------------------------------------------------------------


def test_an_older_page_is_refused_and_changes_nothing(dream, item, first):
    draft = take(dream, Step.TRANSCRIBE, first)
    saved = transcripts.save(transcript=draft, turns=SAID, answer=0, revision=0, by=first)
    assert (saved.revision, saved.turns) == (1, SAID)
    assert code_of(transcripts.save, transcript=draft, turns=MACHINE_TEXT, answer=1, revision=0, by=first) == "stale"
    assert Transcript.objects.get().turns == SAID


def test_the_same_text_sent_twice_is_saved_and_submitted_once(dream, item, first):
    draft = take(dream, Step.TRANSCRIBE, first)
    for _ in range(2):
        transcripts.save(transcript=draft, turns=SAID, answer=0, revision=0, by=first)
    for _ in range(2):
        transcripts.submit(transcript=draft, turns=SAID, answer=0, revision=1, by=first)
    assert Slot.objects.filter(queue__step=Step.CHECK).count() == 1
    assert (
        code_of(transcripts.submit, transcript=draft, turns=MACHINE_TEXT, answer=0, revision=1, by=first) == "submitted"
    )


@pytest.mark.parametrize(
    ("turns", "answer", "field", "code"),
    [
        (SAID, None, "answer", "no_answer"),
        (SAID, 4, "answer", "no_answer"),
        (SAID[:1], 0, "turns", "one_turn"),
        ([*SAID, {"speaker": "", "text": "And then?"}], 0, "3", "no_speaker"),
        ([*SAID, {"speaker": "M", "text": " "}], 0, "3", "empty"),
    ],
)
def test_what_cannot_be_submitted_is_kept_and_says_what_to_revise(dream, item, first, turns, answer, field, code):
    draft = take(dream, Step.TRANSCRIBE, first)
    with pytest.raises(NotSubmitted) as refused:
        transcripts.submit(transcript=draft, turns=turns, answer=answer, revision=0, by=first)
    assert [(flaw.field, flaw.code) for flaw in refused.value.flaws] == [(field, code)]
    assert Transcript.objects.get().revision == 1
    assert Assignment.objects.get().state == AssignmentState.HELD


def test_blank_turns_are_left_out(dream, item, first):
    correct(dream, first, turns=[*SAID, {"speaker": " ", "text": ""}])
    assert Transcript.objects.get().turns == SAID


@pytest.mark.parametrize(
    ("turns", "answer", "code"),
    [
        ([SAID[0]] * 1001, 0, "too_many_turns"),
        ([{"speaker": "x" * 101, "text": "y"}], 0, "speaker_too_long"),
        ([{"speaker": "x", "text": "y" * 100_001}], 0, "dialogue_too_long"),
        (SAID, 40_000, "answer_wrong"),
    ],
)
def test_what_is_too_large_is_refused_and_the_draft_stays(dream, item, first, turns, answer, code):
    draft = take(dream, Step.TRANSCRIBE, first)
    assert code_of(transcripts.save, transcript=draft, turns=turns, answer=answer, revision=0, by=first) == code
    assert Transcript.objects.get().turns == MACHINE_TEXT


def test_somebody_elses_draft_is_not_written_on(dream, item, first, second):
    draft = take(dream, Step.TRANSCRIBE, first)
    how = {"transcript": draft, "turns": SAID, "answer": 0, "revision": 0, "by": second}
    assert code_of(transcripts.save, **how) == code_of(transcripts.submit, **how) == "not_yours"
    assert code_of(transcripts.skip, transcript=draft, reason="other", by=second) == "not_yours"


# ---- leases ---------------------------------------------------------------------------------------------------------


def test_after_the_lease_the_draft_comes_back_to_its_author(dream, item, first):
    draft = take(dream, Step.TRANSCRIBE, first)
    transcripts.save(transcript=draft, turns=SAID, answer=2, revision=0, by=first)
    assignments.expire_assignments(now=timezone.now() + timedelta(days=1))
    again = take(dream, Step.TRANSCRIBE, first)
    assert (again.turns, again.answer, again.revision) == (SAID, 2, 1)
    assert again.assignment != draft.assignment


def test_who_is_late_still_submits_unless_somebody_else_has_the_item(dream, item, first, second):
    draft = take(dream, Step.TRANSCRIBE, first)
    assignments.expire_assignments(now=timezone.now() + timedelta(days=1))
    held(dream, Step.TRANSCRIBE, second)
    how = {"transcript": draft, "turns": SAID, "answer": 0, "revision": 0, "by": first}
    assert code_of(transcripts.submit, **how) == "slot_taken"
    assert Transcript.objects.get(assignment=draft.assignment).turns == SAID
    transcripts.skip(transcript=take(dream, Step.TRANSCRIBE, second), reason="other", by=second)
    transcripts.submit(**{**how, "revision": 1})
    assert Item.objects.get().state == ItemState.CORRECTED


# ---- voiding --------------------------------------------------------------------------------------------------------


def void(project, person) -> int:
    since = timezone.now() - timedelta(hours=1)
    return voiding.void_work(project=project, person=person, since=since, why="heard nothing", by=project.created_by)


def test_a_voided_correction_is_asked_for_again_and_its_check_is_a_check_of_nothing(dream, item, first, second):
    correct(dream, first)
    check(dream, second)
    third = factories.person("cy", project=dream)
    assert void(dream, first) == 1
    item.refresh_from_db()
    assert (item.state, item.content["turns"], item.content["choices"]) == (ItemState.RECORDED, MACHINE_TEXT, CHOICES)
    assert item.group == conversation(MACHINE_TEXT)
    assert Assignment.objects.get(person=second).state == AssignmentState.OUTDATED
    assert held(dream, Step.WRITE, third) == held(dream, Step.CHECK, third) == held(dream, Step.TRANSCRIBE, first) == []
    correct(dream, third)
    check(dream, second)
    item.refresh_from_db()
    assert (item.state, item.content["turns"]) == (ItemState.OPEN, SAID)
    assert len(held(dream, Step.WRITE, first)) == 1


def test_a_voided_check_is_asked_for_again(dream, item, first, second):
    correct(dream, first)
    check(dream, second, turns=[*SAID[:2], {"speaker": "W", "text": "Nonsense."}])
    assert void(dream, second) == 1
    item.refresh_from_db()
    assert (item.state, item.content["turns"]) == (ItemState.CORRECTED, MACHINE_TEXT)
    assert held(dream, Step.WRITE, first) == held(dream, Step.CHECK, second) == []
    check(dream, factories.person("cy", project=dream))
    item.refresh_from_db()
    assert (item.state, item.content["turns"]) == (ItemState.OPEN, SAID)


def test_a_check_under_way_of_what_is_voided_meanwhile_is_not_taken(dream, item, first, second):
    correct(dream, first)
    checking = take(dream, Step.CHECK, second)
    void(dream, first)
    how = {"transcript": checking, "turns": SAID, "answer": 0, "revision": 0, "by": second}
    assert code_of(transcripts.submit, **how) == "slot_taken"
    correct(dream, factories.person("cy", project=dream), answer=1)
    assert code_of(transcripts.submit, **how) == "slot_taken"
    assert take(dream, Step.CHECK, second).answer == 1
    assert Item.objects.get().state == ItemState.CORRECTED


@pytest.mark.parametrize("voided", ["an", "bo"])
def test_once_an_author_has_the_item_it_keeps_its_text(dream, item, first, second, voided):
    correct(dream, first)
    check(dream, second)
    third = factories.person("cy", project=dream)
    dialogues.take_writing(dream, third)
    assert void(dream, {"an": first, "bo": second}[voided]) == 1
    item.refresh_from_db()
    assert (item.state, item.content["turns"]) == (ItemState.OPEN, SAID)
    assert held(dream, Step.TRANSCRIBE, third) == held(dream, Step.CHECK, third) == []
    assert len(held(dream, Step.WRITE, third)) == 1


def test_a_voided_text_goes_back_to_the_authors_and_not_to_the_ears(dream, item, first, second):
    correct(dream, first)
    check(dream, second)
    third = factories.person("cy", project=dream)
    rewrite = dialogues.take_writing(dream, third)
    rewrites.submit(rewrite=rewrite, cut=2, candidates=dialogues.CANDIDATES, revision=0, by=third)
    void(dream, third)
    item.refresh_from_db()
    assert item.state == ItemState.OPEN
    assert {assignment.state for assignment in Assignment.objects.filter(person__in=[first, second])} == {
        AssignmentState.SUBMITTED
    }
    assert len(held(dream, Step.WRITE, first)) == 1
