"""Readers of the study's files (benchmarks/study.py), which use the files alone.

They compare the files with what was imported and with the product's own figures.
"""

import json
import os
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.metrics import cohen_kappa_score

from annotation.exporters.trec import topic_of
from annotation.models import Release

SPLITS = ("train", "dev", "test")
LISTS = ("grades", "raters", "types")
GOOD, LEVEL = 4, 6  # a grade, and its relevance in trec.py

Row = dict[str, Any]
Measure = Callable[[str, int, Callable[[], Any]], Any]


class Same:
    """Comparison that ends the run where two values differ."""

    count = 0

    def __call__(self, what: str, found: Any, expected: Any) -> None:
        if found != expected:
            raise SystemExit(f"{what}: {str(found)[:300]}, expected {str(expected)[:300]}")
        self.count += 1


same = Same()


def read_back(release: Release, report: Row, imported: list[dict[str, str]], folder: Path, measure: Measure) -> None:
    counts = release.counts
    lines = b"".join((folder / "jsonl" / f"{split}.jsonl").read_bytes() for split in SPLITS)
    same("checksum of the lines", sha256(lines).hexdigest(), release.checksum)
    rows = [json.loads(line) for line in lines.decode().splitlines()]
    same("instances on disk", len(rows), counts["instances"])
    _as_imported(rows, imported)
    for name, read in READERS.items():
        found = measure(f"{name} read", len(rows), lambda: {split: read(folder, split) for split in SPLITS})  # noqa: B023
        same(f"{name}: sizes", {split: len(table) for split, table in found.items()}, counts["splits"])
        same(f"{name}: contents", [row for split in SPLITS for row in _records(found[split])], rows)
    measure("pytrec_eval read", len(rows), lambda: _trec(rows, folder / "trec"))
    measure("all grades read", 2 * report["items"], lambda: _all_grades(rows, report, folder))


def _as_imported(rows: list[Row], imported: list[dict[str, str]]) -> None:
    fields = ("prompt", "response", "source", "topic")
    before = {row["id"]: [row[field] for field in fields] for row in imported}
    same("ids once", len({row["id"] for row in rows}), len(rows))
    same(
        "texts as imported",
        {row["id"]: [row[field] for field in fields] for row in rows},
        {row["id"]: before[row["id"]] for row in rows},
    )
    splits: dict[str, set[str]] = {}
    for row in rows:
        splits.setdefault(row["prompt"], set()).add(row["split"])
    same("prompts in two splits", [prompt for prompt, of_prompt in splits.items() if len(of_prompt) > 1], [])


# ---- readers: a table of one split ----------------------------------------------------------------------------------
def _datasets(folder: Path, split: str) -> pd.DataFrame:
    os.environ |= {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    import datasets

    datasets.disable_progress_bars()
    table: pd.DataFrame = datasets.load_dataset(
        str(folder / "huggingface"), split=split, cache_dir=str(folder / "cache")
    ).to_pandas()
    return table


def _csv(folder: Path, split: str) -> pd.DataFrame:
    """Read csv without the apostrophe that keeps a text from being a formula."""
    table = pd.read_csv(folder / "csv" / f"{split}.csv", keep_default_na=False)
    for column in table.columns.difference([*LISTS, "grade"]):
        table[column] = table[column].str.removeprefix("'")
    for column in LISTS:
        table[column] = table[column].map(json.loads)
    return table


def _jsonl(folder: Path, split: str) -> pd.DataFrame:
    return pd.read_json(folder / "jsonl" / f"{split}.jsonl", lines=True, dtype=False, convert_dates=False)


def _parquet(folder: Path, split: str) -> pd.DataFrame:
    return pd.read_parquet(folder / "parquet" / f"{split}.parquet")


READERS = {"datasets": _datasets, "pandas csv": _csv, "pandas jsonl": _jsonl, "pandas parquet": _parquet}


def _records(table: pd.DataFrame) -> Iterable[Row]:
    for row in table.to_dict("records"):
        yield {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in row.items()}


# ---- figures computed again -----------------------------------------------------------------------------------------
def _trec(rows: list[Row], folder: Path) -> None:
    """Compare every judgement, and the share of prompts whose first response is good."""
    import pytrec_eval

    for split in SPLITS:
        with (folder / f"{split}.qrels").open() as qrels, (folder / f"{split}.run").open() as run:
            judged, ranked = pytrec_eval.parse_qrel(qrels), pytrec_eval.parse_run(run)
        expected: dict[str, dict[str, int]] = {}
        first: dict[str, bool] = {}
        for row in rows:
            if row["split"] == split:
                topic = topic_of(row["prompt"])
                expected.setdefault(topic, {})[row["id"]] = int(2 * row["grade"]) - 2
                first.setdefault(topic, row["grade"] >= GOOD)
        same(f"trec: judgements of {split}", judged, expected)
        same(
            f"trec: run of {split}",
            {topic: set(of) for topic, of in ranked.items()},
            {topic: set(of) for topic, of in expected.items()},
        )
        found = pytrec_eval.RelevanceEvaluator(judged, {"P_1"}, relevance_level=LEVEL).evaluate(ranked)
        same(f"trec: first response good in {split}", {topic: of["P_1"] == 1 for topic, of in found.items()}, first)


def _all_grades(rows: list[Row], report: Row, folder: Path) -> None:
    """Compare what is kept, its grades, and the agreement before and after, computed again from all grades."""
    table = pd.read_csv(folder / "grades.csv", keep_default_na=False)
    lines = pd.read_json(folder / "grades.jsonl", lines=True, dtype=False, convert_dates=False)
    same("all grades: csv and jsonl", len(table), len(lines))
    same("all grades: grades in both", table["grade"].tolist(), lines["grade"].tolist())
    counted = lines[lines["counted"].astype(bool)].sort_values(["item", "rater"])
    both = counted.groupby("item")["grade"].agg(list)
    same("all grades: pairs", len(both), report["items"])
    given = np.array(both.tolist())
    kept = np.abs(given[:, 0] - given[:, 1]) <= 1
    means = dict(zip(both.index[kept], given[kept].mean(axis=1), strict=True))
    same("all grades: final grades", means, {row["id"]: row["grade"] for row in rows})
    for when, grades in (("before", given), ("after", given[kept])):
        first, second = np.concatenate([grades, grades[:, ::-1]]).T
        figures = {
            "percent": (first == second).mean(),
            "kappa": cohen_kappa_score(first, second),
            "kappa_linear": cohen_kappa_score(first, second, weights="linear"),
            "kappa_quadratic": cohen_kappa_score(first, second, weights="quadratic"),
        }
        for name, figure in figures.items():
            same(f"agreement {when}: {name}", round(report[when][name], 6), round(float(figure), 6))
