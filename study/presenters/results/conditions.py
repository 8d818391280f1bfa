"""R@1 of people and models in each condition that questions were asked in: what the context is worth."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from study.baselines.ablation import ALL, SHUFFLE
from study.domain.results.labels import WHOLE
from study.forms.runs import ablation_title
from study.presenters.results.results import Results
from study.presenters.results.run_names import names_of_runs

ORDER = (WHOLE, "first", SHUFFLE, ALL)  # "first:N" by how many turns are removed


def condition_title(name: str) -> str:
    """Return what was done to the contexts, for people."""
    return _("whole context") if name == WHOLE else ablation_title(name)


@dataclass(frozen=True)
class ConditionFigures:
    """People or a model in each condition; None where there is no figure. `kind` is people or model."""

    name: str
    kind: str
    cells: list[dict[str, Any] | None]
    run: int = 0


@dataclass(frozen=True)
class ConditionTable:
    """R@1 of people and models in each condition that questions were asked in, the whole context first."""

    conditions: list[str]
    rows: list[ConditionFigures]

    @property
    def titles(self) -> list[str]:
        return [condition_title(name) for name in self.conditions]


def condition_table(results: Results) -> ConditionTable | None:
    """Return what the context is worth to people and to models; None where questions are in one condition."""
    cells = [row for row in results["looks"] if row["label"] == "condition" and row["corpus"] is None]
    names = {row["name"] for row in cells}
    if len(names) < 2:
        return None
    conditions = sorted(names, key=lambda name: (ORDER.index(name.partition(":")[0]), len(name), name))
    groups = sorted({row["group"] for row in cells if row["group"]})
    shown = [*groups, None] if len(groups) != 1 else groups
    people = [
        ConditionFigures(
            group or _("All people"),
            "people",
            [_found(cells, name=name, group=group) for name in conditions],
        )
        for group in shown
    ]
    figures = results["models_in_conditions"]
    titles = names_of_runs(results)
    models = [
        ConditionFigures(
            titles[run],
            "model",
            [_found(figures, run=run, condition=name) for name in conditions],
            run,
        )
        for run in dict.fromkeys(row["run"] for row in figures)
    ]
    return ConditionTable(conditions, [*people, *models])


def _found(rows: Sequence[dict[str, Any]], **wanted: Any) -> dict[str, Any] | None:
    return next((row for row in rows if wanted.items() <= row.items()), None)
