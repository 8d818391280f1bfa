"""The curve of a training: few enough points to draw, and the time that is left by the pace between them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise

MOST_POINTS = 400
SECTIONS = 150
STRETCHES = 5  # whose paces give the range of the time that is left


@dataclass(frozen=True)
class CurvePoint:
    """Loss and score on dev after so many steps, and how much of the job was done then, in the unit of its progress."""

    step: int
    done: int
    loss: float | None
    dev: float | None
    at: datetime

    def after(self, earlier: "CurvePoint") -> "CurvePoint":
        """Return this point with what an earlier report of the same step told and this one does not."""
        return replace(
            self,
            loss=earlier.loss if self.loss is None else self.loss,
            dev=earlier.dev if self.dev is None else self.dev,
        )


@dataclass(frozen=True)
class TimeLeft:
    """Seconds: by the pace so far, and by the fastest and the slowest of its stretches."""

    likely: int
    least: int
    most: int


def joined(points: Sequence[CurvePoint]) -> list[CurvePoint]:
    """Return the points with one for each step; those of a step stand one after the other."""
    found: list[CurvePoint] = []
    for point in points:
        found.append(point.after(found.pop()) if found and found[-1].step == point.step else point)
    return found


def superfluous(points: Sequence[CurvePoint]) -> list[CurvePoint]:
    """Return points to leave out where there are more than MOST_POINTS; never the newest, nor the best on dev.

    Of each of SECTIONS of the steps the last loss stays and the best check on dev.
    """
    if len(points) <= MOST_POINTS:
        return []
    width = points[-1].step / SECTIONS
    kept: dict[tuple[bool, int], CurvePoint] = {}
    for point in points:
        section = (point.dev is None, int(point.step // width))
        if section not in kept or point.dev is None or point.dev >= (kept[section].dev or 0.0):
            kept[section] = point
    staying = {point.step for point in [*kept.values(), points[-1]]}
    return [point for point in points if point.step not in staying]


def time_left(points: Sequence[CurvePoint], *, total: int | None, now: datetime) -> TimeLeft | None:
    """Estimate it from the points of one attempt; None where they are too few to tell a pace from its changes."""
    marks = _marks(points)
    if not total or len(marks) < 3:
        return None
    ends = [marks[round(number * (len(marks) - 1) / STRETCHES)] for number in range(STRETCHES + 1)]
    paces = [_pace(one, other) for one, other in pairwise(ends) if one is not other]
    last = marks[-1]
    since = (now - last.at).total_seconds()

    def seconds(pace: float) -> int:
        return max(1, round((total - last.done) * pace - since))

    return TimeLeft(seconds(_pace(marks[0], last)), seconds(min(paces)), seconds(max(paces)))


def steps_a_second(points: Sequence[CurvePoint]) -> float | None:
    """Return the pace of one attempt, checks on dev included; None where its points are too few to tell."""
    if len(points) < 3:
        return None
    first, last = points[0], points[-1]
    seconds = (last.at - first.at).total_seconds()
    return (last.step - first.step) / seconds if seconds > 0 else None


def _marks(points: Sequence[CurvePoint]) -> list[CurvePoint]:
    """Return the points at which more was done than at any before."""
    marks: list[CurvePoint] = []
    for point in points:
        if not marks or point.done > marks[-1].done:
            marks.append(point)
    return marks


def _pace(one: CurvePoint, other: CurvePoint) -> float:
    """Return the seconds for each unit of what was done between two points."""
    return (other.at - one.at).total_seconds() / (other.done - one.done)
