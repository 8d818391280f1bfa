"""Parquet as pandas and pyarrow read it back."""

import json

import pandas
import pyarrow.parquet

from annotation.exporters import parquet
from annotation.exporters.canonical import line
from tests.annotation.exporters.test_exporters import PAIR, instances
from tests.annotation.exporters.test_mutual import instance


def read(folder, split):
    return pyarrow.parquet.read_table(folder / f"{split}.parquet").to_pylist()


def test_every_field_comes_back_as_it_is_in_the_release(tmp_path):
    pairs = list(instances(30))
    parquet.write(pairs, tmp_path, {})
    for split in ("train", "dev", "test"):
        assert [line(row) for row in read(tmp_path, split)] == [line(pair) for pair in pairs if pair["split"] == split]


def test_pandas_finds_numbers_texts_and_lists(tmp_path):
    parquet.write([PAIR], tmp_path, {})
    table = pandas.read_parquet(tmp_path / "train.parquet")
    assert list(table) == list(json.loads(line(PAIR)))
    assert (table["grade"].dtype, table["grade"][0]) == (float, 2.5)
    assert list(table["grades"][0]) == [2, 3]
    assert list(table["types"][0]) == ["echoing", None]
    assert table["response"][0] == PAIR["response"]


def test_a_rewritten_instance_keeps_its_turns(tmp_path):
    written = instance(7, "dev", speakers="WMW")
    parquet.write([written], tmp_path, {})
    assert [line(row) for row in read(tmp_path, "dev")] == [line(written)]
    assert read(tmp_path, "dev")[0]["context"][1] == {"speaker": "M", "text": "Turn 1."}


def test_a_split_of_many_rows_comes_back_whole_and_in_order(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "ROWS", 7)
    parquet.write(instances(20), tmp_path, {})
    assert [row["id"] for row in read(tmp_path, "train")] == [f"train-{number}" for number in range(20)]
    assert pyarrow.parquet.read_metadata(tmp_path / "train.parquet").num_row_groups == 3


def test_a_file_holds_no_time_and_no_path(tmp_path):
    parquet.write([PAIR], tmp_path, {})
    metadata = pyarrow.parquet.read_metadata(tmp_path / "train.parquet")
    assert metadata.metadata is None
    assert str(tmp_path).encode() not in (tmp_path / "train.parquet").read_bytes()
