"""Rows and matrix of agreement figures for a page."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.domain.agreement import FIGURES, Figure, MissingFigure
from annotation.domain.rating.rating import RatingSettings
from annotation.selectors.agreement.agreement import AgreementReport
from core.presenters.axis import Axis

LABELS: dict[str, str | Promise] = {
    "percent": _("same grade"),
    "gap_le_1": _("at most one grade apart"),
    "kappa": _("κ unweighted"),
    "kappa_linear": _("κ linear"),
    "kappa_quadratic": _("κ quadratic"),
    "kappa_pairs_mean": _("κ, mean of the pairs of raters"),
    "ac1": "Gwet AC1",
    "ac2": "Gwet AC2",
    "alpha_nominal": _("α nominal"),
    "alpha_ordinal": _("α ordinal"),
    "alpha_interval": _("α interval"),
}
BRIEFLY = ("kappa", "kappa_linear", "kappa_quadratic", "ac1", "alpha_ordinal", "percent")
LEVELS = 6  # of the heat colours, l0 to l5


@dataclass(frozen=True)
class MeasureRow:
    """One measure before and after the filter."""

    name: str
    label: str | Promise
    before: Figure
    after: Figure

    @property
    def reasons(self) -> list[tuple[str | Promise, MissingFigure]]:
        """Reasons for a missing value or interval, before and after the filter; one entry if both are the same."""
        before, after = (figure.why or figure.bootstrap_why for figure in (self.before, self.after))
        told = [("", before)] if before == after else [(_("before"), before), (_("after"), after)]
        return [(when, why) for when, why in told if why]


def figure_rows(agreement: AgreementReport, names: Sequence[str] = FIGURES) -> list[MeasureRow]:
    before, after = agreement.before.figures, agreement.after.figures
    return [MeasureRow(name, LABELS[name], before[name], after[name]) for name in names]


def axis_of(figures: Iterable[Figure]) -> Axis:
    """Return an axis with room for every value and interval of these figures."""
    numbers = [(figure.value, *(figure.bootstrap or figure.asymptotic or ())) for figure in figures]
    return Axis.around(number for row in numbers for number in row)


@dataclass(frozen=True)
class MatrixCell:
    """Cell of the matrix of two grades: number of pairs, heat from 0 to 5, and whether the filter removed them."""

    count: int
    level: int
    is_removed: bool


def matrix_rows(agreement: AgreementReport, settings: RatingSettings) -> list[tuple[int, list[MatrixCell]]]:
    """Return a row for each grade, with a cell for every grade up to it, because the two assignments are
    exchangeable.
    """
    grades, warmest = settings.grades.grades, agreement.matrix.max(initial=0) or 1
    rows = []
    for position, grade in enumerate(grades):
        counts = agreement.matrix[position, : position + 1].tolist()
        gaps = [grade - other for other in grades[: position + 1]]
        rows.append(
            (grade, [_cell(count, warmest, gap > settings.gap) for count, gap in zip(counts, gaps, strict=True)])
        )
    return rows


def _cell(count: float, warmest: float, is_too_far: bool) -> MatrixCell:
    pairs = round(count)
    return MatrixCell(pairs, min(LEVELS - 1, int(count / warmest * LEVELS)), is_too_far and pairs > 0)
