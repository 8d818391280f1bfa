"""Edits of a corpus: planned by a person, made into a corpus of its own that names its parent."""

import json

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from annotation.actions.corpora import edits
from annotation.actions.corpora.edits import KIND, ChangesRefused
from annotation.actions.imports.refused_rows import RowsRefused
from annotation.domain.corpora.edits import CLEARED, LEFT_OUT, DialogueChange, edit
from annotation.exporters.dialogues import jsonl_line
from annotation.models import Corpus, Dialogue
from annotation.selectors.corpora.plans import with_words
from core.actions import jobs
from core.actions.refusals import Refused
from core.models import Event, Job, Role
from tests import factories
from tests.corpora import dialogue, flag, jsonl_of, stored
from tests.factories import no_progress

pytestmark = pytest.mark.django_db

LOGGED = [
    {"speaker": "A", "text": "dark?\nvery", "at": "2008-07-14T10:02:00Z", "to": "B"},
    {"speaker": "B", "text": "plug it in", "at": "2008-07-14T10:03:00Z", "to": "A"},
    {"speaker": "A", "text": "thanks"},
]


@pytest.fixture
def parent(researcher):
    rows = [
        {"id": "log", "split": "train", "turns": LOGGED, "facts": {"line": 3, "channel": "#lamps"}},
        {"id": "same", "split": "test", "turns": LOGGED, "conversation": "c7"},
        *map(dialogue, range(4)),
        {"id": "asked", "turns": ["a", "b"], "candidates": ["x", "y"], "answer": 1},
    ]
    corpus = stored("lamps", rows, by=researcher)
    Corpus.objects.filter(pk=corpus.pk).update(source="a lamp shop", licence="CC BY 4.0")
    flag(corpus, "log", "d1", "d2")
    corpus.refresh_from_db()
    return corpus


def make(parent, changes, by, name="lamps-edited"):
    return edits.make(parent=parent, name=name, changes=changes, report=no_progress, by=by)


def named(corpus, id):
    return corpus.dialogues.get(external_id=id)


def lines_of(corpus):
    return [(jsonl_line(row), row.flagged) for row in corpus.dialogues.order_by("position")]


def test_a_child_has_what_was_changed_and_all_else_of_its_parent(parent, researcher):
    before = lines_of(parent)
    changes = {"log": edit(["bright?\nvery", "plug it in", "thanks"]), "d1": DialogueChange(CLEARED)}
    child = make(parent, {**changes, "d3": DialogueChange(LEFT_OUT)}, researcher)
    assert lines_of(parent) == before
    assert (child.parent, child.format, child.source, child.licence) == (parent, "jsonl", "a lamp shop", "CC BY 4.0")
    assert child.recipe == parent.recipe
    assert child.ledger == {
        "read": 7,
        "kept": 6,
        "joined": 0,
        "dropped": {"pruned": 1},
        "changed": {"cleared": 1, "edited": 1},
    }
    assert [*child.dialogues.order_by("position").values_list("position", "external_id", "flagged")] == [
        (0, "log", False),
        (1, "same", False),
        (2, "d0", False),
        (3, "d1", False),
        (4, "d2", True),
        (5, "asked", False),
    ]
    assert named(child, "log").turns == [{**LOGGED[0], "text": "bright?\nvery"}, *LOGGED[1:]]
    for id in ("same", "d0", "d1", "d2", "asked"):
        assert jsonl_line(named(child, id)) == jsonl_line(named(parent, id))
    assert child.statistics["all"]["dialogues"] == child.dialogues_count == 6
    assert child.checksum != parent.checksum
    assert Event.objects.filter(subject="corpus", subject_id=child.pk, became="edited", by=researcher).count() == 1


def test_a_child_without_another_text_has_the_checksum_of_its_parent(parent, researcher):
    assert make(parent, {"d1": DialogueChange(CLEARED)}, researcher).checksum == parent.checksum


def test_a_child_has_the_checksum_of_its_own_export(parent, researcher, tmp_path):
    child = make(parent, {"log": edit(["a", "b", "c"]), "d3": DialogueChange(LEFT_OUT)}, researcher)
    rows = [json.loads(line) for line, _flagged in lines_of(child)]
    assert stored("again", rows, by=researcher).checksum == child.checksum


def test_an_edited_dialogue_stays_of_its_conversation(parent, researcher):
    changes = {id: edit(["a", "b", "c"]) for id in ("log", "same")}
    child = make(parent, changes, researcher)
    assert named(child, "log").conversation == named(parent, "log").conversation
    assert named(child, "same").conversation == "c7"
    assert named(child, "log").digest != named(parent, "log").digest


def test_an_edited_record_is_no_longer_as_the_source_wrote_it(parent, researcher):
    as_written = Dialogue(corpus=parent, position=90, external_id="w", digest="x", conversation="x", as_written="{}")
    as_written.turns = [{"speaker": "", "text": "a"}]
    as_written.save()
    assert named(make(parent, {"w": edit(["b"])}, researcher), "w").as_written == ""
    assert named(make(parent, {"d1": DialogueChange(CLEARED)}, researcher, "other"), "w").as_written == "{}"


def test_the_child_keeps_what_was_changed(parent, researcher):
    child = make(parent, {"d3": DialogueChange(LEFT_OUT), "log": edit(["a", "b", "c"])}, researcher)
    kept = child.changes.order_by("position").values_list("external_id", "change", "texts", "corpus", "by")
    assert [*kept] == [
        ("log", "edited", ["a", "b", "c"], parent.pk, researcher.pk),
        ("d3", "left_out", None, parent.pk, researcher.pk),
    ]


@pytest.mark.parametrize(
    ("id", "change", "code"),
    [
        ("d0", DialogueChange(CLEARED), "not_flagged"),
        ("log", edit(["a", "b"]), "other_turns"),
        ("log", edit(["a", " \u200b", "c"]), "turn_empty"),
        ("log", edit(["a" * 20_001, "b", "c"]), "turn_too_long"),
        ("log", edit(["dark?\nvery ", "plug it in", "thanks"]), "nothing_edited"),
        ("nowhere", DialogueChange(LEFT_OUT), "no_such_dialogue"),
    ],
)
def test_a_change_that_cannot_be_made_stores_nothing(parent, researcher, id, change, code):
    with pytest.raises(ChangesRefused) as refused:
        make(parent, {id: change, "d1": DialogueChange(CLEARED)}, researcher)
    assert refused.value.wrong == {id: code}
    assert Corpus.objects.count() == 1


def test_an_empty_plan_a_taken_name_and_an_empty_corpus_are_refused(parent, researcher):
    everything = dict.fromkeys(parent.dialogues.values_list("external_id", flat=True), DialogueChange(LEFT_OUT))
    for changes, name, code in [
        ({}, "x", "nothing_planned"),
        (everything, "x", "none_left"),
        ({}, "lamps", "corpus_exists"),
    ]:
        with pytest.raises(Refused) as refused:
            make(parent, changes, researcher, name)
        assert refused.value.code == code


def test_edited_dialogues_that_still_have_a_word_are_named_and_kept_without_a_flag(parent, researcher):
    changes = {"log": edit(["a", "what shit", "c"]), "d1": edit([f"turn {n}" for n in range(6)])}
    child = make(parent, {**changes, "d2": DialogueChange(CLEARED)}, researcher)
    assert with_words(child.changes.all(), edits.words_of_corpus(parent)) == ["log"]
    assert not child.dialogues.filter(flagged=True).exists()


def test_the_lists_that_a_parent_was_imported_with_are_looked_at_too(parent, researcher):
    kept = default_storage.save("corpora/words", ContentFile(b"lantern\n"))
    arguments = {"lists": [{"name": "ours.txt", "file": kept}, {"name": "gone.txt", "file": "corpora/gone"}]}
    job = Job.objects.create(kind="import_corpus", arguments=arguments, created_by=researcher)
    Corpus.objects.filter(pk=parent.pk).update(job=job)
    parent.refresh_from_db()
    child = make(parent, {"log": edit(["a", "a lantern", "c"])}, researcher)
    grandchild = make(child, {"same": edit(["a", "b", "a lantern"])}, researcher, "lamps-3")
    assert with_words(child.changes.all(), edits.words_of_corpus(parent)) == ["log"]
    assert with_words(grandchild.changes.all(), edits.words_of_corpus(child)) == ["same"]


def plan(corpus, id, change, by):
    return edits.plan(corpus=corpus, dialogue=named(corpus, id), change=change, by=by)


def planned(corpus, by):
    return [*corpus.edits.filter(made=None, by=by).order_by("position").values_list("external_id", "change")]


def test_a_plan_has_the_last_change_of_each_dialogue_and_can_be_undone(parent, researcher):
    other = factories.person("bo", Role.RESEARCHER)
    plan(parent, "log", DialogueChange(CLEARED), researcher)
    plan(parent, "d1", DialogueChange(LEFT_OUT), researcher)
    plan(parent, "log", edit(["a", "b", "c"]), researcher)
    plan(parent, "log", DialogueChange(LEFT_OUT), other)
    assert planned(parent, researcher) == [("log", "edited"), ("d1", "left_out")]
    edits.undo(corpus=parent, position=0, by=researcher)
    assert planned(parent, researcher) == [("d1", "left_out")]
    assert planned(parent, other) == [("log", "left_out")]
    with pytest.raises(Refused):
        plan(parent, "d0", DialogueChange(CLEARED), researcher)


def run(job):
    return jobs.KINDS[KIND].handler(job, no_progress)


def test_a_job_makes_the_corpus_of_a_plan_once(parent, researcher):
    other = factories.person("bo", Role.RESEARCHER)
    plan(parent, "log", edit(["a", "b", "c"]), researcher)
    plan(parent, "d2", DialogueChange(LEFT_OUT), other)
    job = edits.ask_for_corpus(corpus=parent, name="lamps-2", by=researcher)
    first = run(job)
    assert run(Job.objects.get(pk=job.pk)) == first == {"corpus": "lamps-2", "dialogues": 7}
    assert jobs.KINDS[KIND].page(job) == ("corpus", ["lamps-2"])
    assert planned(parent, researcher) == []
    assert planned(parent, other) == [("d2", "left_out")]
    assert [row.change for row in Corpus.objects.get(name="lamps-2").changes.all()] == ["edited"]


def test_what_is_planned_while_the_job_runs_stays_planned(parent, researcher):
    plan(parent, "log", DialogueChange(CLEARED), researcher)
    job = edits.ask_for_corpus(corpus=parent, name="lamps-2", by=researcher)

    reports = []

    def meanwhile(done, total=None, **figures):
        reports.append(done)
        if len(reports) == 1:
            plan(parent, "log", DialogueChange(LEFT_OUT), researcher)
            plan(parent, "d1", DialogueChange(LEFT_OUT), researcher)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edits, "EVERY", 1)
        jobs.KINDS[KIND].handler(job, meanwhile)
    assert planned(parent, researcher) == [("log", "left_out"), ("d1", "left_out")]
    assert [row.change for row in Corpus.objects.get(name="lamps-2").changes.all()] == ["cleared"]


def test_a_job_is_refused_without_a_plan_or_with_a_taken_name(parent, researcher):
    with pytest.raises(Refused) as refused:
        edits.ask_for_corpus(corpus=parent, name="lamps-2", by=researcher)
    assert refused.value.code == "nothing_planned"
    plan(parent, "log", DialogueChange(CLEARED), researcher)
    with pytest.raises(Refused) as refused:
        edits.ask_for_corpus(corpus=parent, name="lamps", by=researcher)
    assert refused.value.code == "corpus_exists"


def of_file(parent, tmp_path, rows, by):
    path = jsonl_of(tmp_path / "edits.jsonl", rows)
    return edits.make_of_file(parent=parent, name="lamps-2", path=path, report=no_progress, by=by)


def test_a_file_of_edits_makes_a_corpus(parent, researcher, tmp_path):
    rows = [{"id": "log", "turns": ["a", "b", "c"]}, {"id": "d1", "clear": True}, {"id": "d3", "leave_out": True}]
    child = of_file(parent, tmp_path, rows, researcher)
    assert child.dialogues_count == 6
    assert [row.change for row in child.changes.order_by("position")] == ["edited", "cleared", "left_out"]


def test_lines_that_are_no_edit_are_refused_with_their_numbers(parent, researcher, tmp_path):
    rows = [
        {"id": "d1", "clear": True},
        {"id": "d1", "leave_out": True},
        {"id": 7, "clear": True},
        {"id": "d2", "leave_out": False},
        {"id": "d3", "turns": "one text"},
        {"id": "log", "clear": True, "leave_out": True},
    ]
    with pytest.raises(RowsRefused) as refused:
        of_file(parent, tmp_path, rows, researcher)
    assert [(line["line"], line["code"]) for line in refused.value.lines] == [
        (2, "id_twice"),
        (3, "not_text"),
        (4, "change_unknown"),
        (5, "change_unknown"),
        (6, "change_unknown"),
    ]


def test_edits_that_do_not_fit_the_corpus_are_refused_with_their_lines(parent, researcher, tmp_path):
    rows = [{"id": "d1", "clear": True}, {"id": "d0", "clear": True}, {"id": "gone", "leave_out": True}]
    with pytest.raises(ChangesRefused) as refused:
        of_file(parent, tmp_path, rows, researcher)
    assert [(line["line"], line["code"]) for line in refused.value.lines] == [
        (2, "not_flagged"),
        (3, "no_such_dialogue"),
    ]
    assert Corpus.objects.count() == 1
