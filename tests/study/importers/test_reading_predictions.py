"""Files of predictions, read line by line: MuTual's lists and scores in JSON."""

import io
import json

import pytest

from annotation.importers.reasons import RowRefused
from annotation.importers.rows import BadRow
from study.importers.predictions import read


def rows(content: str | bytes) -> list:
    written = content if isinstance(content, bytes) else content.encode()
    return list(read(io.BytesIO(written), file_name="said.txt"))


def scores(line: str, candidates: int = 4) -> list[float]:
    [row] = rows(line)
    return row.scores_of(candidates)


def refused(line: str, candidates: int = 4) -> str:
    [row] = rows(line)
    if isinstance(row, BadRow):
        return row.reason.code
    with pytest.raises(RowRefused) as found:
        row.scores_of(candidates)
    return found.value.reason.code


@pytest.mark.parametrize("line", ["d1\tC\tA\tD\tB", "d1\t3\t1\t4\t2", "d1\tc\ta\td\tb", " d1 \t C\tA\tD\tB\r"])
def test_a_list_names_the_candidates_best_first(line):
    assert scores(line) == [2, 0, 3, 1]


def test_more_candidates_than_letters_have_numbers():
    order = [*range(30, 0, -1)]
    assert scores("\t".join(["d1", *map(str, order)]), 30) == [float(number) for number in range(30)]


def test_scores_are_in_the_order_of_the_instance_and_ties_stay_tied():
    assert scores('{"id": "d1", "scores": [0.5, 0.5, -1, 1e3]}') == [0.5, 0.5, -1, 1000]


@pytest.mark.parametrize("line", ["d1", '{"id": "d1", "scores": []}'])
def test_an_id_alone_says_that_there_is_no_answer(line):
    assert scores(line) == []


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("d1\tA\tB\tC\tE", "candidate_unknown"),
        ("d1\t0\t1\t2\t3", "candidate_unknown"),
        ("d1\tA\t\tB\tC", "candidate_unknown"),
        ("d1\tA\tB\tC\t", "candidates_left_out"),
        ("d1\tA\tB\tC\tA", "candidate_twice"),
        ("d1\tA\t1\tC\tD", "candidate_twice"),
        ("d1\tA", "candidates_left_out"),
        ("\tA\tB\tC\tD", "no_value"),
        ('{"id": "d1", "scores": [1, 2, 3]}', "scores_count"),
        ('{"id": "d1", "scores": [1, 2, 3, NaN]}', "score_not_finite"),
        ('{"id": "d1", "scores": [1, 2, 3, Infinity]}', "score_not_finite"),
        ('{"id": "d1", "scores": [1, 2, 3, -Infinity]}', "score_not_finite"),
        ('{"id": "d1", "scores": [1, 2, 3, 1e999]}', "score_not_finite"),
        ('{"id": "d1", "scores": [1, 2, 3, 1' + "0" * 400 + "]}", "score_not_finite"),
        ('{"id": "d1\\u0000", "scores": [1, 2, 3, 4]}', "nul"),
        ('{"id": "d1", "scores": [1, 2, 3, null]}', "score_no_number"),
        ('{"id": "d1", "scores": [1, 2, 3, "4"]}', "score_no_number"),
        ('{"id": "d1", "scores": [1, 2, 3, true]}', "score_no_number"),
        ('{"id": "d1"}', "not_list"),
        ('{"id": "d1", "scores": 3}', "not_list"),
        ('{"scores": [1, 2, 3, 4]}', "no_value"),
        ('{"id": null, "scores": [1, 2, 3, 4]}', "no_value"),
        ('{"id": "d1", "id": "d2", "scores": [1, 2, 3, 4]}', "key_twice"),
        ('{"id": "d1", "scores": [4, 3, 2, 1], "scores": [1, 2, 3, 4]}', "key_twice"),
        ('{"id": "d1", "scores": [1, 2', "json_broken"),
        ('{"id": "d1", "scores": ' + "[" * 100_000, "json_deep"),
    ],
)
def test_what_is_no_prediction_is_refused_with_its_reason(line, code):
    assert refused(line) == code


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("", "empty"),
        ("\n \n", "empty"),
        (json.dumps({"id": "d1", "scores": [1, 2]}, indent=1), "json_document"),
        ("[]", "json_no_records"),
        ("[" * 100_000, "json_deep_file"),
        (b"PK\x03\x04 and more", "archive"),
        (b"\x00\x00\x01\x00\x00\x02" * 400, "binary"),
    ],
)
def test_another_kind_of_file_is_refused_whole(content, code):
    [row] = rows(content)
    assert (row.line, row.reason.code) == (None, code)


def test_lines_are_counted_as_in_the_file_and_ids_are_normalised():
    found = rows('\ufeffd1\tA\tB\n\n{"id": 7, "scores": [1, 2]}\n \u00e9t\u0065\u0301\tB\tA\n'.encode())
    assert [(row.line, row.id) for row in found] == [(1, "d1"), (3, "7"), (4, "\u00e9t\u00e9")]


def test_a_line_without_end_is_refused_and_reading_goes_on():
    found = rows("d1\t" + "A" * 300_000 + "\nd2\tA\tB")
    assert [(row.line, isinstance(row, BadRow)) for row in found] == [(1, True), (2, False)]


@pytest.mark.parametrize("indent", [None, 1, "\t"])
def test_a_json_array_is_read_entry_by_entry(indent):
    said = [{"id": "d1", "scores": [0, 1]}, {"id": "d1", "id2": 0}, "d2", {"id": 2, "scores": []}]
    found = rows(json.dumps(said, indent=indent))
    assert [row.line for row in found] == [1, 2, 3, 4]
    assert (found[0].id, found[0].scores_of(2), found[3].id, found[3].scores_of(2)) == ("d1", [0, 1], "2", [])
    assert [row.reason.code for row in found if isinstance(row, BadRow)] == ["not_list", "json_no_object"]


def test_an_entry_of_an_array_that_names_its_id_twice_is_refused_by_itself():
    [first, second] = rows('[{"id": "d1", "id": "d2", "scores": [1, 0]}, {"id": "d3", "scores": [1, 0]}]')
    assert (first.line, first.reason.code, second.id) == (1, "key_twice", "d3")


def test_a_broken_array_is_refused_whole():
    *read_before, last = rows('[{"id": "d1", "scores": [1, 0]}, {"id": "d2", "scores": [1, 0}]')
    assert [row.id for row in read_before] == ["d1"]
    assert (last.line, last.reason.code) == (None, "json_broken_file")


def test_an_id_in_brackets_begins_a_list_and_no_array():
    assert scores("[d1]\tB\tA", 2) == [0, 1]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gb18030"])
@pytest.mark.parametrize("line", ["dialogue-对话\tB\tA\n", '[{"id": "dialogue-对话", "scores": [0, 1]}]\n'])
def test_other_encodings_are_read_as_in_other_imports(line, encoding):
    [row] = rows(line.encode(encoding))
    assert (row.id, row.scores_of(2)) == ("dialogue-对话", [0, 1])
