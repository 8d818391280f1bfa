"""A corpus in the files of the Ubuntu corpus: triples, candidates, and the same corpus when they are read back."""

import csv

import pytest

from annotation.exporters.dialogues import NoInstance
from annotation.selectors.corpora import corpora
from core.domain.text import fold
from tests.corpora import dialogue, imported, stored

pytestmark = pytest.mark.django_db


def rows_of(path):
    with path.open(newline="") as file:
        return list(csv.reader(file))


@pytest.fixture
def written(tmp_path, researcher):
    """Write dialogues in the Ubuntu format; return the corpus and the folder."""

    def write(rows, name="talk"):
        corpus = stored(name, rows, by=researcher)
        corpora.write(corpus, format="ubuntu-csv", folder=tmp_path / name)
        return corpus, tmp_path / name

    return write


def test_each_turn_from_the_third_on_answers_all_before_it_once_truly_and_once_falsely(written):
    _corpus, folder = written([dialogue(n, turns=5, split="train") for n in range(4)])
    header, *rows = rows_of(folder / "train.csv")
    assert header == ["Context", "Utterance", "Label"]
    assert len(rows) == 4 * 3 * 2
    assert rows[0] == [
        "Line 0 of story 0. __eou__ __eot__ Line 1 of story 0. __eou__ __eot__",
        "Line 2 of story 0. __eou__",
        "1",
    ]
    for true, false in zip(rows[::2], rows[1::2], strict=True):
        story = true[0].split("story ")[1][0]
        assert (true[2], false[2], true[0]) == ("1", "0", false[0])
        assert f"story {story}" in true[1] and f"story {story}" not in false[1]


def test_a_dialogue_of_the_test_set_has_nine_false_responses_from_within_it(written):
    rows = [dialogue(n, split="test") for n in range(12)] + [dialogue(n, split="train") for n in range(20, 25)]
    _corpus, folder = written(rows)
    header, *written_rows = rows_of(folder / "test.csv")
    assert header[:3] == ["Context", "Ground Truth Utterance", "Distractor_0"]
    assert len(header) == 11 and len(written_rows) == 12
    for number, (context, *responses) in enumerate(written_rows):
        assert context.count("__eot__") == 5
        assert responses[0] == f"Line 5 of story {number}. __eou__"
        assert len(set(map(fold, responses))) == 10
        assert all(int(each.split("story ")[1].partition(".")[0]) < 12 for each in responses)


def test_no_false_response_is_of_the_same_conversation(written):
    same = [dialogue(n, split="train", conversation="q1") for n in range(3)]
    _corpus, folder = written(same)
    assert {row[2] for row in rows_of(folder / "train.csv")[1:]} == {"1"}


def test_the_same_corpus_gives_the_same_bytes(written):
    rows = [dialogue(n, split="train") for n in range(5)]
    (_, one), (_, two) = written(rows, "one"), written(rows, "two")
    assert (one / "train.csv").read_bytes() == (two / "train.csv").read_bytes()


def test_what_is_read_back_is_the_same_corpus(written, researcher, tmp_path):
    rows = [dialogue(n, turns=n, split="train") for n in range(2, 8)]
    rows += [dialogue(8, split="test", candidates=["yes", "no\nnever", "so"], answer=0), dialogue(9)]
    rows[3]["turns"][1]["text"] = 'Two lines,\n"quoted", and all.'
    _corpus, folder = written(rows)
    first = imported("first", folder, format="ubuntu-csv", by=researcher).corpus
    corpora.write(first, format="ubuntu-csv", folder=tmp_path / "again")
    second = imported("second", tmp_path / "again", format="", by=researcher).corpus
    assert (second.checksum, second.dialogues_count) == (first.checksum, 8)
    for row, kept in zip(rows[:6], first.dialogues.filter(split="train").order_by("position"), strict=True):
        assert kept.turns == row["turns"]


def test_an_instance_without_a_known_answer_has_no_place_in_it(written):
    with pytest.raises(NoInstance):
        written([dialogue(1, candidates=["yes", "no"])])


def test_dialogues_come_back_under_their_ids_and_are_written_as_before(written, researcher, tmp_path):
    splits = ["train", "test"] * 8
    rows = [dialogue(n, turns=4, split=split, conversation=f"q{n // 2}") for n, split in enumerate(splits)]
    _corpus, folder = written(rows)
    again = imported("again", folder, format="", by=researcher).corpus
    assert sorted(again.dialogues.values_list("external_id", "split", "conversation")) == sorted(
        (row["id"], row["split"], row["conversation"]) for row in rows
    )
    assert not again.dialogues.filter(candidates__isnull=False).exists()
    corpora.write(again, format="ubuntu-csv", folder=tmp_path / "out")
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["test.csv", "test_ids.csv", "train.csv", "train_ids.csv"]
    for name in names:
        assert (tmp_path / "out" / name).read_bytes() == (folder / name).read_bytes()


def test_fewer_false_responses_than_nine_leave_no_empty_column(written):
    _corpus, folder = written([dialogue(n, split="test") for n in range(4)])
    header = rows_of(folder / "test.csv")[0]
    assert header == ["Context", "Ground Truth Utterance", "Distractor_0", "Distractor_1", "Distractor_2"]


def test_instances_and_dialogues_of_one_split_have_rows_of_one_length(written):
    rows = [dialogue(n, split="test") for n in range(12)]
    _corpus, folder = written([*rows, dialogue(20, split="test", candidates=["yes", "no"], answer=0)])
    assert {len(row) for row in rows_of(folder / "test.csv")} == {11}


def test_a_turn_of_marks_alone_has_no_place_in_it(written):
    with pytest.raises(NoInstance):
        written([{**dialogue(1), "turns": ["dark", "__eou__", "so"]}])
