"""The curve of a training: checks on dev above the loss, on one axis of progress, and a sentence that reads it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext as _

from core.domain.curves import CurvePoint
from core.domain.stages import StageKind, stage_of
from core.models import Job, User
from core.presenters.axis import Axis
from core.templatetags.figures import share
from study.domain.results.metrics import chance
from study.domain.results.published import published_on
from study.models import Run
from study.presenters.runs.epochs import Epochs, epochs_of
from study.selectors.runs.sources import candidates_in

SMOOTHING = 0.15  # weight of the newest loss in the clear line
TICKS = 4
CHECKS = 10  # shown in the table, the newest first
FEWEST = 20  # losses, from which a curve that does not fall is said to be flat
FLAT = 0.01  # share of the loss by which it has to fall


class Reading(StrEnum):
    """What the curve says."""

    EARLY = "early"
    FLAT = "flat"
    RISES = "rises"  # the newest check on dev is the best
    PAST = "past"  # an earlier check was better
    FALLS = "falls"  # the loss falls, there are no checks


@dataclass(frozen=True)
class Line:
    kind: str  # class of its style
    points: str


@dataclass(frozen=True)
class Level:
    """A level to compare the checks with: `value` is on the scale of the score on dev."""

    kind: str  # class of its style
    label: str
    value: float


@dataclass(frozen=True)
class DrawnLevel:
    kind: str
    label: str
    place: str


@dataclass(frozen=True)
class Plot:
    """What is drawn: places in per cent of the width and, from above, of the height."""

    ticks: list[tuple[float, str]]
    lines: list[Line]
    marks: list[tuple[str, str]]
    best: list[tuple[str, str, str]]
    now: str
    is_live: bool
    epochs: list[str]
    levels: list[DrawnLevel]

    @property
    def ahead(self) -> str:
        """Width of the part that is still to come."""
        return f"{100 - float(self.now):.1f}"


@dataclass(frozen=True)
class DevCheck:
    step: int
    loss: float | None
    dev: float
    is_best: bool


@dataclass(frozen=True)
class TrainingCurve:
    reading: Reading
    step: int
    best: CurvePoint | None
    since: int  # checks after the best
    loss: float | None
    checks: list[DevCheck]
    dev: Plot | None
    losses: Plot | None
    is_live: bool  # a part of the training is still to come
    epochs: list[int]  # below the axis


def curve_of(run: Run, *, by: User) -> TrainingCurve | None:
    """Return the curve of a run whose model trains or trained; None where it told nothing of it."""
    job = run.job
    points = [point.on_curve for point in job.points.all()] if job else []
    if job is None or not points:
        return None
    checks = [point for point in points if point.dev is not None]
    losses = [point for point in points if point.loss is not None]
    best = max(checks, key=lambda point: point.dev or 0.0, default=None)
    since = len(checks) - 1 - checks.index(best) if best else 0
    epochs = epochs_of(run)
    axis = _axes(job, points[-1].done, epochs)
    return TrainingCurve(
        _reading(checks, losses, since),
        points[-1].step,
        best,
        since,
        losses[-1].loss if losses else None,
        [DevCheck(point.step, point.loss, point.dev or 0.0, point is best) for point in reversed(checks[-CHECKS:])],
        axis.dev(checks, best, _levels(run, by)) if checks else None,
        axis.losses(losses) if len(losses) > 1 else None,
        axis.is_live,
        epochs.labels_until(axis.total) if epochs else [],
    )


def _levels(run: Run, by: User) -> list[Level]:
    """Return chance and the published figure on dev, where they are known: the score is MRR, where one is true."""
    levels: list[Level] = []
    if not run.dev:
        return levels
    if (candidates := candidates_in(run.dev, by=by)) and (guess := chance("MRR", candidates)):
        levels.append(Level("chance-line", _("chance %(chance)s") % {"chance": share(guess)}, guess))
    row = next((row for row in published_on(run.dev) if row.model == run.model), None)
    if row and row.mrr and row.check.is_possible:
        figure = row.printed["MRR"]
        levels.append(Level("published-line", _("published %(figure)s") % {"figure": share(figure)}, figure))
    return levels


def _reading(checks: Sequence[CurvePoint], losses: Sequence[CurvePoint], since: int) -> Reading:
    values = [point.loss or 0.0 for point in losses]
    if len(values) >= FEWEST and min(_smooth(values)) > (1 - FLAT) * values[0]:
        return Reading.FLAT
    if len(checks) > 1:
        return Reading.PAST if since else Reading.RISES
    return Reading.FALLS if len(values) >= FEWEST else Reading.EARLY


def _smooth(values: Sequence[float]) -> list[float]:
    """Return the moving average of the values, the newer the heavier."""
    smooth = [values[0]]
    for value in values[1:]:
        smooth.append((1 - SMOOTHING) * smooth[-1] + SMOOTHING * value)
    return smooth


def _axes(job: Job, newest: int, epochs: Epochs | None) -> "_Axes":
    """Return the axis of the whole training while it lasts, and else of what was done of it."""
    is_live = not job.is_over and stage_of(job.done, job.total, job.training).kind != StageKind.SCORING
    total = max((job.training or job.total or 0) if is_live else 0, newest, 1)
    return _Axes(total, f"{newest / total * 100:.1f}", is_live, epochs.marks_until(total) if epochs else [])


@dataclass(frozen=True)
class _Axes:
    """The common axis of progress, on which both plots stand."""

    total: int
    now: str
    is_live: bool
    epochs: list[str]

    def dev(self, checks: Sequence[CurvePoint], best: CurvePoint | None, levels: Sequence[Level]) -> Plot:
        values = [point.dev or 0.0 for point in checks]
        axis = Axis.around([*values, *(level.value for level in levels)])
        marks = [self._at(point, value, axis) for point, value in zip(checks, values, strict=True)]
        marked = [(*self._at(best, best.dev or 0.0, axis), f"{best.dev:.3f}".lstrip("0"))] if best else []
        drawn = [DrawnLevel(level.kind, level.label, self._height(level.value, axis)) for level in levels]
        return self._plot(axis, [self._line("dev-line", checks, values, axis)], marks, marked, drawn)

    def losses(self, losses: Sequence[CurvePoint]) -> Plot:
        values = [point.loss or 0.0 for point in losses]
        axis = Axis.around(values)
        lines = [
            self._line("loss-raw", losses, values, axis),
            self._line("loss-line", losses, _smooth(values), axis),
        ]
        return self._plot(axis, lines)

    def _plot(
        self,
        axis: Axis,
        lines: list[Line],
        marks: Sequence[tuple[str, str]] = (),
        best: Sequence[tuple[str, str, str]] = (),
        levels: Sequence[DrawnLevel] = (),
    ) -> Plot:
        return Plot(_ticks(axis), lines, list(marks), list(best), self.now, self.is_live, self.epochs, list(levels))

    def _at(self, point: CurvePoint, value: float, axis: Axis) -> tuple[str, str]:
        return f"{100 * point.done / self.total:.1f}", self._height(value, axis)

    def _height(self, value: float, axis: Axis) -> str:
        return f"{100 - float(axis.within(value)):.1f}"

    def _line(self, kind: str, points: Sequence[CurvePoint], values: Sequence[float], axis: Axis) -> Line:
        places = (self._at(point, value, axis) for point, value in zip(points, values, strict=True))
        return Line(kind, " ".join(f"{10 * float(x):.1f},{10 * float(y):.1f}" for x, y in places))


def _ticks(axis: Axis) -> list[tuple[float, str]]:
    steps = [axis.low + (axis.high - axis.low) * number / (TICKS - 1) for number in range(TICKS)]
    return [(100 - float(axis.percent(value)), f"{value:.2g}") for value in steps]
