"""What the results say first: how often people are right, and what the plan compares them with or the best model."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from study.domain.results.families import Family
from study.models import Study
from study.presenters.results.comparisons import ComparisonRow, Comparisons, model_titles
from study.presenters.results.results import Results, cells_of_people, corpora_of
from study.presenters.results.run_names import models_in, names_of_runs
from study.presenters.runs.unread import counted_as_wrong
from study.selectors.results.comparisons import planned_contrasts
from study.selectors.results.results import wald_coverage


@dataclass(frozen=True)
class HeadlineFinding:
    """Finding in the page's first sentence: how often a group's people (empty: all) are right, and beside them the
    primary contrast of the plan, or the best model where there is none.

    `model` is a figure of the model that is named, called `model_title`. `models` were run on the questions, of which
    `answered_all` were asked all of them. `condition` is the context that all is of (empty: there is one). `coverage`
    is that of Wald at this share and number, if answers were independent.
    """

    group: str
    cell: dict[str, Any]
    contrast: ComparisonRow | None
    lacks_contrast: bool  # the plan has one, and there are no figures for it
    still_answering: int
    model: dict[str, Any] | None
    model_title: str
    difference: dict[str, Any] | None
    models: int
    answered_all: int
    condition: str
    coverage: float | None

    @property
    def unread(self) -> list[str]:
        """Return a sentence on replies of the model that cannot be read; [] where all can."""
        found = self.model or {}
        if not found.get("unread"):
            return []
        return [counted_as_wrong(self.model_title, found["unread"], found["n"])]

    @property
    def measure(self) -> str:
        """What the contrast compares, with its corpus where it is of one."""
        row = self.contrast.row if self.contrast else {"metric": "", "corpus": None}
        if not row["corpus"]:
            return str(row["metric"])
        return _("%(metric)s on %(corpus)s") % {"metric": row["metric"], "corpus": row["corpus"]}


def finding_of(results: Results, corpus: str | None, compared: Comparisons | None = None) -> HeadlineFinding | None:
    """Return the finding on a corpus (None: on all questions); None without answers.

    It is of the group of the plan's primary contrast, else of that with most answers, or of all where there is one
    group. `compared` is as `compare --json` has it; without it there is no contrast.
    """
    cells = cells_of_people(results, corpus)
    if None not in cells:
        return None
    titles = names_of_runs(results)
    contrast = _primary(results, corpus, compared)
    group = _group_shown(cells, contrast)
    difference = next(
        (row for row in results["differences"] if row["corpus"] == corpus and row["group"] == group), None
    )
    run = _run_named(contrast, difference)
    recall = [row for row in results["models"] if row["corpus"] == corpus and row["metric"] == "R@1"]
    cell = cells[group]["R@1"]
    return HeadlineFinding(
        group=group or "",
        cell=cell,
        contrast=contrast,
        lacks_contrast=_lacks_primary(compared),
        still_answering=results["still_answering"],
        model=next((row for row in recall if row["run"] == run), None),
        model_title=_title(contrast, titles, run),
        difference=difference,
        models=len(models_in(results["models"])),
        answered_all=len(models_in(row for row in recall if not row["without_prediction"])),
        condition=results.get("condition") or "",
        coverage=wald_coverage(cell) if cell["k"] not in (None, 0, cell["n"]) else None,
    )


def awaits_contrast(study: Study, compared: Comparisons | None) -> bool:
    """Return whether the plan has a primary contrast that is not computed yet."""
    plan = planned_contrasts(study)
    return compared is None and plan is not None and bool(plan.group and plan.against)


def _primary(results: Results, corpus: str | None, compared: Comparisons | None) -> ComparisonRow | None:
    """Return the plan's primary contrast, on all questions or on its own corpus; None elsewhere."""
    alone = len(corpora_of(results)) < 2
    compared = compared or {"rows": []}
    for row in compared["rows"]:
        if row["family"] == Family.PRIMARY and (alone or corpus in (None, row["corpus"])):
            return ComparisonRow(row, model_titles(compared, results["models"]))
    return None


def _lacks_primary(compared: Comparisons | None) -> bool:
    plan = compared and compared["plan"]
    if not (compared and plan and plan["group"] and plan["against"]):
        return False
    return all(row["family"] != Family.PRIMARY for row in compared["rows"])


def _group_shown(cells: dict[str | None, Any], contrast: ComparisonRow | None) -> str | None:
    groups = [group for group in cells if group]
    if len(groups) < 2:
        return None
    if contrast and contrast.row["group"] in groups:
        return str(contrast.row["group"])
    return max(groups, key=lambda name: (cells[name]["R@1"]["n"], name))


def _title(contrast: ComparisonRow | None, titles: dict[int, str], run: int | None) -> str:
    """Return what the model that the sentence names is called there; "" where it names none."""
    if run is None:
        return ""
    return contrast.second_name if contrast else titles.get(run, "")


def _run_named(contrast: ComparisonRow | None, difference: dict[str, Any] | None) -> int | None:
    """Return the run whose model the sentence names; None where it names none."""
    if contrast:
        seeds = contrast.row["seeds"]
        return int(seeds[0]["run"]) if seeds else None
    return int(difference["run"]) if difference else None
