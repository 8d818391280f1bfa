"""Runs as tables: figures with intervals and chance, and the runs on one target side by side."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import fsum
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.domain.statistics import MissingFigure, wilson
from core.domain.transitions import JobState
from study.baselines.evaluate import WHY
from study.baselines.registry import BASELINES
from study.domain.results.feasibility import Impossible
from study.domain.results.graded import GRADED_METRICS
from study.domain.results.metrics import METRICS, chance, chance_between
from study.domain.results.published import GRADED, PUBLISHED_CUTS, Published, published_on
from study.models import Run
from study.presenters.runs.unread import wrong_in_short
from study.presenters.runs.words import run_name, type_title
from study.selectors.runs.bodies import values_of
from study.selectors.runs.parts import by_length, of_keys
from study.selectors.runs.runs import OUTCOMES, WHOLE, Target, is_rated, predictions_of, state_of, unread_of
from study.selectors.runs.sources import Source

LABELS: dict[str, str | Promise] = {
    "R@1": _("the correct one is first"),
    "R@2": _("among the first two"),
    "R@5": _("among the first five"),
    "MRR": _("mean of 1 / rank"),
    "MRR@2": _("the same, 0 beyond the second rank"),
}
GRADED_LABELS: dict[str, str | Promise] = {
    "P@1": _("the first one reaches this grade"),
    "MAP": _("mean of the precision at each one that reaches this grade"),
    "MRR": _("mean of 1 / rank of the first one that reaches this grade"),
}
OUTCOME_LABELS: dict[str, str | Promise] = {
    "": _("All"),
    "right": _("Right"),
    "tied": _("Tied"),
    "wrong": _("Wrong"),
    "unanswered": _("No answer"),
}


@dataclass(frozen=True)
class RunFigureRow:
    name: str
    label: str | Promise
    value: float | None
    interval: tuple[float, float] | None
    chance: float | None
    why: str = ""
    published: float | None = None
    is_impossible: bool = False
    seeds: tuple[float, ...] = ()  # those of one run: none
    chance_ends: tuple[float, float] | None = None  # where instances differ in their number of candidates

    @property
    def holds_published(self) -> bool | None:
        """Whether the interval holds the published figure; None without one of them."""
        if self.published is None or self.interval is None:
            return None
        return self.interval[0] <= self.published <= self.interval[1]


@dataclass(frozen=True)
class RunRow:
    run: Run
    title: str
    state: JobState
    first: RunFigureRow | None
    unread: str  # how many replies cannot be read
    figures: dict[str, Any]


@dataclass(frozen=True)
class TargetRows:
    name: str
    n: int | None
    candidates: int | None
    prompts: int | None
    rows: list[RunRow]


def about(run: Run) -> str:
    """Return how the model scores, in a sentence or two."""
    return gettext(BASELINES[run.model].about) if run.model in BASELINES else ""


def figures_of(run: Run) -> list[RunFigureRow]:
    """Return a row for each metric, of rated prompts at each cut; R@5 only with enough candidates."""
    figures = run.figures
    if is_rated(run):
        printed = PUBLISHED_CUTS.get(run.model, {})
        return [
            replace(_graded_row(name, cut, at_cut), published=printed.get(cut, {}).get(name))
            for cut, at_cut in figures["cuts"].items()
            for name in GRADED_METRICS
        ]
    row = published_beside(run)
    check = row.check if row else None
    return [
        replace(
            _row(name, figures),
            published=row.printed.get(name) if row else None,
            is_impossible=name == "MRR" and check is not None and check.why == Impossible.MRR,
        )
        for name in METRICS
        if figures.get(f"{name}_why") != MissingFigure.TOO_FEW_CANDIDATES
    ]


def published_beside(run: Run) -> Published | None:
    """Return what was published of this model on such instances."""
    return next((row for row in published_on(run.on) if row.model == run.model), None)


def study_beside(run: Run, figures: Sequence[RunFigureRow]) -> str:
    """Return the study whose figures are shown beside those of a run; "" where there are none."""
    if all(row.published is None for row in figures):
        return ""
    row = published_beside(run)
    return row.source if row else GRADED


@dataclass(frozen=True)
class PartRow:
    """R@1 of some of the instances: those of one length, or of one type."""

    label: str
    n: int
    right: float
    value: float
    interval: tuple[float, float] | None
    chance: float | None


def length_rows(run: Run, source: Source | None) -> list[PartRow]:
    """Return R@1 by the number of turns of the context; [] where it is unknown or all have one length."""
    if source is None or is_rated(run) or not run.figures.get("n"):
        return []
    values = values_of(run, "R@1", source)
    candidates = run.figures["candidates"]
    guess = chance("R@1", candidates) if candidates else None
    rows = []
    for group in by_length(values, source):
        own = of_keys(values, group.keys)
        right = fsum(own)
        rows.append(PartRow(group.label, len(own), right, right / len(own), wilson(right, len(own)), guess))
    return rows


def type_rows(run: Run) -> list[PartRow]:
    """Return R@1 by reasoning type; [] where no type was named."""
    rows = []
    for part in run.figures.get("by_type", ()):
        if part.get("R@1") is not None:
            guess = chance("R@1", part["candidates"]) if part["candidates"] else None
            label, n, value = type_title(part["type"]), part["n"], part["R@1"]
            rows.append(PartRow(label, n, n * value, value, part["R@1_ci"], guess))
    return rows


def _graded_row(name: str, cut: str, figures: dict[str, Any]) -> RunFigureRow:
    why = figures.get(f"{name}_why")
    reason = gettext(WHY[MissingFigure(why)]) if why else ""
    label, chance = GRADED_LABELS[name], figures["chance"][name]
    return RunFigureRow(f"{name} · Cut@{cut}", label, figures[name], figures[f"{name}_ci"], chance, reason)


def _row(name: str, figures: dict[str, Any]) -> RunFigureRow:
    candidates, why = figures["candidates"], figures.get(f"{name}_why")
    guess = chance(name, candidates) if candidates else None
    return RunFigureRow(
        name,
        LABELS[name],
        figures[name],
        figures[f"{name}_ci"],
        guess,
        gettext(WHY[MissingFigure(why)]) if why else "",
        chance_ends=chance_between(name, figures.get("fewest", 0), figures.get("most", 0)),
    )


def rows_on(target: Target) -> TargetRows:
    rows = [_run_row(run) for run in target.runs]
    sizes = next((row.figures for row in rows if row.figures), {})
    return TargetRows(target.name, sizes.get("n"), sizes.get("candidates"), sizes.get("prompts"), rows)


def _run_row(run: Run) -> RunRow:
    figures = run.figures
    first = _row("R@1", figures) if "n" in figures else None
    unread = wrong_in_short(count) if (count := unread_of(run)) else ""
    return RunRow(run, run_name(run), state_of(run), first, unread, figures)


def material_of(run: Run) -> list[tuple[str | Promise, str | Promise, str]]:
    """Return what a run read: what it is, its name and its checksum."""
    untrained = "" if run.is_uploaded else _("nothing: it does not learn")
    rows = [
        (_("Tested on"), run.on, run.on_checksum),
        (_("Trained on"), run.train or untrained, run.train_checksum),
        (_("Settings chosen on"), run.dev, run.dev_checksum),
        (_("Pre-trained weights"), run.weights, run.weights_checksum),
    ]
    return [row for row in rows if row[1]]


@dataclass(frozen=True)
class SettingRow:
    name: str
    value: Any
    is_chosen_on_dev: bool
    help: str


def settings_of(run: Run) -> list[SettingRow]:
    """Return a row for each setting of the model, with the value that it had or that was chosen."""
    declared = BASELINES[run.model].declares if run.model in BASELINES else ()
    values = {**run.learned, **{name: value for name, value in run.settings.items() if value is not None}}
    return [
        SettingRow(
            setting.name,
            values.get(setting.name),
            bool(run.dev) and run.settings.get(setting.name) is None,
            gettext(setting.help),
        )
        for setting in declared
    ]


def made_of(run: Run) -> dict[str, Any]:
    """Return where and how a run ran, for people: seconds, memory in MB, versions on one line.

    {} before its end, and of predictions that were uploaded.
    """
    found = run.circumstances
    if not found or run.is_uploaded:
        return {}
    versions = {"Python": found["python"], **found["libraries"]}
    return {
        **found,
        "megabytes": round(found["peak_memory"] / 2**20),
        "gigabytes": round(found["hardware"]["memory"] / 2**30),
        "versions": " · ".join(f"{name} {number}" for name, number in versions.items()),
    }


def outcomes_of(run: Run) -> list[tuple[str, str | Promise, int]]:
    """Return each outcome of the predictions with its count; empty where no answer is known."""
    if not run.figures.get("n"):
        return []
    counts = {outcome: predictions_of(run, outcome=outcome).filter(WHOLE).count() for outcome in ("", *OUTCOMES)}
    return [(outcome, OUTCOME_LABELS[outcome], count) for outcome, count in counts.items() if count or not outcome]
