"""Networks that learn a vector for each word of the training material."""

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from study.baselines.base import RankingInstance
from study.baselines.neural.lessons import Lesson
from study.baselines.neural.model import NeuralModel
from study.baselines.neural.vocabulary import NOTHING, Vocabulary
from study.baselines.words import main_language

Numbers = NDArray[np.int64]


class WordModel(NeuralModel):
    """A network over numbered words: all turns of a context in one row (`JoinedContext`) or a row a turn.

    Its loss is the cross entropy of the target, or the squared distance to it. Settings are those of `OF_WORDS`, too,
    and `words`: how many of a row are read, the last of a context and the first of a response.
    """

    is_squared: ClassVar[bool] = False

    vocabulary: Vocabulary

    @abstractmethod
    def contexts(self, lessons: Sequence[Lesson]) -> Numbers:
        """Return the words of the contexts, a row each."""

    @abstractmethod
    def responses(self, lessons: Sequence[Lesson]) -> Numbers:
        """Return the words of all responses, a row each."""

    def prepare(self, train: Sequence[RankingInstance]) -> None:
        self.vocabulary = Vocabulary.of(self.lessons.texts, main_language(train), most=self.whole("vocabulary"))
        self.learned = {"words": len(self.vocabulary.words)}

    def response(self, text: str) -> Sequence[int]:
        return self.vocabulary.numbers(text)[: self.whole("words")]

    def pair_scores(self, lessons: Sequence[Lesson]) -> Any:
        import torch

        owners = np.repeat(np.arange(len(lessons)), [len(lesson.responses) for lesson in lessons])
        rows = (
            torch.from_numpy(each).to(self.device) for each in (self.contexts(lessons), self.responses(lessons), owners)
        )
        return self.network(*rows)

    def loss(self, batch: Sequence[Lesson]) -> Any:
        from torch import tensor
        from torch.nn.functional import binary_cross_entropy_with_logits, mse_loss

        scores = self.pair_scores(batch).float()
        targets = tensor([target for lesson in batch for target in lesson.targets], device=self.device)
        return (mse_loss if self.is_squared else binary_cross_entropy_with_logits)(scores, targets)

    def save(self, folder: Path) -> None:
        super().save(folder)
        self.vocabulary.save(folder)

    def load(self, folder: Path) -> None:
        self.vocabulary = Vocabulary.load(folder)
        super().load(folder)


class JoinedContext(WordModel):
    """A network that reads a context as one row of words, with a mark after each turn."""

    def context(self, turns: Sequence[str]) -> Sequence[int]:
        return self.vocabulary.joined(turns)[-self.whole("words") :]

    def contexts(self, lessons: Sequence[Lesson]) -> Numbers:
        return filled([self.context(lesson.context) for lesson in lessons])

    def responses(self, lessons: Sequence[Lesson]) -> Numbers:
        return filled([self.response(text) for lesson in lessons for text in lesson.responses])

    def length(self, lesson: Lesson) -> int:
        return len(self.context(lesson.context))


class ContextByTurns(WordModel):
    """A network that reads each turn on its own, and the last `turns` of them."""

    def contexts(self, lessons: Sequence[Lesson]) -> Numbers:
        """Return the words, shape (lessons, turns, words): the last turn is always in the last place."""
        turns, words = self.whole("turns"), self.whole("words")
        contexts = np.full((len(lessons), turns, words), NOTHING, np.int64)
        for rows, lesson in zip(contexts, lessons, strict=True):
            said = lesson.context[-turns:] or ("",)
            rows[-len(said) :] = filled([self.vocabulary.numbers(turn)[-words:] for turn in said], words)
        return contexts

    def responses(self, lessons: Sequence[Lesson]) -> Numbers:
        return filled([self.response(text) for lesson in lessons for text in lesson.responses], self.whole("words"))

    def length(self, lesson: Lesson) -> int:
        return min(len(lesson.context), self.whole("turns"))


def filled(rows: Sequence[Sequence[int]], width: int = 0) -> Numbers:
    """Return the rows as one array, filled up behind with NOTHING to this width or to that of the longest."""
    numbers = np.full((len(rows), width or max(map(len, rows))), NOTHING, np.int64)
    for place, row in enumerate(rows):
        numbers[place, : len(row)] = row
    return numbers
