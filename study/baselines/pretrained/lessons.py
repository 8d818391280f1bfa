"""Lessons for models that learn from all candidates of an instance at once, or from what is said well alone."""

from collections.abc import Iterator, Sequence

from study.baselines.base import Lack, NothingToLearn, RankingInstance
from study.baselines.neural.lessons import Lesson


class WholeInstances:
    """Instances with all their candidates in their own order; the targets of one are its gains as shares.

    Raises NothingToLearn where no candidate of an instance is better than another.
    """

    def __init__(self, train: Sequence[RankingInstance]) -> None:
        told = [instance for instance in train if len(set(instance.gains)) > 1]
        if not told:
            raise NothingToLearn(Lack.PREFERENCES)
        self._lessons = [_whole(instance) for instance in told]

    @property
    def texts(self) -> Iterator[str]:
        for lesson in self._lessons:
            yield from (*lesson.context, *lesson.responses, *map(str, lesson.targets))

    def of_epoch(self, epoch: int) -> list[Lesson]:
        return self._lessons


def _whole(instance: RankingInstance) -> Lesson:
    total = sum(instance.gains)
    return Lesson(instance.context, instance.candidates, tuple(gain / total for gain in instance.gains))


class GoodResponses:
    """Contexts with their true response, rated prompts with their best ones, and dialogues with their last turn.

    Raises NothingToLearn where there are none.
    """

    def __init__(self, train: Sequence[RankingInstance]) -> None:
        self._lessons = [lesson for instance in train for lesson in _good(instance) if any(lesson.responses)]
        if not self._lessons:
            raise NothingToLearn

    @property
    def texts(self) -> Iterator[str]:
        for lesson in self._lessons:
            yield from (*lesson.context, *lesson.responses)

    def of_epoch(self, epoch: int) -> list[Lesson]:
        return self._lessons


def _good(instance: RankingInstance) -> Iterator[Lesson]:
    if instance.gains:
        best = max(instance.gains)
        for text, gain in zip(instance.candidates, instance.gains, strict=True):
            if gain == best:
                yield Lesson(instance.context, (text,), (1.0,))
    elif not instance.candidates and len(instance.context) > 1:
        yield Lesson(instance.context[:-1], instance.context[-1:], (1.0,))
