"""Stages of a job: one that trains a model does that first; then it asks the model, at another pace."""

from dataclasses import dataclass
from enum import StrEnum

TRAINING_PART = 0.9  # of a bar that shows both: training takes most of the time


class StageKind(StrEnum):
    WHOLE = "whole"  # all of a job that has one stage
    TRAINING = "training"
    SCORING = "scoring"  # what comes after the training


@dataclass(frozen=True)
class Stage:
    """What a job does now, and how far that is, in the unit of its progress."""

    kind: StageKind
    done: int
    total: int

    @property
    def share(self) -> float:
        return min(1.0, self.done / self.total) if self.total else 0.0

    @property
    def share_of_all(self) -> float:
        """How much of the whole job is done, from 0 to 1. It does not fall when scoring begins."""
        if self.kind == StageKind.WHOLE:
            return self.share
        if self.kind == StageKind.TRAINING:
            return TRAINING_PART * self.share
        return TRAINING_PART + (1 - TRAINING_PART) * self.share


def stage_of(done: int, total: int | None, training: int | None) -> Stage:
    """Return the stage of a job that has done so much of its total, of which `training` comes first."""
    if not training:
        return Stage(StageKind.WHOLE, done, total or 0)
    if done < training:
        return Stage(StageKind.TRAINING, done, training)
    return Stage(StageKind.SCORING, done - training, max(0, (total or 0) - training))
