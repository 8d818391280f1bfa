"""Results of one corpus as rows of a table: people, models, published figures; and the sentence above them."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from study.domain.results.exclusions import BY_HAND, OF_PLAN, ON_REQUEST
from study.domain.results.metrics import chance
from study.presenters.results.run_names import name_of_model, names_of_runs
from study.presenters.runs.unread import counted_as_wrong, wrong_in_short

Results = dict[str, Any]
Ends = tuple[float, float]
ROUNDING = 1e-9  # by which a design effect of 1 may be below it


@dataclass(frozen=True)
class Estimate:
    """A figure with its interval, or the reason why it has none; `n` where it is of fewer answers than R@1 is."""

    value: float | None = None
    ends: Ends | None = None
    why: str = ""
    n: int | None = None


@dataclass(frozen=True)
class ResultRow:
    """A row: its name, the note below it, and the figures by metric. `kind` is people, model, published (people) or
    published-model.

    `run` is the key of a model's run, `unread` for how many questions it has no readable reply. Of what is published,
    `impossible` says why figures cannot be (Impossible), `why_impossible` the same in words; `quoted` is the key of
    one that a researcher typed in.
    """

    name: str
    note: str
    kind: str
    figures: dict[str, Estimate]
    n_eff: float | None = None
    n: int | None = None  # answers that R@1 is over; of a model, questions
    impossible: str = ""
    why_impossible: str = ""
    quoted: int = 0
    run: int = 0
    unread: int = 0
    asked: int = 0

    @property
    def is_published(self) -> bool:
        return self.kind.startswith("published")

    @property
    def unread_sentence(self) -> str:
        return counted_as_wrong(self.name, self.unread, self.asked) if self.unread else ""


SIGNS = {
    "webdriver": gettext_lazy("a program drives the browser"),
    "trap": gettext_lazy("a hidden field is filled in"),
    "paste": gettext_lazy("pasted"),
    "copy": gettext_lazy("copied"),
    "away_ms": gettext_lazy("away from the page for 5 minutes or longer"),
}


def signs_of(results: Results) -> list[tuple[Any, int]]:
    """Return each sign of the behaviour log that someone shows, with the number of people."""
    return [(SIGNS[sign], people) for sign, people in (results.get("signs") or {}).items() if people]


def switched_rules(results: Results) -> list[dict[str, Any]]:
    """Return the rules that are not as they are by default: those of it that are off, and others that are on."""
    return [row for row in results["rules"] if row["applied"] == (row["rule"] in ON_REQUEST)]


def is_as_planned(results: Results) -> bool:
    """Return whether the rules of the plan apply, and no others."""
    return all(row["applied"] == (row["rule"] in OF_PLAN) for row in results["rules"])


def left_out_by_hand(results: Results) -> int:
    """Return how many people the results leave out by hand, which no plan has, and by no other rule that applies."""
    rows = [row for row in results["rules"] if row["rule"] == BY_HAND and row["applied"]]
    return sum(row.get("alone", row["people"]) for row in rows)  # what an earlier version stored has no "alone"


def corpora_of(results: Results) -> list[str]:
    return [row["corpus"] for row in results["candidates"] if row["corpus"]]


def chance_of(results: Results, corpus: str | None, metric: str = "R@1") -> float | None:
    candidates = candidates_of(results, corpus)
    return chance(metric, candidates) if candidates else None


def guess_of(results: Results, corpus: str | None) -> float | Ends | None:
    """Return chance at R@1 over the questions of a corpus, or between what it lies; None where it is unknown."""
    return chance_of(results, corpus) or chance_ends(results, corpus)


def chance_ends(results: Results, corpus: str | None) -> Ends | None:
    """Return between what chance at R@1 lies where questions have different numbers of candidates."""
    row = next((row for row in results["candidates"] if row["corpus"] == corpus), None)
    if row is None or row["candidates"] or not row["fewest"]:
        return None
    return 1 / row["most"], 1 / row["fewest"]


def candidates_of(results: Results, corpus: str | None) -> int | None:
    """Return how many candidates the questions of a corpus have; None where it varies or is unknown."""
    return next((row["candidates"] for row in results["candidates"] if row["corpus"] == corpus), None)


def is_guessed(results: Results, corpus: str | None) -> bool:
    """Return whether a corpus may have more candidates: their number is the highest rank in imported answers."""
    return any(row["guessed"] for row in results["candidates"] if row["corpus"] == corpus)


def cells_of_people(results: Results, corpus: str | None) -> dict[str | None, dict[str, dict[str, Any]]]:
    """Return the cells of a corpus by group and metric; those of all people under None."""
    found: dict[str | None, dict[str, dict[str, Any]]] = {}
    for cell in results["cells"]:
        if cell["corpus"] == corpus and all(cell[label] is None for label in ("form", "condition", "turns", "type")):
            found.setdefault(cell["group"], {})[cell["metric"]] = cell
    return {group: cells for group, cells in found.items() if cells["R@1"]["n"]}


def rows_of_people(results: Results, corpus: str | None) -> list[ResultRow]:
    """Return the rows of the groups, then of all people; only one row where there is one group."""
    cells = cells_of_people(results, corpus)
    return [_people(group or _("All people"), cells[group]) for group in groups_shown(results, corpus)]


def groups_shown(results: Results, corpus: str | None) -> list[str | None]:
    """Return the groups, then None for all people; of one group only that."""
    cells = cells_of_people(results, corpus)
    groups = sorted(group for group in cells if group)
    return [group for group in [*groups, *([] if len(groups) == 1 else [None])] if group in cells]


def _people(name: str, cells: dict[str, dict[str, Any]]) -> ResultRow:
    first = cells["R@1"]
    count, answered, right = first["people"], first["n"], first["k"]
    people = ngettext("%(n)s person", "%(n)s people", count) % {"n": f"{count:,}"}
    if right is None:
        note = ngettext("%(n)s answer, with ties", "%(n)s answers, with ties", answered) % {"n": f"{answered:,}"}
    else:
        said = {"k": f"{right:,}", "n": f"{answered:,}"}
        note = ngettext("%(k)s of %(n)s answer", "%(k)s of %(n)s answers", answered) % said
    if first["flag"] and right is not None:
        note = _("; ").join([note, _all_alike(first)])
    figures = {metric: _estimate(cell, answered) for metric, cell in cells.items()}
    return ResultRow(name, _(", ").join([people, note]), "people", figures, first["n_eff"], answered)


def _all_alike(cell: dict[str, Any]) -> str:
    if cell["k"]:
        return _("all %(n)s right") % {"n": f"{cell['n']:,}"}
    return _("none of %(n)s right") % {"n": f"{cell['n']:,}"}


def _estimate(cell: dict[str, Any], answered: int) -> Estimate:
    return Estimate(cell["p"], cell["headline"], cell["headline_why"] or "", fewer(cell, answered))


def fewer(cell: dict[str, Any], answered: int) -> int | None:
    """Return how many answers a figure rests on, where they are some of those that R@1 beside it rests on."""
    return cell["n"] if 0 < cell["n"] < answered else None


def rows_of_models(results: Results, corpus: str | None) -> list[ResultRow]:
    """Return the rows of the runs, best first."""
    runs: dict[int, dict[str, dict[str, Any]]] = {}
    for row in results["models"]:
        if row["corpus"] == corpus:
            runs.setdefault(row["run"], {})[row["metric"]] = row
    titles = names_of_runs(results)
    rows = [_model(figures, titles[run]) for run, figures in runs.items()]
    alike = [(name_of_model(figures["R@1"]), row.note) for row, figures in zip(rows, runs.values(), strict=True)]
    times = Counter(alike)
    rows = [
        _with_its_run(row, figures["R@1"]) if times[same] > 1 else row
        for row, same, figures in zip(rows, alike, runs.values(), strict=True)
    ]
    return sorted(rows, key=lambda row: -(row.figures["R@1"].value or 0))


def _model(figures: dict[str, dict[str, Any]], title: str) -> ResultRow:
    first = figures["R@1"]
    notes = [_("trained on %(train)s, seed %(seed)s") if first["train"] else _("seed %(seed)s")]
    if tied := first["tied"]:
        notes.append(ngettext("%(tied)s question tied", "%(tied)s questions tied", tied))
    if unread := first.get("unread", 0):
        notes.append(wrong_in_short(unread))
    if missing := first["without_prediction"]:
        notes.append(
            ngettext(
                "%(missing)s question without a prediction, not counted",
                "%(missing)s questions without a prediction, not counted",
                missing,
            )
        )
    if shared := first["shared_contexts"]:
        notes.append(
            ngettext(
                "%(shared)s context is also in its training data",
                "%(shared)s contexts are also in its training data",
                shared,
            )
        )
    said = {"shared": shared, "train": first["train"], "seed": first["model_seed"], "tied": tied, "missing": missing}
    estimates = {metric: Estimate(row["p"], row["ci"]) for metric, row in figures.items()}
    note = _("; ").join(note % said for note in notes)
    counts = {"run": first["run"], "unread": unread, "asked": first["n"]}
    return ResultRow(title, note, "model", estimates, first["n"] or None, first["n"], **counts)


def _with_its_run(row: ResultRow, first: dict[str, Any]) -> ResultRow:
    """Add to the note on what the run ran and when, to tell it from another run of the same model."""
    ended = date_format(localtime(datetime.fromisoformat(first["ended_at"])), "DATETIME_FORMAT")
    said = _("ran on %(on)s, %(when)s") % {"on": first["on"], "when": ended}
    return replace(row, note=_("; ").join([row.note, said]))


def varies_less(results: Results, corpus: str | None) -> bool:
    """Return whether a figure of interval_rows varies less than one of as many independent right and wrong answers."""
    return any((cell["design_effect"] or 1) < 1 - ROUNDING for _name, cell in interval_rows(results, corpus))


def interval_rows(results: Results, corpus: str | None) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the rows of the table of all intervals: every group and all people, R@1 and R@2."""
    for group, cells in cells_of_people(results, corpus).items():
        for metric in ("R@1", "R@2"):
            if cells[metric]["n"]:
                yield group or _("All people"), cells[metric]
