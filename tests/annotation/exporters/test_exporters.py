import csv
import json
import tracemalloc
from hashlib import sha256

import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.exporters import EXPORTERS, parquet
from annotation.exporters.canonical import FIELDS, checksum, line

PAIR = {
    "topic": "家居",
    "source": "douban",
    "types": ["echoing", None],
    "raters": ["r1", "r2"],
    "grades": [2, 3],
    "grade": 2.5,
    "response": '他说："好"\n再见',
    "prompt": "薄荷总是养不活，怎么办？",
    "split": "train",
    "id": "7",
}
LINE = (
    '{"id":"7","split":"train","prompt":"薄荷总是养不活，怎么办？","response":"他说：\\"好\\"\\n再见","grade":2.5,'
    '"grades":[2,3],"raters":["r1","r2"],"types":["echoing",null],"source":"douban","topic":"家居"}\n'
)
ABOUT: dict[str, object] = {}  # what a release's manifest says; these formats ask nothing of it
ONE_A_SPLIT = ("csv", "jsonl", "parquet")  # formats with one file for each split
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))


def instances(count, splits=("train", "dev", "test")):
    for split in splits:
        for number in range(count):
            yield PAIR | {"id": f"{split}-{number}", "split": split, "response": "好" * (number % 40)}


def unguarded(cell):
    return cell.removeprefix("'")


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_an_instance_is_one_line_of_utf_8_json_in_fixed_order():
    assert line(PAIR) == LINE.encode()
    assert list(json.loads(line(PAIR))) == list(FIELDS)


def test_a_whole_mean_is_written_as_a_fraction_whichever_number_it_came_as():
    assert line(PAIR | {"grade": 3}) == line(PAIR | {"grade": 3.0})
    assert b'"grade":3.0,' in line(PAIR | {"grade": 3})


@pytest.mark.parametrize("wrong", [PAIR | {"rater_name": "林悦"}, {key: PAIR[key] for key in PAIR if key != "topic"}])
def test_a_missing_or_unknown_field_is_refused(wrong):
    with pytest.raises(ValueError, match="exactly the fields id, split, prompt"):
        line(wrong)


def test_a_grade_that_is_no_number_is_refused():
    with pytest.raises(ValueError, match="not JSON compliant"):
        line(PAIR | {"grade": float("nan")})


def test_a_mark_of_adjudication_stands_last_and_only_where_it_was_given():
    assert line(PAIR | {"adjudicated": True}) == LINE.replace('"}', '","adjudicated":true}').encode()


@pytest.mark.parametrize("name", ONE_A_SPLIT)
def test_adjudicated_pairs_are_marked_in_every_format(name, tmp_path):
    marked = [PAIR | {"id": "1", "adjudicated": True}, PAIR | {"id": "2", "adjudicated": False}]
    EXPORTERS[name](iter(marked), tmp_path, ABOUT)
    read = {
        "csv": pandas.read_csv,
        "parquet": pandas.read_parquet,
        "jsonl": lambda path: pandas.read_json(path, lines=True),
    }
    assert read[name](tmp_path / f"train.{name}")["adjudicated"].tolist() == [True, False]


@pytest.mark.parametrize("name", ONE_A_SPLIT)
def test_the_same_release_gives_the_same_bytes_in_one_file_per_split(name, tmp_path):
    first = EXPORTERS[name](instances(5), tmp_path / "a" / "b", ABOUT)
    mixed = sorted(instances(5), key=lambda instance: instance["id"][-1])
    second = EXPORTERS[name](mixed, tmp_path / "c", ABOUT)
    assert [path.name for path in first] == [f"{split}.{name}" for split in ("train", "dev", "test")]
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
    assert name == "parquet" or all(path.read_bytes().count(b"\r") == 0 for path in first)


@pytest.mark.parametrize("name", ONE_A_SPLIT)
def test_an_empty_split_still_has_its_file(name, tmp_path):
    _, dev, test = EXPORTERS[name](instances(1, splits=["train"]), tmp_path, ABOUT)
    assert dev.read_bytes() == test.read_bytes()
    if name == "parquet":
        assert list(pandas.read_parquet(dev)) == list(FIELDS)
    else:
        assert dev.read_text() in ("", ",".join(f'"{field}"' for field in FIELDS) + "\n")


def test_the_checksum_is_that_of_the_three_jsonl_files_one_after_another(tmp_path):
    files = EXPORTERS["jsonl"](instances(20), tmp_path, ABOUT)
    assert checksum(instances(20)) == sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def test_the_checksum_covers_the_order_and_the_split_of_every_instance():
    listed = list(instances(3))
    changed = [*listed[1::-1], *listed[2:]]
    moved = [*listed[:2], listed[2] | {"split": "dev"}, *listed[3:]]
    assert len({checksum(listed), checksum(changed), checksum(moved)}) == 3


def test_a_checksum_refuses_splits_out_of_order():
    with pytest.raises(ValueError, match="train comes after dev"):
        checksum(instances(2, splits=["dev", "train"]))


@pytest.mark.parametrize("name", ONE_A_SPLIT)
def test_an_unknown_split_is_refused(name, tmp_path):
    with pytest.raises(KeyError, match="validation"):
        EXPORTERS[name](instances(1, splits=["validation"]), tmp_path, ABOUT)
    with pytest.raises(ValueError, match="validation"):
        checksum(instances(1, splits=["validation"]))


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
@pytest.mark.parametrize("field", ["id", "prompt", "response", "source", "topic"])
def test_no_cell_of_a_csv_begins_as_a_formula(start, field, tmp_path):
    path, _, _ = EXPORTERS["csv"]([PAIR | {field: f"{start}1+1"}], tmp_path, ABOUT)
    assert rows(path)[0][field] == f"'{start}1+1"


def test_numbers_stay_numbers_and_lists_are_json(tmp_path):
    path, _, _ = EXPORTERS["csv"]([PAIR | {"grade": -2.0, "grades": [-2, -2]}], tmp_path, ABOUT)
    table = pandas.read_csv(path)
    assert table["grade"].dtype == float
    assert table["grade"][0] == -2.0
    assert json.loads(table["grades"][0]) == [-2, -2]
    assert json.loads(table["types"][0]) == ["echoing", None]


@given(
    prompt=texts, response=texts.map("'".__add__), topic=st.sampled_from(["", "=1", "'=1", "''", "a\rb", "\r\n", '"'])
)
def test_texts_are_read_back_from_csv_by_taking_one_apostrophe_away(tmp_path_factory, prompt, response, topic):
    pair = PAIR | {"prompt": prompt, "response": response, "topic": topic}
    [row] = rows(EXPORTERS["csv"]([pair], tmp_path_factory.mktemp("csv"), ABOUT)[0])
    assert [unguarded(row[field]) for field in ("prompt", "response", "topic")] == [prompt, response, topic]


@given(prompt=texts, response=texts)
def test_any_text_is_one_line_of_jsonl_and_is_read_back(prompt, response):
    pair = PAIR | {"prompt": prompt, "response": response}
    assert line(pair).count(b"\n") == 1
    assert json.loads(line(pair)) == pair


@pytest.mark.parametrize("name", ONE_A_SPLIT)
def test_memory_does_not_grow_with_the_release(name, tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "ROWS", 20)

    def peak(count):
        tracemalloc.start()
        EXPORTERS[name](instances(count), tmp_path, ABOUT)
        checksum(instances(count))
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(10)
    assert peak(2_000) < peak(50) + 200_000
