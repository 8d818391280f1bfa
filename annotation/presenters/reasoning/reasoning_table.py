"""Table of the reasoning types people named beside the study's, for the board and for a release."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.domain.reasoning import PEOPLE
from annotation.presenters.reasoning.reasoning_words import NAMES
from core.domain.statistics import MissingFigure

REASONS = {
    MissingFigure.NO_OVERLAP: _("No instance has two answers yet."),
    MissingFigure.ONE_CATEGORY: _("All answers are the same: chance agreement is 1, so the coefficient is undefined."),
    MissingFigure.ONE_ITEM: _("There is only one instance: nothing to resample."),
    MissingFigure.NO_VARIANCE: _("All values are the same: nothing can be concluded about others."),
    MissingFigure.BIASED: _(
        "No interval: resampled values are biased downwards, so an interval from them would miss the true value."
    ),
    MissingFigure.TOO_FEW_DRAWS: _("Most resamples leave it undefined."),
}
FIGURES: dict[str, str | Promise] = {
    "percent": _("same answer"),
    "kappa": _("kappa, pooled"),
    "kappa_pairs_mean": _("Light's kappa, mean over pairs of raters"),
}


@dataclass(frozen=True)
class ReasoningTypeRow:
    """Row of a reasoning type, with formatted percentages; empty if there is none."""

    name: str | Promise
    share: str
    interval: str
    published: str


@dataclass(frozen=True)
class TypeAgreementRow:
    """One figure, for all instances and for those without an "unsure" answer."""

    name: str | Promise
    both: tuple[Mapping[str, Any], Mapping[str, Any]]


def context(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return the context of annotation/_reasoning_table.html from a report of selectors.reasoning."""
    return {
        "report": report,
        "answers": PEOPLE * report["instances"],
        "rows": [_row(key, figures) for key, figures in report["types"].items()],
        "figures": [
            TypeAgreementRow(
                name, (_figure(report["agreement"], key), _figure(report["agreement_without_unsure"], key))
            )
            for key, name in FIGURES.items()
        ],
    }


def _row(key: str, figures: Mapping[str, Any]) -> ReasoningTypeRow:
    share, ends = figures["share"], figures["share_ci"]
    return ReasoningTypeRow(
        NAMES[key],
        "" if share is None else _percent(share),
        " – ".join(map(_percent, ends or ())),
        f"{100 * figures['published']:.0f}",
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _figure(block: Mapping[str, Any], key: str) -> dict[str, Any]:
    why = block.get(f"{key}_why")
    return {"value": block[key], "interval": block[f"{key}_ci"], "why": REASONS[MissingFigure(why)] if why else ""}
