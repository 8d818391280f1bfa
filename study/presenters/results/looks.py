"""Sections below the results: R@1 under every exclusion rule, and by what no hypothesis was fixed for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from study.domain.results.labels import SAYS
from study.domain.survey.demographics import DemographicQuestion
from study.presenters.results.results import Results, groups_shown
from study.presenters.runs.words import type_title

LENGTHS = {"<=2": "≤ 2", ">=6": "≥ 6"}


@dataclass(frozen=True)
class CellRow:
    """A row of a section: its name, and a cell of people. A section has one row at most that `is_main`."""

    name: str
    cell: dict[str, Any]
    is_main: bool = False


@dataclass(frozen=True)
class LookSection:
    """Rows that share a question: by what R@1 is shown."""

    key: str
    title: str
    rows: list[CellRow]


@dataclass(frozen=True)
class RuleSection:
    """R@1 of a group or all people under each set of rules, and between what it lies over all combinations."""

    title: str
    rows: list[CellRow]
    combinations: dict[str, Any] | None


def sections_of_rules(results: Results, corpus: str | None) -> list[RuleSection]:
    """Return a section for each group of the main table whose figure a rule changes."""
    groups = groups_shown(results, corpus)
    found = [(group, rows) for group in groups if (rows := rows_of_rules(results, corpus, group))]
    return [
        RuleSection(group or _("All people"), rows, combinations_of(results, corpus, group)) for group, rows in found
    ]


def rows_of_rules(results: Results, corpus: str | None, group: str | None) -> list[CellRow]:
    """Return R@1 of a group in a corpus under no rule, each that changes it, the planned ones and all.

    Main is the row of the rules by default. [] where no rule changes it.
    """
    shown: list[CellRow] = []
    kinds = {one["kind"] for one in results["every_rule"]["sets"]}
    main = "default" if "default" in kinds else "planned"
    for one in results["every_rule"]["sets"]:
        cell = next((cell for cell in one["cells"] if _is_of(cell, corpus, group)), None)
        if cell and (one["kind"] != "rule" or not shown or cell != shown[0].cell):
            shown.append(CellRow(name_of_set(results, one), cell, one["kind"] == main))
    return shown if any(row.cell != shown[0].cell for row in shown) else []


def is_emptied_by_rules(results: Results) -> bool:
    """Return whether no answer counts and there are some that would without rules."""
    of_none = next(one for one in results["every_rule"]["sets"] if one["kind"] == "none")
    return not results["answers"] and any(cell["n"] for cell in of_none["cells"])


def _is_of(cell: dict[str, Any], corpus: str | None, group: str | None) -> bool:
    return bool(cell["corpus"] == corpus and cell["group"] == group)


def name_of_set(results: Results, one: dict[str, Any]) -> str:
    """Return what a set of rules of `every_rule` is called."""
    if one["kind"] == "rule":
        return str(next(rule["title"] for rule in results["rules"] if [rule["rule"]] == one["rules"]))
    return {
        "none": _("no rule"),
        "planned": _("as planned"),
        "default": _("as planned, and without people excluded by hand"),
        "all": _("all rules"),
    }[one["kind"]]


def combinations_of(results: Results, corpus: str | None, group: str | None) -> dict[str, Any] | None:
    """Return between what R@1 lies over all combinations of rules; None where there is one combination."""
    found = next((row for row in results["every_rule"]["combinations"] if _is_of(row, corpus, group)), None)
    return found if found and found["combinations"] > 1 else None


def sections_of(
    results: Results, corpus: str | None, group: str | None, asked: Sequence[DemographicQuestion]
) -> list[LookSection]:
    """Return the sections of labels with two names or more, of a group in a corpus; `asked` are questions on people."""
    rows: dict[str, list[dict[str, Any]]] = {}
    for row in results["looks"]:
        if _is_of(row, corpus, group) and row["label"] != "condition":
            rows.setdefault(row["label"], []).append(row)
    questions = {f"{SAYS}{one.key}": one for one in asked}
    found = [
        LookSection(
            label, _title(label, questions), [CellRow(_name(label, row["name"], questions), row) for row in some]
        )
        for label, some in rows.items()
        if len(some) > 1
    ]
    return sorted(found, key=lambda section: section.key.startswith(SAYS))


def _title(label: str, questions: dict[str, DemographicQuestion]) -> str:
    if label in questions:
        return _("What people say about themselves: %(question)s") % {"question": questions[label].text}
    return {
        "turns": _("By turns of the context"),
        "type": _("By type of reasoning"),
        "half": _("By half of the survey"),
        "position": _("By position in the survey"),
    }[label]


def _name(label: str, name: str, questions: dict[str, DemographicQuestion]) -> str:
    if label in questions:
        return questions[label].answers.get(name, name)
    match label:
        case "turns":
            return LENGTHS.get(name, name)
        case "type":
            return type_title(name)
        case "half":
            return _("first half") if name == "first" else _("second half")
    return _("questions %(places)s") % {"places": name.replace("-", "–")}
