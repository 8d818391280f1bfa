"""What a model is asked, and what it answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class RankingInstance:
    """A context and the responses on offer; `answer` is the place of the true one, None where it is not known.

    `context` holds the texts of the turns, the earliest first. A dialogue without candidates can be learned from; it
    cannot be asked.
    """

    id: str
    context: tuple[str, ...]
    candidates: tuple[str, ...] = ()
    answer: int | None = None


class LearningProgress(Protocol):
    """How a model says how far its learning is."""

    def __call__(self, done: int, total: int | None = None) -> None: ...


class NothingToLearn(Exception):
    """The training material holds nothing that this model could learn from."""


class Baseline(Protocol):
    """One model. Made without arguments, taught once, then asked; the same seed and material give the same scores.

    A candidate's score depends on the context, the candidate and what was learned, never on its place among the others.
    """

    key: str
    title: str
    family: str
    about: str  # how it scores, in a sentence (marked for translation)
    needs_training: bool

    def fit(self, train: Sequence[RankingInstance], seed: int, report: LearningProgress) -> None:
        """Learn. Without a need for training `train` is empty and only the seed is taken. Raises NothingToLearn."""

    def score(self, instance: RankingInstance) -> list[float]:
        """A finite number for each candidate, in their order; the highest is the model's choice."""
