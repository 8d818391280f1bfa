"""How far a run is: the stage that it is in, and epochs of a training on the axis of its updates."""

from dataclasses import dataclass
from math import ceil

from core.domain.stages import Stage, StageKind, stage_of
from core.domain.transitions import JobState
from study.models import Run
from study.selectors.runs.estimates import EPOCHS

MOST_MARKED = 10  # more would be too close to each other
WHOLE = 0.02  # of an epoch, by which a training may miss the end of one: epochs differ by an update or two


@dataclass(frozen=True)
class Epochs:
    """Epochs of a training and the updates of all of them: those planned or, once it has ended, those done."""

    number: int
    steps: int

    def at(self, step: int) -> int:
        """Return the epoch of an update, from 1."""
        return max(1, min(self.number, ceil(step * self.number / self.steps)))

    @property
    def marks(self) -> list[str]:
        """Where one epoch ends and the next begins, in per cent of the training."""
        return self.marks_until(self.steps)

    def marks_until(self, end: int) -> list[str]:
        """Return the same in per cent of an axis that ends at an update; [] where there are too many."""
        if self.number > MOST_MARKED:
            return []
        places = (100 * number * self.steps / self.number / end for number in range(1, self.number))
        return [f"{place:.1f}" for place in places if place < 99.9]

    def labels_until(self, end: int) -> list[int]:
        """Return the numbers of the epochs on such an axis; [] where it does not end with one."""
        epochs = end * self.number / self.steps
        is_whole = abs(epochs - round(epochs)) < WHOLE and 1 <= round(epochs) <= MOST_MARKED
        return list(range(1, round(epochs) + 1)) if is_whole else []


def epochs_of(run: Run) -> Epochs | None:
    """Return the epochs of a run's training; None of a model without epochs, or before their length is known."""
    if run.learned.get(EPOCHS) and run.learned.get("updates"):
        return Epochs(run.learned[EPOCHS], run.learned["updates"])
    number, steps = run.settings.get(EPOCHS), run.job.training if run.job else None
    return Epochs(number, steps) if number and steps else None


@dataclass(frozen=True)
class RunProgress:
    """How far a running job is, in few words; `epoch` is None where its training has no epochs, or is over."""

    stage: Stage
    epoch: int | None = None
    epochs: int | None = None


def progress_of(run: Run) -> RunProgress | None:
    """Return how far a run is; None where its job does not run, or has not told yet how much there is to do."""
    job = run.job
    if job is None or job.state != JobState.RUNNING or not job.total:
        return None
    stage, epochs = stage_of(job.done, job.total, job.training), epochs_of(run)
    if stage.kind != StageKind.TRAINING or epochs is None:
        return RunProgress(stage)
    return RunProgress(stage, epochs.at(stage.done), epochs.number)
