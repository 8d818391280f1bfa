"""The two files of the Ubuntu corpus: labelled triples, and instances with candidates."""

import pytest

from annotation.importers import ubuntu_csv
from annotation.importers.reasons import RowRefused
from tests.corpora import FilesRead

LABELLED = """\
Context,Utterance,Label
dark __eou__ __eot__ plug? __eou__ or bulb? __eou__ __eot__,bulb __eou__,1
dark __eou__ __eot__ plug? __eou__ or bulb? __eou__ __eot__,no idea __eou__,0
dark __eou__ __eot__ plug? __eou__ or bulb? __eou__ __eot__ bulb __eou__ __eot__,buy one __eou__,1
"hello, all __eou__ __eot__",hi __eou__,1.0
"""
CANDIDATES = """\
Context,Ground Truth Utterance,Distractor_0,Distractor_1
dark __eou__ __eot__ plug? __eou__ __eot__,yes __eou__,no __eou__,perhaps __eou__ so __eou__
dark __eou__ __eot__,plug? __eou__,no __eou__,
"""


@pytest.fixture
def read(tmp_path):
    def files(**named):
        return FilesRead(ubuntu_csv, tmp_path, {f"{name}.csv": content for name, content in named.items()})

    return files


def test_true_rows_are_dialogues_and_one_that_goes_on_is_joined(read):
    found = read(train=LABELLED)
    assert found.texts == [["A dark", "B plug?\nor bulb?", "A bulb", "B buy one"], ["A hello, all", "B hi"]]
    assert (found.ledger.kept, found.ledger.joined, found.dropped) == (2, 1, {"false_response": 1})
    assert [(row.id, row.split) for row in found.rows] == [("train-1", "train"), ("train-2", "train")]


def test_rows_with_false_responses_are_instances_whose_first_candidate_is_true(read):
    found = read(valid=CANDIDATES)
    assert [row.candidates for row in found.rows] == [["yes", "no", "perhaps\nso"], ["plug?", "no"]]
    assert [(row.answer, row.split, row.id) for row in found.rows] == [(0, "dev", "valid-1"), (0, "dev", "valid-2")]
    assert found.texts[0] == ["A dark", "B plug?"]


def test_rows_that_begin_alike_are_of_one_conversation(read):
    found = read(test=CANDIDATES, train=LABELLED)
    assert [row.split for row in found.rows] == ["train", "train", "test", "test"]
    first, second, third, fourth = (row.conversation for row in found.rows)
    assert first == third == fourth != second


def test_rows_that_cannot_be_taken_are_refused_with_their_line(read):
    bad = "dark __eou__ __eot__,hi __eou__,2\ndark __eou__ __eot__, __eou__,1\n"
    found = read(train=LABELLED + bad)
    assert [(row.line, row.reason.code) for row in found.refused] == [(6, "label_unknown"), (7, "no_response")]


def test_an_instance_without_context_is_refused(read):
    found = read(test=CANDIDATES + ",yes __eou__,no __eou__,\n")
    assert [(row.line, row.reason.code) for row in found.refused] == [(4, "no_context")]


def test_a_labelled_row_without_context_is_refused(read):
    found = read(train=LABELLED + ",yes __eou__,1\n __eou__ __eot__,yes __eou__,0\n")
    assert [(row.line, row.reason.code) for row in found.refused] == [(6, "no_context"), (7, "no_context")]


def test_a_file_of_ids_names_the_dialogues_beside_it(read):
    ids = "Dialogue,Conversation,Drawn\nlamp,q1,1\nhello,q2,1\n"
    found = read(train=LABELLED, train_ids=ids)
    assert [(row.id, row.conversation) for row in found.rows] == [("lamp", "q1"), ("hello", "q2")]


def test_an_instance_whose_false_responses_were_drawn_is_a_dialogue_again(read):
    found = read(test=CANDIDATES, test_ids="Dialogue,Conversation,Drawn\na,q1,1\nb,q1,0\n")
    assert found.texts == [["A dark", "B plug?", "A yes"], ["A dark"]]
    assert [row.candidates for row in found.rows] == [None, ["plug?", "no"]]


@pytest.mark.parametrize("names", [["a"], ["a", "b", "c"], ["a", "a"], ["a", ""], []])
def test_ids_that_do_not_fit_refuse_the_whole(read, names):
    ids = "Dialogue,Conversation,Drawn\n" + "".join(f"{name},q,1\n" for name in names)
    with pytest.raises(RowRefused) as refused:
        read(train=LABELLED, train_ids=ids)
    assert refused.value.reason.code == "ids_misfit"


def test_files_of_one_name_in_two_folders_have_ids_of_their_own(tmp_path):
    found = FilesRead(ubuntu_csv, tmp_path, {"a/train.csv": LABELLED, "b/train.csv": LABELLED})
    assert len({row.id for row in found.rows}) == len(found.rows) == 4


def test_a_dialogue_of_two_turns_does_not_go_on_with_the_next_one(read):
    rows = "a __eou__ __eot__,b __eou__,1\na __eou__ __eot__ b __eou__ __eot__,c __eou__,1\n"
    assert read(train="Context,Utterance,Label\n" + rows).texts == [["A a", "B b"], ["A a", "B b", "A c"]]
