"""Results to download: the rows of the table, the panels of the figure."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from study.figures import Panel, ShareRow
from study.presenters.results.conditions import condition_table
from study.presenters.results.results import (
    Results,
    candidates_of,
    chance_of,
    corpora_of,
    name_of_model,
    rows_of_models,
    rows_of_people,
)

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
    """Return the columns: where there are some, with types of reasoning and a model's number of unread questions."""
    types = ("type",) if any(cell["type"] for cell in found["cells"]) else ()
    unread = ("unread",) if any(row.get("unread") for row in found["models"]) else ()
    return (*HEADER, *types, *unread)


def csv_rows(found: Results) -> Iterator[list[Any]]:
    """Yield the rows of the table: each cell of people, each figure of an expert, then each of a model."""
    people = [{"who": "people", **_with_ends(cell)} for cell in found["cells"]]
    models = [
        {"who": row["model"], "name": name_of_model(row), **_with_ends(row | {"headline": row["ci"]})}
        for row in found["models"]
    ]
    experts = [
        {"who": "expert", "name": expert["expert"], **_with_ends(figure | {"headline": figure["ci"]})}
        for expert in (found["experts"] or {"each": []})["each"]
        for figure in expert["figures"]
    ]
    header = csv_header(found)
    yield from ([row.get(name) for name in header] for row in (*people, *experts, *models))


def _with_ends(row: dict[str, Any]) -> dict[str, Any]:
    ends = {name: row.get(name) or ("", "") for name in INTERVALS}
    return row | {f"{name}_{end}": ends[name][position] for name in ends for position, end in enumerate(ENDS)}


def panels_of(found: Results) -> list[Panel]:
    """Return a panel for each corpus, with the same rows in each; a single one where no corpus has a name."""
    shown: list[str | None] = [*corpora_of(found)] or [None]
    rows = {corpus: _named(_drawn(found, corpus)) for corpus in shown}
    names = list(dict.fromkeys(name for of_corpus in rows.values() for name in of_corpus))
    return [
        Panel(
            title=corpus or "",
            note=_("%(count)s candidates") % {"count": count} if (count := candidates_of(found, corpus)) else "",
            chance=chance_of(found, corpus),
            rows=tuple(_drawn_row(rows[corpus].get(name), *name) for name in names),
        )
        for corpus in shown
        if names
    ]


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
            chance=chance_of(found, None),
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
    return [*groups, *rows_of_models(found, corpus)]


def _named(rows: list[Any]) -> dict[tuple[str, str], Any]:
    """Return the rows by the name and kind they have in every panel. Later runs of one model are numbered."""
    runs: dict[str, list[int]] = {}
    for row in sorted(rows, key=lambda row: row.run):
        runs.setdefault(row.name, []).append(row.run)

    def name(row: Any) -> str:
        number = runs[row.name].index(row.run) + 1
        return row.name if number == 1 else f"{row.name} ({number})"

    return {(name(row), row.kind): row for row in rows}


def _drawn_row(row: Any, name: str, kind: str) -> ShareRow:
    first = row.figures["R@1"] if row else None
    ends = first and first.ends
    return ShareRow(name, first and first.value, ends and (ends[0], ends[1]), kind == "people")
