"""Editing a corpus from the shell."""

import pytest

from annotation.models import Corpus
from tests.corpora import dialogue, flag, jsonl_of, stored

pytestmark = pytest.mark.django_db


def test_a_file_of_edits_makes_a_corpus(shell, administrator, tmp_path):
    parent = stored("lamps", map(dialogue, range(4)), by=administrator)
    flag(parent, "d1")
    edits = [{"id": "d0", "leave_out": True}, {"id": "d1", "clear": True}]
    printed = shell("edit_corpus", "lamps", "--into", "lamps-2", jsonl_of(tmp_path / "edits.jsonl", edits), "--json")
    child = Corpus.objects.get(name="lamps-2")
    assert (printed.code, child.parent) == (0, parent)
    assert printed.json == {
        "corpus": "lamps-2",
        "parent": "lamps",
        "checksum": child.checksum,
        "dialogues": 3,
        "with_word": [],
        "ledger": {"read": 4, "kept": 3, "joined": 0, "dropped": {"pruned": 1}, "changed": {"cleared": 1}},
    }


def test_lines_that_cannot_be_made_are_named(shell, administrator, tmp_path):
    stored("lamps", map(dialogue, range(4)), by=administrator)
    path = jsonl_of(tmp_path / "edits.jsonl", [{"id": "d0", "leave_out": True}, {"id": "d1", "clear": True}])
    printed = shell("edit_corpus", "lamps", "--into", "lamps-2", path, "--json")
    assert printed.code == 1
    [row] = printed.json["rows_refused"]
    assert (row["line"], row["code"]) == (2, "not_flagged")
    assert shell("edit_corpus", "lanterns", "--into", "x", path).code == 2


def test_an_edited_dialogue_that_still_has_a_word_is_named(shell, administrator, tmp_path):
    stored("lamps", map(dialogue, range(4)), by=administrator)
    path = jsonl_of(tmp_path / "edits.jsonl", [{"id": "d2", "turns": ["shit", *"bcdef"]}])
    printed = shell("edit_corpus", "lamps", "--into", "lamps-2", path, "--json")
    assert (printed.code, printed.json["with_word"]) == (0, ["d2"])
    assert "d2" in shell("edit_corpus", "lamps", "--into", "lamps-3", path).out
