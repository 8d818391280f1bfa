"""A corpus comes out as it came in."""

import json

import pytest

from annotation.exporters.dialogues import NoInstance
from annotation.selectors.corpora import corpora
from tests.corpora import dialogue, folder_of, imported, instance, mutual_files, stored, tar_of

pytestmark = pytest.mark.django_db


def contents(folder):
    return {path.relative_to(folder).as_posix(): json.loads(path.read_text()) for path in folder.rglob("*.txt")}


def test_both_variants_come_out_equal_to_the_archive_they_came_in(tmp_path, researcher):
    odd = {
        "mutual/dev/dev_7.txt": instance(7, answers=" ", article="m : \u0008back . f : caf\u00c3\u00a9 \u0099 ."),
        "mutual/train/train_8.txt": instance(8, "train", options=["m : a", "m : a", "M: A.", "f : b"], note=[1]),
        "mutual/test/test_9.txt": instance(9, "test", article="m;f :  we do .", answers=""),
        "mutual/test/test_1.txt": instance(1, "test", article="M;F: Both. M: Me.", answers=" "),
    }
    plain = {**mutual_files(1, 2), **mutual_files(3, 12, split="train")}
    plus = {**mutual_files(1, variant="mutual_plus"), **mutual_files(3, split="train", variant="mutual_plus")}
    files = {**plain, **folder_of(odd), **plus}
    made = imported("lamps", tar_of(tmp_path / "x.tar.gz", files), format="mutual", by=researcher)
    for corpus, variant in ((made.corpus, "mutual"), (made.variant, "mutual_plus")):
        number = corpora.write(corpus, format="mutual", folder=tmp_path / variant)
        expected = {name: json.loads(content) for name, content in files.items()}
        expected = {name.partition("/")[2]: expected[name] for name in files if name.startswith(f"{variant}/")}
        assert contents(tmp_path / variant) == expected
        assert number == len(expected)


def test_jsonl_read_again_is_the_same_corpus(tmp_path, researcher):
    rows = [
        dialogue(2, split="train"),
        dialogue(1),
        dialogue(3, candidates=["yes", "no"], answer=0),
        {"turns": ["alone"]},
    ]
    first = stored("first", rows, by=researcher)
    assert corpora.write(first, format="jsonl", folder=tmp_path / "out") == 3
    lines = (tmp_path / "out" / "dev.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == [
        dialogue(1),
        {**dialogue(3), "candidates": ["yes", "no"], "answer": 0},
    ]
    second = imported("second", tmp_path / "out", by=researcher).corpus
    assert second.checksum == first.checksum
    corpora.write(second, format="jsonl", folder=tmp_path / "again")
    for path in (tmp_path / "out").iterdir():
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()


@pytest.mark.parametrize("splits", [["dev", "train", "dev"], ["train", "test", "train"], ["train", "", "test"]])
def test_splits_that_do_not_follow_each_other_come_out_in_one_file_in_order(splits, tmp_path, researcher):
    rows = [dialogue(n, split=split) for n, split in enumerate(splits)]
    first = stored("first", rows, by=researcher)
    assert corpora.write(first, format="jsonl", folder=tmp_path / "out") == 1
    [path] = (tmp_path / "out").iterdir()
    assert (path.name, [json.loads(line) for line in path.read_text().splitlines()]) == ("dialogues.jsonl", rows)
    assert imported("second", tmp_path / "out", by=researcher).corpus.checksum == first.checksum


def test_times_recipients_conversations_and_facts_come_out_as_they_came_in(tmp_path, researcher):
    said = [
        {"speaker": "ann", "text": "Is it on?", "at": "2008-07-14T10:02:00Z"},
        {"speaker": "bo", "text": "Yes.", "at": "2008-07-14T10:03:00Z", "to": "ann"},
    ]
    rows = [dialogue(1, turns=0) | {"turns": said, "conversation": "q1", "facts": {"channel": "#lamps", "day": 3}}]
    first = stored("first", rows, by=researcher)
    kept = first.dialogues.get()
    assert (kept.conversation, kept.facts, kept.turns) == ("q1", {"channel": "#lamps", "day": 3}, said)
    corpora.write(first, format="jsonl", folder=tmp_path / "out")
    assert json.loads((tmp_path / "out" / "dev.jsonl").read_text()) == rows[0]
    assert imported("second", tmp_path / "out", by=researcher).corpus.checksum == first.checksum


def test_an_id_cannot_lead_out_of_the_folder(tmp_path, researcher):
    ids = ["../../escape", "a/b", "..", "x" * 90 + "字" * 10, "a\\b"]
    rows = [dialogue(n, id=each, candidates=["yes", "no"]) for n, each in enumerate(ids)]
    corpora.write(stored("tricky", rows, by=researcher), format="mutual", folder=tmp_path / "out")
    found = contents(tmp_path)
    assert sorted(record["id"] for record in found.values()) == sorted(ids)
    assert {name.rpartition("/")[0] for name in found} == {"out/dev"}


def test_mutual_holds_instances_alone(tmp_path, researcher):
    corpus = stored("talk", [dialogue(1)], by=researcher)
    assert corpora.formats_of(corpus) == ["jsonl", "ubuntu-csv"]
    with pytest.raises(NoInstance, match="d1"):
        corpora.write(corpus, format="mutual", folder=tmp_path)


def test_a_zip_has_the_folders_and_the_same_bytes_each_time(tmp_path, researcher):
    corpus = imported("lamps", tar_of(tmp_path / "x.tar.gz", mutual_files(1, 2)), format="mutual", by=researcher).corpus
    with corpora.zipped(corpus, format="mutual") as first, corpora.zipped(corpus, format="mutual") as again:
        content = first.read()
        assert content == again.read()
    (tmp_path / "again.zip").write_bytes(content)
    copy = imported("copy", tmp_path / "again.zip", format="mutual", by=researcher).corpus
    assert copy.checksum == corpus.checksum
