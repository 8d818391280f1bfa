"""Interface of the models, and the instances they rank."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class RankingInstance:
    """A context and its candidates; `answer` is the index of the true one, None where it is unknown.

    `context` holds the texts of the turns, the earliest first. An instance without candidates serves for training only.
    """

    id: str
    context: tuple[str, ...]
    candidates: tuple[str, ...] = ()
    answer: int | None = None


class LearningProgress(Protocol):
    """Callback by which a model reports its progress in training."""

    def __call__(self, done: int, total: int | None = None) -> None: ...


class NothingToLearn(Exception):
    """Training material without anything that the model could learn from."""


class Baseline(Protocol):
    """A model. Created without arguments, trained once, then asked; equal seed and material give equal scores.

    A candidate's score depends on the context, the candidate and what was learned, never on its position.
    """

    key: str
    title: str
    family: str
    about: str  # how it scores, in a sentence (marked for translation)
    needs_training: bool

    def fit(self, train: Sequence[RankingInstance], seed: int, report: LearningProgress) -> None:
        """Train the model. One that needs no training gets an empty `train` and uses the seed only.

        Raises NothingToLearn.
        """

    def score(self, instance: RankingInstance) -> list[float]:
        """Return a finite number for each candidate, in their order; the highest is the model's choice."""
