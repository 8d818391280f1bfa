"""The export of the replayed study as pandas reads it, and the figures that follow from its files alone.

R@1 is 1 where the line chosen first is the true one and 0 where it is another; R@2 and MRR@2 are of the answers with a
second choice. A question left empty has no row and is in no figure, and no one who chooses lines makes a tie (METHODS
2). An answer counts where it came in time and no rule leaves its person out.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.study_readers import same

METRICS = ("R@1", "R@2", "MRR@2")
LATE = "late_answers"
PARTS = ("corpus", "group", "form", "turns")
LISTS = ("order", "ranking", "forms", "candidates", "context")

Part = dict[str, str]


class Exported:
    """Tables of the export: `people` and `questions` by their names, `answers` with the columns of both.

    `rules` are the columns of people that say who is left out.
    """

    def __init__(self, folder: Path) -> None:
        tables = {name: _read(folder / f"{name}.csv") for name in ("answers", "people", "questions", "codebook")}
        for name in ("answers", "people", "questions"):
            known = tables["codebook"].query("file == @name")["column"]
            same(f"codebook of {name}", known.tolist(), tables[name].columns.tolist())
        self.people, self.questions = tables["people"].set_index("person"), tables["questions"].set_index("question")
        before_by_hand = list(self.people.columns).index("answered") + 1
        self.rules = list(self.people.columns)[before_by_hand : list(self.people.columns).index("excluded_why")]
        same("counted", _is(self.people["counted"]).tolist(), (~self.is_out()).tolist())
        self.answers = self._scored(tables["answers"])

    def is_out(self, without: str = "") -> "pd.Series[bool]":
        """Return whether a rule, other than `without`, leaves each person out."""
        marked: pd.Series[bool] = _is(self.people[[rule for rule in self.rules if rule != without]]).any(axis=1)
        return marked

    def _scored(self, table: pd.DataFrame) -> pd.DataFrame:
        own = table.join(self.questions[["corpus", "turns", "answer", "whole", "forms", "candidates"]], on="question")
        joined = own.join(self.people[["group", "says_ubuntu"]], on="person")
        same("answers of known people to known questions", joined.notna().all(axis=None), True)
        joined["turns"] = pd.cut(joined["turns"].astype(int), [0, 2, 3, 4, 5, np.inf], labels=TURNS).astype(str)
        joined["late"] = _is(joined["late"])
        joined["lines"] = [
            tuple(lines[line] for line in ranking)
            for lines, ranking in zip(joined["candidates"], joined["ranking"], strict=True)
        ]
        answer = joined["answer"].astype(int)
        place = [
            ranking.index(true) if true in ranking else np.inf
            for ranking, true in zip(joined["ranking"], answer, strict=True)
        ]
        joined["R@1"] = np.equal(place, 0).astype(float)
        has_second = joined["ranking"].str.len() > 1
        joined["R@2"] = np.where(has_second, np.less(place, 2), np.nan)
        joined["MRR@2"] = np.where(has_second, np.select([np.equal(place, 0), np.equal(place, 1)], [1, 0.5], 0), np.nan)
        same("R@1 as the export says", joined["correct"].astype(float).tolist(), joined["R@1"].tolist())
        same("ties", set(joined["tied"]), {"0"})
        same(
            "form", [int(f) in fs for f, fs in zip(joined["form"], joined["forms"], strict=True)], [True] * len(joined)
        )
        return joined

    def counting(self, without: str = "") -> pd.DataFrame:
        """Return the answers that count under all rules except one.

        Without the rule of late answers, one that came late takes the place of that in time.
        """
        out = self.is_out(without)
        rows = self.answers[self.answers["person"].map(~out)]
        if without == LATE:
            return rows.sort_values("late", kind="stable").drop_duplicates(["person", "question"], keep="last")
        return rows[~rows["late"]]


TURNS = ("<=2", "3", "4", "5", ">=6")


def _read(path: Path) -> pd.DataFrame:
    """Read a file as texts, without the apostrophe that keeps one from being a formula, and its lists."""
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    for column in table.columns:
        table[column] = table[column].str.removeprefix("'")
        if column in LISTS:
            table[column] = table[column].map(json.loads)
    return table


def _is(texts: Any) -> Any:
    return texts == "true"


def parts_of(counting: pd.DataFrame, derived: Mapping[str, "pd.Series[bool]"]) -> Iterator[tuple[Part, pd.DataFrame]]:
    """Yield each part of the answers that has a cell, by the columns that it is selected by.

    These are all answers, each corpus, group, form and length of context, and each corpus with each group. `derived`
    marks the rows of groups that an answer makes, which are cells within their corpora alone.
    """
    yield {}, counting
    for column in PARTS:
        for name, rows in counting.groupby(column):
            yield {column: str(name)}, rows
    for (corpus, group), rows in counting.groupby(["corpus", "group"]):
        yield {"corpus": str(corpus), "group": str(group)}, rows
    for group, marked in derived.items():
        for corpus, rows in counting[marked].groupby("corpus"):
            yield {"corpus": str(corpus), "group": group}, rows


def figures_of(rows: pd.DataFrame, metric: str) -> dict[str, float]:
    """Return the figures of a cell by the names that they have in results."""
    known = rows[rows[metric].notna()]
    return {
        "n": len(known),
        "p": known[metric].mean(),
        "people_mean": known.groupby("person")[metric].mean().mean(),
        "people": known["person"].nunique(),
        "questions": known["whole"].nunique(),
        "left_out": len(rows) - len(known),
    }
