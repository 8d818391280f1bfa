"""Results to download: the rows of the table, the panels of the figure."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.utils.translation import gettext as _

from study.domain.results.feasibility import Impossible
from study.domain.results.small_groups import small_groups
from study.domain.survey.survey import DerivedGroup
from study.figures import Panel, ShareRow
from study.presenters.results.conditions import condition_table
from study.presenters.results.published import rows_published
from study.presenters.results.results import (
    Results,
    candidates_of,
    corpora_of,
    guess_of,
    is_as_planned,
    is_guessed,
    rows_of_models,
    rows_of_people,
    switched_rules,
)
from study.presenters.results.run_names import names_of_runs
from study.selectors.results.cells import LABELS

IMPOSSIBLE = {Impossible.MRR: ("MRR",), Impossible.ORDER: ("R@1", "R@2"), Impossible.TWO: ("R@2",)}
BESIDE = ("label", "label_name", "rules", "source", "split")
INTERVALS = ("headline", "bootstrap", "wald", "wilson", "jeffreys", "agresti_coull", "clopper_pearson")
ENDS = ("low", "high")
HEADER = (
    *("who", "corpus", "group", "form", "condition", "turns", "metric", "estimator", "k", "n", "p"),
    *("people_mean", "people", "questions", "icc", "design_effect", "n_eff"),
    *("headline_low", "headline_high", "headline_why", "flag", "starred"),
    *(f"{name}_{end}" for name in INTERVALS[1:] for end in ENDS),
    "name",
)


def csv_header(found: Results) -> tuple[str, ...]:
    """Return the columns: where there are some, with types of reasoning and a model's number of unread questions.

    `label` and `label_name` say by what else a row is, `rules` under which rules where these are not the plan's,
    `source` where published figures are printed, and `split` of which part of the corpus.
    """
    types = ("type",) if any(cell["type"] for cell in found["cells"]) else ()
    unread = ("unread",) if any(row.get("unread") for row in found["models"]) else ()
    return (*HEADER, *types, *unread, *BESIDE)


def file_suffix(found: Results) -> str:
    """Return what the names of files end in: which rules are switched."""
    off, on = ([row["rule"] for row in switched_rules(found) if row["applied"] is on] for on in (False, True))
    return "".join(f"-{word}-{'-'.join(rules)}" for word, rules in (("without", off), ("also", on)) if rules)


def csv_rows(found: Results) -> Iterator[list[Any]]:
    """Yield the rows of the table: each cell of people, each figure of an expert, each of a model; then R@1 by other
    labels and under other rules, and what is published or quoted.

    A row that names no condition is of the whole context where questions were asked in others too, and says so.
    """
    context, titles = found.get("condition"), names_of_runs(found)
    cells = (cell for cell in found["cells"] if context is None or cell["condition"] != context)
    people = [{"who": "people", **_with_ends(cell)} for cell in cells]
    models = [
        {"who": row["model"], "name": titles[row["run"]], **_with_ends(row | {"headline": row["ci"]})}
        for row in found["models"]
    ]
    experts = [
        {"who": "expert", "name": expert["expert"], **_with_ends(figure | {"headline": figure["ci"]})}
        for expert in (found["experts"] or {"each": []})["each"]
        for figure in expert["figures"]
    ]
    header = csv_header(found)
    own = (*people, *experts, *models, *_looks(found), *_under_rules(found))
    rules = " ".join(row["rule"] for row in found["rules"] if row["applied"]) or "none"
    held = {} if is_as_planned(found) else {"rules": rules}
    rows = (*({**held, **row, "condition": row.get("condition") or context} for row in own), *_published(found))
    yield from ([row.get(name) for name in header] for row in rows)


def _looks(found: Results) -> Iterator[dict[str, Any]]:
    for row in found["looks"]:
        named = {"label": row["label"], "label_name": row["name"], "name": None}
        condition = row["name"] if row["label"] == "condition" else None
        yield {**_with_ends(row), "who": "people", "condition": condition, **named}


def _under_rules(found: Results) -> Iterator[dict[str, Any]]:
    for one in found["every_rule"]["sets"]:
        rules = " ".join(one["rules"]) if one["kind"] == "rule" else one["kind"]
        yield from ({"who": "people", "rules": rules, **_with_ends(cell)} for cell in one["cells"] if cell["n"])


def _published(found: Results) -> Iterator[dict[str, Any]]:
    for row in found["published"]:
        who = "quoted" if row["quoted"] else "published"
        same = {"who": who, "name": row["who"], "corpus": row["corpus"], "source": row["source"], "split": row["split"]}
        counts = {"people": None if row["is_model"] else row["n"]}
        counts["questions"] = row["n"] if row["is_model"] else row["instances"]
        for metric in ("R@1", "R@2", "MRR"):
            if row[metric]:
                flag = "impossible" if metric in IMPOSSIBLE.get(row["impossible"], ()) else None
                yield {**same, **counts, "metric": metric, "p": row[metric], "flag": flag}


def crossing_rows(labels: list[str], cells: list[dict[str, Any]]) -> Iterator[list[Any]]:
    """Yield the rows of a crossing of labels, its header first."""
    header = [*labels, *(name for name in HEADER if name not in {*labels, *LABELS, "who", "name"})]
    yield header
    yield from ([row.get(name) for name in header] for row in map(_with_ends, cells))


def _with_ends(row: dict[str, Any]) -> dict[str, Any]:
    ends = {name: row.get(name) or ("", "") for name in INTERVALS}
    return row | {f"{name}_{end}": ends[name][position] for name in ends for position, end in enumerate(ENDS)}


def drawn_of(found: Results, derived: Iterable[DerivedGroup]) -> Results:
    """Return the results that figures draw: without the groups that are too small."""
    small = small_groups(found["cells"], [group.name for group in derived])
    return {**found, "cells": [cell for cell in found["cells"] if cell["group"] not in small]}


def panels_of(found: Results) -> list[Panel]:
    """Return a panel for each corpus, with the same rows in each; a single one where no corpus has a name."""
    shown: list[str | None] = [*corpora_of(found)] or [None]
    rows = {corpus: _named(_drawn(found, corpus)) for corpus in shown}
    names = list(dict.fromkeys(name for of_corpus in rows.values() for name in of_corpus))
    names.sort(key=lambda named: named[1] != "people")  # a group of one corpus alone would be below the models
    return [
        Panel(
            title=corpus or "",
            note=_candidates_note(found, corpus),
            chance=guess_of(found, corpus),
            rows=tuple(_drawn_row(rows[corpus].get(name), *name) for name in names),
        )
        for corpus in shown
        if names
    ]


def _candidates_note(found: Results, corpus: str | None) -> str:
    count = candidates_of(found, corpus)
    if not count:
        return ""
    if is_guessed(found, corpus):
        return _("at least %(n)s candidates") % {"n": count}
    return _("%(count)s candidates") % {"count": count}


def panels_of_contexts(found: Results) -> list[Panel]:
    """Return a panel for each condition that questions were asked in, with the same people and models in each."""
    table = condition_table(found)
    if table is None:
        return []
    rows = _named(table.rows)
    return [
        Panel(
            title=title,
            note="",
            chance=guess_of(found, None),
            rows=tuple(_share_row(name, kind, row.cells[at]) for (name, kind), row in rows.items()),
        )
        for at, title in enumerate(table.titles)
    ]


def _share_row(name: str, kind: str, cell: dict[str, Any] | None) -> ShareRow:
    cell = cell or {}
    ends = cell.get("headline") or cell.get("ci")
    return ShareRow(name, cell.get("p"), ends and (ends[0], ends[1]), kind == "people")


def _drawn(found: Results, corpus: str | None) -> list[Any]:
    people = rows_of_people(found, corpus)
    groups = people[:-1] if len(people) > 1 else people
    printed = (row for row in rows_published(found, corpus) if row.figures.get("R@1"))
    return [*groups, *rows_of_models(found, corpus), *printed]


def _named(rows: list[Any]) -> dict[tuple[str, str], Any]:
    """Return the rows by the name and kind they have in every panel. Later ones of one name are numbered."""
    runs: dict[tuple[str, str], list[int]] = {}
    for row in sorted(rows, key=_age):
        runs.setdefault((row.name, row.kind), []).append(_age(row))

    def name(row: Any) -> str:
        number = runs[row.name, row.kind].index(_age(row)) + 1
        return row.name if number == 1 else f"{row.name} ({number})"

    return {(name(row), row.kind): row for row in rows}


def _age(row: Any) -> int:
    """Return the key of a row's run, or of what a researcher typed in: a later one has a larger key."""
    return int(getattr(row, "run", 0) or getattr(row, "quoted", 0))


def _drawn_row(row: Any, name: str, kind: str) -> ShareRow:
    first = row.figures["R@1"] if row else None
    ends = first and first.ends
    is_people = kind in ("people", "published")
    return ShareRow(name, first and first.value, ends and (ends[0], ends[1]), is_people, kind.startswith("published"))
