"""A run that waits or runs: where it would go on, what is around it in the queue, and the log of its training."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

from core.domain.curves import CurvePoint
from core.domain.transitions import UNDER_WAY, JobState
from core.models import User
from core.presenters.jobs import watch
from study.actions.runs.records import checkpoints_of
from study.baselines.neural.saved import saved_step
from study.models import Run
from study.presenters.runs.curves import curve_of
from study.presenters.runs.epochs import epochs_of
from study.presenters.runs.words import run_name
from study.selectors.runs.queue import before_in_queue, next_in_queue
from study.selectors.runs.runs import state_of

LOSSES, CHECKS = 5, 3  # in the log on the page
SECTIONS = 100  # of the training, of each of which the log on the page has one loss


@dataclass(frozen=True)
class QueueRow:
    run: Run
    title: str
    state: JobState


@dataclass(frozen=True)
class LogLine:
    at: datetime
    text: str


def live_of(run: Run, person: User) -> dict[str, Any]:
    """Return what a page shows of a run's job: how far it is, its curve and, until it is done, queue and log."""
    state, watched, epochs = state_of(run), watch(run.job), epochs_of(run)
    found: dict[str, Any] = {"state": state, "watch": watched, "curve": curve_of(run, by=person)}
    if watched is None or state == JobState.DONE:
        return found
    found["log"] = newest_lines([point.on_curve for point in watched.job.points.all()])
    if state in UNDER_WAY:
        around = (next_in_queue if state == JobState.RUNNING else before_in_queue)(watched.job, by=person)
        found |= {
            "epochs": epochs,
            "epoch": epochs.at(watched.stage.done) if epochs else None,
            "saved_step": saved_step(checkpoints_of(run)),
            "queue": [QueueRow(each, run_name(each), state_of(each)) for each in around.runs],
            "others": around.others,
        }
    return found


def lines_of(points: Sequence[CurvePoint]) -> list[LogLine]:
    """Return a line for each point of a curve, the oldest first. It is the same in every language."""
    lines, best = [], -1.0
    for point in points:
        said = [f"step {point.step}"]
        if point.loss is not None:
            said.append(f"loss {point.loss:.3f}")
        if point.dev is not None:
            said.append(f"dev {point.dev:.3f}")
            if point.dev > best:
                best = point.dev
                said.append("best so far")
        lines.append(LogLine(point.at, "  ".join(said)))
    return lines


def newest_lines(points: Sequence[CurvePoint]) -> list[LogLine]:
    """Return the newest checks on dev, and the newest losses that are some way from each other; the newest first."""
    if not points:
        return []
    width = max(1, points[-1].step // SECTIONS)
    is_last = [one.step // width != other.step // width for one, other in pairwise(points)] + [True]
    checks = [number for number, point in enumerate(points) if point.dev is not None]
    losses = [number for number, point in enumerate(points) if is_last[number] and point.dev is None]
    lines = lines_of(points)
    return [lines[number] for number in sorted([*checks[-CHECKS:], *losses[-LOSSES:]], reverse=True)]
