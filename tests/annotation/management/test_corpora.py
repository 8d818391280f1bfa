"""Corpora in and out from the shell."""

import json

import pytest

from annotation.models import Corpus
from tests.corpora import dialogue, folder_of, instance, jsonl_of, mutual_files, tar_of


@pytest.fixture
def archive(tmp_path):
    files = {**mutual_files(1, 2), **mutual_files(3, split="train"), **mutual_files(1, variant="mutual_plus")}
    return tar_of(tmp_path / "mutual.tar.gz", files)


@pytest.fixture
def half_bad(tmp_path):
    files = {**mutual_files(1), **folder_of({"mutual/dev/dev_9.txt": instance(9, answers="E")})}
    return tar_of(tmp_path / "half.tar.gz", files)


def test_an_archive_with_both_variants_becomes_two_corpora(shell, archive):
    printed = shell("import_corpus", "lamps", archive, "--format", "mutual", "--json")
    assert printed.code == 0
    corpus = Corpus.objects.get(name="lamps")
    assert printed.json == {
        "corpus": "lamps",
        "variant": "lamps-plus",
        "checksum": corpus.checksum,
        "ledger": {"read": 4, "kept": 4, "joined": 0, "dropped": {}, "changed": {}},
        "stored": 4,
        "dialogues": 3,
        "flagged": 0,
        "splits": {"train": 1, "dev": 2},
        "refused": 0,
        "rows_refused": [],
    }


def test_a_folder_and_a_single_file_are_taken_too(shell, archive, tmp_path):
    shell("import_corpus", "lamps", archive, "--format", "mutual")
    shell("export_corpus", "lamps", "--format", "mutual", "--out", tmp_path / "out")
    printed = shell("import_corpus", "again", tmp_path / "out", "--format", "mutual")
    assert printed.out.startswith("Corpus again stored: 3 dialogues; 0 refused. ")
    assert "3 read = 3 kept + 0 joined + 0 dropped" in printed.out
    assert len(set(Corpus.objects.filter(variant_of=None).values_list("checksum", flat=True))) == 1
    one = tmp_path / "out" / "dev" / "dev_1.txt"
    assert shell("import_corpus", "one", one, "--format", "mutual", "--json").json["dialogues"] == 1


def test_one_refused_row_keeps_all_out_unless_partial(shell, half_bad):
    printed = shell("import_corpus", "lamps", half_bad, "--format", "mutual", "--json")
    assert printed.code == 1
    assert (printed.json["stored"], printed.json["good"], printed.json["refused"]) == (0, 1, 1)
    reason = 'the answer "E" is not in the range A to D'
    assert printed.json["rows_refused"] == [
        {"file": "mutual/dev/dev_9.txt", "line": None, "code": "answer_no_option", "reason": reason}
    ]
    assert f"mutual/dev/dev_9.txt: {reason}" in printed.err
    printed = shell("import_corpus", "lamps", half_bad, "--format", "mutual", "--partial", "--json")
    assert (printed.code, printed.json["stored"], printed.json["refused"]) == (0, 1, 1)


def test_a_log_is_known_by_its_lines_and_read_in_its_zone(shell, tmp_path):
    log = "[10:00] <ann> dark\n[10:01] <bo> ann: plug?\n=== cleo [c@d] has joined #lamps\n[10:02] <ann> bo: yes\n"
    (tmp_path / "2008-07-14.txt").write_text(log)
    printed = shell("import_corpus", "lamps", tmp_path, "--zone", "Europe/Paris", "--seed", "3", "--json")
    assert printed.code == 0
    assert printed.json["ledger"] == {"read": 4, "kept": 3, "joined": 0, "dropped": {"notice": 1}, "changed": {}}
    corpus = Corpus.objects.get(name="lamps")
    assert (corpus.format, corpus.recipe["zone"], corpus.recipe["seed"]) == ("irc", "Europe/Paris", 3)
    assert corpus.recipe["rules"]["question_within_seconds"] == 180
    assert corpus.dialogues.get().turns[0]["at"] == "2008-07-14T08:00:00Z"
    assert shell("import_corpus", "again", tmp_path, "--zone", "Europe/Nowhere").code == 2


def test_dialogues_with_a_word_of_the_lists_are_flagged(shell, tmp_path):
    rows = [dialogue(1), dialogue(2, turns=0), dialogue(3)]
    rows[1]["turns"] = [{"speaker": "A", "text": "What a Bullshit day."}]
    path = jsonl_of(tmp_path / "talk.jsonl", rows)
    (tmp_path / "ours.txt").write_text("# ours\nstory 3\n")
    assert shell("import_corpus", "one", path, "--json").json["flagged"] == 1
    printed = shell("import_corpus", "two", path, "--flag-words", tmp_path / "ours.txt", "--json")
    assert (printed.code, printed.json["flagged"]) == (0, 2)
    one, two = Corpus.objects.get(name="one"), Corpus.objects.get(name="two")
    assert one.checksum == two.checksum, "a flag is no content"
    assert [*one.dialogues.filter(flagged=True).values_list("external_id", flat=True)] == ["d2"]
    assert {*two.dialogues.filter(flagged=True).values_list("external_id", flat=True)} == {"d2", "d3"}
    assert (one.recipe.get("word_lists"), two.recipe["word_lists"]) == (None, ["ours.txt"])


def test_a_list_that_cannot_be_read_imports_nothing(shell, tmp_path):
    path = jsonl_of(tmp_path / "talk.jsonl", [dialogue(1)])
    (tmp_path / "empty.txt").write_text("# nothing\n")
    printed = shell("import_corpus", "talk", path, "--flag-words", tmp_path / "empty.txt", "--json")
    assert (printed.code, printed.json["code"]) == (1, "words_wrong")
    assert shell("import_corpus", "talk", path, "--flag-words", tmp_path / "none.txt").code == 2
    assert not Corpus.objects.exists()


def test_a_corpus_again_is_a_clear_refusal(shell, archive):
    shell("import_corpus", "lamps", archive, "--format", "mutual")
    printed = shell("import_corpus", "lamps", archive, "--format", "mutual", "--json")
    assert (printed.code, printed.json["code"]) == (1, "corpus_exists")
    assert Corpus.objects.count() == 2


def test_wrong_usage_is_told_apart(shell, archive, tmp_path):
    assert shell("import_corpus", "lamps", tmp_path / "nothing", "--format", "mutual").code == 2
    assert shell("import_corpus", "lamps", archive, "--format", "poems").code == 2
    assert shell("export_corpus", "nothing", "--format", "jsonl", "--out", tmp_path).code == 2
    assert shell("export_corpus", "nothing", "--format", "jsonl", "--out", " ").code == 2


def test_dialogues_cannot_be_written_as_instances(shell, tmp_path):
    path = jsonl_of(tmp_path / "talk.jsonl", [dialogue(1)])
    shell("import_corpus", "talk", path, "--format", "jsonl")
    printed = shell("export_corpus", "talk", "--format", "mutual", "--out", tmp_path / "out", "--json")
    assert (printed.code, printed.json["code"]) == (1, "no_instance")
    path = jsonl_of(tmp_path / "asked.jsonl", [dialogue(1, candidates=["yes", "no"])])
    shell("import_corpus", "asked", path, "--format", "jsonl")
    printed = shell("export_corpus", "asked", "--format", "ubuntu-csv", "--out", tmp_path / "out", "--json")
    assert (printed.code, printed.json["code"]) == (1, "no_instance")
    printed = shell("export_corpus", "talk", "--format", "jsonl", "--out", tmp_path / "out", "--json")
    assert (printed.json["dialogues"], printed.json["files"]) == (1, 1)
    assert json.loads((tmp_path / "out" / "dev.jsonl").read_text()) == dialogue(1)


def test_a_slot_that_cannot_be_written_is_wrong_usage(shell, archive, tmp_path):
    shell("import_corpus", "lamps", archive, "--format", "mutual")
    (tmp_path / "file").touch()
    assert shell("export_corpus", "lamps", "--format", "mutual", "--out", tmp_path / "file").code == 2


def test_a_folder_with_files_is_not_written_to(shell, archive, tmp_path):
    shell("import_corpus", "lamps", archive, "--format", "mutual")
    out = tmp_path / "out"
    out.mkdir()
    (out / "notes.txt").write_text("mine")
    printed = shell("export_corpus", "lamps", "--format", "jsonl", "--out", out, "--json")
    assert (printed.code, printed.json["code"]) == (1, "folder_not_empty")
    assert [path.name for path in out.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("exists", [True, False])
def test_an_export_that_fails_leaves_nothing_and_names_the_formats_that_work(shell, tmp_path, exists):
    rows = [dialogue(1, candidates=["a", "b"], answer=0), dialogue(2)]
    shell("import_corpus", "talk", jsonl_of(tmp_path / "talk.jsonl", rows), "--format", "jsonl")
    out = tmp_path / "out"
    if exists:
        out.mkdir()
    printed = shell("export_corpus", "talk", "--format", "mutual", "--out", out, "--json")
    assert (printed.code, printed.json["code"]) == (1, "no_instance")
    assert printed.json["formats"] == ["jsonl", "ubuntu-csv"]
    assert out.exists() == exists
    assert not exists or not [*out.iterdir()]


def test_a_table_with_columns_of_any_names_is_imported(shell, tmp_path):
    path = tmp_path / "chats.csv"
    path.write_text("组,人,话,心情\n1,甲,在吗,好\n1,乙,在的,好\n")
    columns = ("--map", "dialogue_id=组", "speaker=人", "text=话")
    printed = shell("import_corpus", "chats", path, "--format", "table", *columns, "--keep-columns", "--json")
    assert printed.code == 0
    [dialogue] = Corpus.objects.get(name="chats").dialogues.all()
    assert [turn["text"] for turn in dialogue.turns] == ["在吗", "在的"]
    assert dialogue.facts == {"心情": "好"}
