"""The curve of a training: checks on dev above the loss, on one axis of progress, and a sentence that reads it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.domain.curves import CurvePoint
from core.models import Job
from core.presenters.axis import Axis

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
class Plot:
    """What is drawn: places in per cent of the width and, from above, of the height."""

    ticks: list[tuple[float, str]]
    lines: list[Line]
    marks: list[tuple[str, str]]
    best: list[tuple[str, str, str]]
    now: str
    is_live: bool

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


def curve_of(job: Job | None) -> TrainingCurve | None:
    """Return the curve of a job that trains or trained; None where it told nothing of it."""
    points = [point.on_curve for point in job.points.all()] if job else []
    if job is None or not points:
        return None
    checks = [point for point in points if point.dev is not None]
    losses = [point for point in points if point.loss is not None]
    best = max(checks, key=lambda point: point.dev or 0.0, default=None)
    since = len(checks) - 1 - checks.index(best) if best else 0
    is_live = not job.is_over
    total = max(job.total or 0, points[-1].done) if is_live else points[-1].done
    newest = points[-1].done / total * 100 if total else 100.0
    axis = _Axes(total or 1, f"{newest:.1f}", is_live)
    return TrainingCurve(
        _reading(checks, losses, since),
        points[-1].step,
        best,
        since,
        losses[-1].loss if losses else None,
        [DevCheck(point.step, point.loss, point.dev or 0.0, point is best) for point in reversed(checks[-CHECKS:])],
        axis.dev(checks, best) if checks else None,
        axis.losses(losses) if len(losses) > 1 else None,
    )


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


@dataclass(frozen=True)
class _Axes:
    """The common axis of progress, on which both plots stand."""

    total: int
    now: str
    is_live: bool

    def dev(self, checks: Sequence[CurvePoint], best: CurvePoint | None) -> Plot:
        values = [point.dev or 0.0 for point in checks]
        axis = Axis.around(values)
        marks = [self._at(point, value, axis) for point, value in zip(checks, values, strict=True)]
        marked = [(*self._at(best, best.dev or 0.0, axis), f"{best.dev:.3f}".lstrip("0"))] if best else []
        return Plot(_ticks(axis), [self._line("dev-line", checks, values, axis)], marks, marked, self.now, self.is_live)

    def losses(self, losses: Sequence[CurvePoint]) -> Plot:
        values = [point.loss or 0.0 for point in losses]
        axis = Axis.around(values)
        lines = [
            self._line("loss-raw", losses, values, axis),
            self._line("loss-line", losses, _smooth(values), axis),
        ]
        return Plot(_ticks(axis), lines, [], [], self.now, self.is_live)

    def _at(self, point: CurvePoint, value: float, axis: Axis) -> tuple[str, str]:
        return f"{100 * point.done / self.total:.1f}", f"{100 - float(axis.within(value)):.1f}"

    def _line(self, kind: str, points: Sequence[CurvePoint], values: Sequence[float], axis: Axis) -> Line:
        places = (self._at(point, value, axis) for point, value in zip(points, values, strict=True))
        return Line(kind, " ".join(f"{10 * float(x):.1f},{10 * float(y):.1f}" for x, y in places))


def _ticks(axis: Axis) -> list[tuple[float, str]]:
    steps = [axis.low + (axis.high - axis.low) * number / (TICKS - 1) for number in range(TICKS)]
    return [(100 - float(axis.percent(value)), f"{value:.2g}") for value in steps]
