"""Figures of agreement as reports have them: the value, its intervals, and the reason for what is missing."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.domain.agreement import Figure
from core.domain.statistics import Interval, MissingFigure

REASONS = {
    MissingFigure.NO_OVERLAP: _("No pair has two grades."),
    MissingFigure.ONE_CATEGORY: _("All grades are the same: chance agreement is 1, so the coefficient is undefined."),
    MissingFigure.ONE_ITEM: _("There is only one pair, prompt or dialogue to resample."),
    MissingFigure.NO_VARIANCE: _("All values are the same: nothing can be concluded about others."),
    MissingFigure.BIASED: _(
        "No interval: resampled values are biased downwards, so an interval from them would miss the true value."
    ),
    MissingFigure.TOO_FEW_DRAWS: _("Most resamples leave it undefined."),
}


def asymptotic(name: str, figure: Figure) -> dict[str, Any]:
    described: dict[str, Any] = {name: figure.value, f"{name}_asymptotic": ends(figure.asymptotic)}
    if figure.why:
        described[f"{name}_why"] = str(REASONS[figure.why])
    return described


def ends(interval: Interval | None) -> list[float] | None:
    return None if interval is None else list(interval)


def resampled(name: str, figure: Figure) -> dict[str, Any]:
    """Return a figure with the interval of the bootstrap alone."""
    described: dict[str, Any] = {name: figure.value, f"{name}_ci": ends(figure.interval)}
    if why := figure.why or figure.interval_why:
        described[f"{name}_why"] = str(REASONS[why])
    return described
