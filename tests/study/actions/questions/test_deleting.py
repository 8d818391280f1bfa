"""Question sets and corpora are deleted as long as nothing uses them."""

import threading

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction

from annotation.actions.corpora import corpus_jobs, edits, reviews
from annotation.actions.corpora import deleting as corpora_deleting
from annotation.domain.corpora.edits import LEFT_OUT, DialogueChange
from annotation.models import Corpus, Dialogue
from core.actions.refusals import Refused
from core.domain.transitions import JobState
from core.models import Event, Job, Name, Role, User
from study.actions.questions import audits, deleting, questions, revisions
from study.actions.runs import baselines
from study.actions.survey import studies
from study.models import Question, QuestionSet
from tests import corpora, factories
from tests.factories import no_progress
from tests.live_server import PATIENCE
from tests.threads import at_once, wait_until_another_waits

pytestmark = pytest.mark.django_db


@pytest.fixture
def rui() -> User:
    return factories.person("rui", Role.RESEARCHER)


@pytest.fixture
def kitchen(rui) -> Corpus:
    said = {"candidates": ["Yes.", "No.", "Maybe.", "Never."], "answer": 0}
    rows = [corpora.dialogue(number) for number in range(30)]
    return corpora.stored("kitchen", [*rows, corpora.dialogue(30, split="test", **said)], by=rui)


def build(name: str, by: User) -> QuestionSet:
    return questions.build(name=name, sources=["kitchen:dev"], count=6, report=no_progress, by=by)


def held(thing: QuestionSet | Corpus, by: User) -> dict[str, int]:
    """Try to delete a set or a corpus, and return what holds it, by code."""
    of = corpora_deleting if isinstance(thing, Corpus) else deleting
    named = {"corpus": thing} if isinstance(thing, Corpus) else {"question_set": thing}
    with pytest.raises(Refused) as refused:
        of.delete(**named, by=by)
    assert refused.value.code == "has_work"
    assert type(thing).objects.filter(pk=thing.pk).exists()
    return {hold.code: hold.number for hold in of.holds_of(thing)}


# ---- question sets --------------------------------------------------------------------------------------------------
def test_a_set_goes_with_its_questions_audit_and_jobs_and_its_name_is_free_again(kitchen, rui):
    job = questions.ask_for_build(
        name="quiz",
        sources=["kitchen:dev"],
        count=6,
        distractors=4,
        pick="uniform",
        max_turns=6,
        conditions=[],
        seed=0,
        by=rui,
    )
    quiz = questions.build(**job.arguments, report=no_progress, job=job, by=rui)
    Job.objects.filter(pk=job.pk).update(state=JobState.DONE)
    audits.report_of(quiz, by=rui)
    kept = build("kept", rui)
    deleting.delete(question_set=quiz, by=rui)
    assert list(QuestionSet.objects.all()) == [kept]
    assert set(Question.objects.values_list("question_set", flat=True)) == {kept.pk}
    assert not Job.objects.filter(pk=job.pk).exists()
    assert Event.objects.get(subject="questionset", subject_id=quiz.pk, became="deleted").why == "quiz"
    assert build("quiz", rui).checksum == quiz.checksum


def test_a_draft_that_asks_it_a_run_a_revision_and_an_audit_that_waits_hold_a_set(kitchen, rui):
    quiz = build("quiz", rui)
    studies.create(slug="lines", question_sets=[quiz], groups=[("crowd", None)], by=rui)
    baselines.run_now(model="random", on="quiz", train="", seed=0, report=no_progress, by=rui)
    revisions.leave_out(
        question_set=quiz, name="quiz-2", ids={quiz.questions.first().external_id}, why="A test.", by=rui
    )
    audits.ask_for(question_set=quiz, by=rui)
    assert held(quiz, rui) == {"studies": 1, "runs": 1, "revisions": 1, "jobs": 1}


def test_a_set_that_was_deleted_meanwhile_is_not_asked_by_a_new_study(kitchen, rui):
    quiz = build("quiz", rui)
    deleting.delete(question_set=QuestionSet.objects.get(pk=quiz.pk), by=rui)
    with pytest.raises(Refused) as refused:
        studies.create(slug="lines", question_sets=[quiz], groups=[("crowd", None)], by=rui)
    assert refused.value.code == "deleted_meanwhile"


# ---- corpora --------------------------------------------------------------------------------------------------------
def test_a_corpus_goes_with_its_variant_its_file_and_what_was_read_of_it(
    rui, tmp_path, django_capture_on_commit_callbacks
):
    files = corpora.mutual_files(1, 2) | corpora.mutual_files(1, 2, variant="mutual_plus")
    archive = corpora.tar_of(tmp_path / "mutual.tar.gz", files)
    review = reviews.receive(name="m", file=ContentFile(archive.read_bytes(), name="m.tar.gz"), format="mutual", by=rui)
    Job.objects.filter(pk=review.pk).update(state=JobState.DONE, result=reviews.run_review(review, no_progress))
    job = reviews.ask_for_import(review=Job.objects.get(pk=review.pk), name="m", source="", licence="", by=rui)
    corpus_jobs.run_import(job, no_progress)
    Job.objects.filter(pk=job.pk).update(state=JobState.DONE)
    assert Corpus.objects.count() == 2
    with django_capture_on_commit_callbacks(execute=True):
        corpora_deleting.delete(corpus=Corpus.objects.get(name="m"), by=rui)
    assert not Corpus.objects.exists()
    assert not Dialogue.objects.exists()
    assert not Name.objects.filter(name__startswith="m").exists()
    assert not Job.objects.exists()
    assert not default_storage.exists(review.arguments["file"])


def test_a_set_of_anyone_a_run_an_edited_corpus_and_a_planned_edit_hold_a_corpus(kitchen, rui):
    other = factories.person("mo", Role.RESEARCHER)
    build("quiz", other)
    baselines.run_now(model="random", on="kitchen:test", train="", seed=0, report=no_progress, by=other)
    changes = {"d0": DialogueChange(LEFT_OUT)}
    edits.make(parent=kitchen, name="kitchen-edited", changes=changes, report=no_progress, by=other)
    edits.plan(corpus=kitchen, dialogue=kitchen.dialogues.first(), change=DialogueChange(LEFT_OUT), by=other)
    assert held(kitchen, rui) == {"question_sets": 1, "runs": 1, "children": 1, "edits": 1}


def test_a_corpus_that_questions_are_being_drawn_from_is_held(kitchen, rui):
    questions.ask_for_build(
        name="quiz",
        sources=["kitchen:dev"],
        count=6,
        distractors=4,
        pick="uniform",
        max_turns=6,
        conditions=[],
        seed=0,
        by=rui,
    )
    assert held(kitchen, rui) == {"study_jobs": 1}


def test_a_corpus_with_a_name_that_begins_alike_holds_nothing(kitchen, rui):
    corpora.stored("kitchen-2", [corpora.dialogue(number) for number in range(9)], by=rui)
    questions.build(name="quiz", sources=["kitchen-2:dev"], count=2, report=no_progress, by=rui)
    corpora_deleting.delete(corpus=kitchen, by=rui)
    assert [corpus.name for corpus in Corpus.objects.all()] == ["kitchen-2"]


def test_an_edited_corpus_is_deleted_and_its_parent_stays_as_it_is(kitchen, rui):
    changes = {"d0": DialogueChange(LEFT_OUT)}
    child = edits.make(parent=kitchen, name="kitchen-edited", changes=changes, report=no_progress, by=rui)
    corpora_deleting.delete(corpus=child, by=rui)
    assert [corpus.name for corpus in Corpus.objects.all()] == ["kitchen"]
    assert kitchen.dialogues.count() == kitchen.dialogues_count
    corpora_deleting.delete(corpus=kitchen, by=rui)
    assert not Corpus.objects.exists()


# ---- at once --------------------------------------------------------------------------------------------------------
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", range(3))
def test_of_a_draw_and_the_deletion_of_its_corpus_at_once_one_is_refused(kitchen, rui, turn):
    refused: list[str] = []

    def one(act) -> None:
        try:
            act()
        except Refused as refusal:
            refused.append(refusal.code)

    at_once(
        [
            lambda: one(lambda: build("quiz", rui)),
            lambda: one(lambda: corpora_deleting.delete(corpus=kitchen, by=rui)),
        ]
    )
    assert len(refused) == 1
    assert Corpus.objects.exists() == QuestionSet.objects.exists() == (refused == ["has_work"])


@pytest.mark.django_db(transaction=True)
def test_the_deletion_of_a_corpus_waits_for_a_draw_that_is_being_stored(kitchen, rui):
    drawn, refused = threading.Event(), []

    def draw() -> None:
        with transaction.atomic():
            build("quiz", rui)
            drawn.set()
            wait_until_another_waits()

    def delete() -> None:
        drawn.wait(timeout=PATIENCE)
        with pytest.raises(Refused) as refusal:
            corpora_deleting.delete(corpus=kitchen, by=rui)
        refused.append(refusal.value.code)

    at_once([draw, delete])
    assert refused == ["has_work"]
