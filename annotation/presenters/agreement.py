"""Agreement figures as rows and matrix of a page, and as rows of its table to download."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.domain.agreement import FIGURES, Block, Figure, ModelAgreement, RaterPair
from annotation.domain.agreement.coefficients import KAPPAS
from annotation.domain.agreement.figures import SHARES
from annotation.domain.rating.rating import RatingSettings
from annotation.selectors.agreement.agreement import AgreementReport
from annotation.selectors.agreement.agreement_parts import AgreementPart
from annotation.selectors.agreement.described_figures import REASONS
from annotation.selectors.projects.board import AgreementBoard
from core.domain.statistics import Interval, MissingFigure
from core.presenters.axis import Axis

LABELS: dict[str, str | Promise] = {
    "percent": _("same grade"),
    "gap_le_1": _("at most one grade apart"),
    "kappa": _("κ unweighted"),
    "kappa_linear": _("κ linear"),
    "kappa_quadratic": _("κ quadratic"),
    "kappa_pairs_mean": _("Light's κ (mean over pairs of raters)"),
    "ac1": "Gwet AC1",
    "ac2": "Gwet AC2",
    "alpha_nominal": _("α nominal"),
    "alpha_ordinal": _("α ordinal"),
    "alpha_interval": _("α interval"),
}
BRIEFLY = ("kappa", "kappa_linear", "kappa_quadratic", "ac1", "alpha_ordinal", "percent")
HEADER = ["over", "rater", "partner", "part", "figure", "n", "value", "low", "high", "interval", "asymptotic_se", "why"]
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
        before, after = (figure.why or figure.interval_why for figure in (self.before, self.after))
        told = [("", before)] if before == after else [(_("before"), before), (_("after"), after)]
        return [(when, why) for when, why in told if why]


def figure_rows(agreement: AgreementReport, names: Sequence[str] = FIGURES) -> list[MeasureRow]:
    before, after = agreement.before.figures, agreement.after.figures
    return [MeasureRow(name, LABELS[name], before[name], after[name]) for name in names]


def axis_of(figures: Iterable[Figure]) -> Axis:
    """Return an axis with room for every value and interval of these figures."""
    numbers = [(figure.value, *(figure.interval or figure.asymptotic or ())) for figure in figures]
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


def csv_rows(board: AgreementBoard) -> Iterator[list[Any]]:
    """Yield the rows of the table to download."""
    yield from _of_all(board.agreement)
    kinds = {"source": board.parts.sources, "topic": board.parts.topics, "stretch": board.parts.stretches}
    for over, parts in kinds.items():
        for part in parts:
            yield from _of_part(over, part)
    for type_confusion in board.parts.type_confusions:
        readings = [f"{grade} {kind}".strip() for grade, kind in (type_confusion.low, type_confusion.high)]
        yield ["types far apart", "", "", " · ".join(readings), "pairs", type_confusion.pairs, "", "", "", "", "", ""]
    for model in board.models.models:
        if model.agreement:
            yield from _of_model(model.name, model.agreement, board.models.raters)


def _of_part(over: str, part: AgreementPart) -> Iterator[list[Any]]:
    name = part.name or "(the rest)"
    share = part.apart / part.settled if part.settled else None
    yield [over, "", "", name, "apart", part.settled, share, "", "", "", "", ""]
    for figure_name, figure in part.block.figures.items():
        yield [over, "", "", name, figure_name, part.block.n, *_estimate(figure, figure.asymptotic, "asymptotic")]


def _of_model(name: str, model: ModelAgreement, raters: Sequence[str]) -> Iterator[list[Any]]:
    rows: list[tuple[str, str, str, int, Figure]] = []
    for place in model.places:
        of_place = {"person": place.person, "model": place.model, "difference": place.difference}
        rows += [("in place", raters[place.rater], what, place.n, figure) for what, figure in of_place.items()]
    rows += [("with model", raters[each.rater], "kappa_quadratic", each.n, each.kappa_quadratic) for each in model.each]
    rows.append(("with model", "(the mean)", "kappa_quadratic", model.shared, model.mean))
    for over, rater, what, n, figure in rows:
        yield [over, rater, name, "", what, n, *_estimate(figure, figure.interval, "bootstrap")]


def _of_all(agreement: AgreementReport) -> Iterator[list[Any]]:
    blocks: dict[str, Block] = {"before": agreement.before, "after": agreement.after}
    for over, block in blocks.items():
        for name, figure in block.figures.items():
            method = "wilson" if name in SHARES else "bootstrap"
            yield [over, "", "", "", name, block.n, *_estimate(figure, figure.interval, method)]
    for pair in agreement.pairs:
        names = names_of(pair, agreement)
        yield ["pair", *names, "", "percent", pair.n, pair.percent, "", "", "", "", ""]
        for name in KAPPAS:
            figure = getattr(pair, name)
            yield ["pair", *names, "", name, pair.n, *_estimate(figure, figure.asymptotic, "asymptotic")]


def _estimate(figure: Figure, interval: Interval | None, method: str) -> list[Any]:
    """Return the columns from `value` on, with an interval of the figure and its method."""
    why = figure.why or figure.interval_why
    return [figure.value, *(interval or ("", "")), method, figure.standard_error, str(REASONS[why]) if why else ""]


def names_of(pair: RaterPair, agreement: AgreementReport) -> list[str]:
    return [agreement.raters[position] for position in pair.raters]
