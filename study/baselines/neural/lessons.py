"""Lessons that training material gives: contexts with good and bad responses, drawn again for each epoch."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from study.baselines.base import Lack, NothingToLearn, RankingInstance

CHUNK = 50  # batches whose lessons are sorted by length together


@dataclass(frozen=True)
class Lesson:
    """A context with responses to it, and how good each of them is, from 0 to 1."""

    context: tuple[str, ...]
    responses: tuple[str, ...]
    targets: tuple[float, ...] = ()


@dataclass(frozen=True)
class _Material:
    """A context with what is known to be good (and how good), and with what is known to be wrong."""

    context: tuple[str, ...]
    responses: tuple[str, ...]
    targets: tuple[float, ...]
    wrong: tuple[str, ...] = ()
    is_rated: bool = False


class LessonsTaken(Protocol):
    """Lessons as the loop asks for them: those of an epoch, and all texts, by which a training is told from others."""

    @property
    def texts(self) -> Iterator[str]: ...

    def of_epoch(self, epoch: int) -> list[Lesson]: ...


class Lessons:
    """The lessons of some training material.

    A rated prompt comes with all its responses; their targets are the grades, brought to 0 to 1. A right response
    (target 1) meets `negatives` wrong ones (target 0), drawn from those beside it or, where there are none, from the
    right responses of the rest. A dialogue without candidates teaches its last turn. Raises NothingToLearn.
    """

    def __init__(self, train: Sequence[RankingInstance], *, negatives: int, seed: int) -> None:
        self._negatives, self._seed = negatives, seed
        grades = [grade for instance in train for grade in instance.grades]
        lowest, span = (min(grades), max(grades) - min(grades)) if grades else (0.0, 0.0)
        self._material = [each for instance in train for each in _material(instance, lowest, span or 1.0)]
        self._right = [each.responses[0] for each in self._material if not each.is_rated]
        if not (span or any(each.wrong for each in self._material) or len(set(self._right)) > 1):
            raise NothingToLearn(Lack.PREFERENCES)

    @property
    def texts(self) -> Iterator[str]:
        """All that is said in the training material."""
        for each in self._material:
            yield from (*each.context, *each.responses, *each.wrong)

    def of_epoch(self, epoch: int) -> list[Lesson]:
        generator = np.random.default_rng([self._seed % 2**64, epoch])
        return [self._lesson(each, generator) for each in self._material]

    def _lesson(self, material: _Material, generator: np.random.Generator) -> Lesson:
        drawn = () if material.is_rated else self._drawn(material, generator)
        return Lesson(material.context, material.responses + drawn, material.targets + (0.0,) * len(drawn))

    def _drawn(self, material: _Material, generator: np.random.Generator) -> tuple[str, ...]:
        if material.wrong:
            number = min(self._negatives, len(material.wrong))
            return tuple(material.wrong[place] for place in generator.choice(len(material.wrong), number, False))
        drawn = [self._right[place] for place in generator.integers(len(self._right), size=self._negatives)]
        return tuple(text for text in drawn if text != material.responses[0])


def _material(instance: RankingInstance, lowest: float, span: float) -> Iterator[_Material]:
    if instance.grades:
        targets = tuple((grade - lowest) / span for grade in instance.grades)
        yield _Material(instance.context, instance.candidates, targets, is_rated=True)
    elif instance.answer is not None:
        right = instance.candidates[instance.answer]
        wrong = tuple(text for number, text in enumerate(instance.candidates) if number != instance.answer)
        yield _Material(instance.context, (right,), (1.0,), wrong)
    elif not instance.candidates and len(instance.context) > 1:
        yield _Material(instance.context[:-1], instance.context[-1:], (1.0,))


def batches_by_length(
    lessons: Sequence[Lesson], length_of: Callable[[Lesson], int], *, pairs: int, seed: Sequence[int]
) -> list[list[Lesson]]:
    """Divide lessons into batches of about so many pairs, of similar length each, in drawn order."""
    generator = np.random.default_rng(list(seed))
    shuffled = [lessons[place] for place in generator.permutation(len(lessons))]
    batches: list[list[Lesson]] = []
    for start in range(0, len(shuffled), pairs * CHUNK):
        batches += in_batches(sorted(shuffled[start : start + pairs * CHUNK], key=length_of), pairs=pairs)
    return [batches[place] for place in generator.permutation(len(batches))]


def in_batches(lessons: Sequence[Lesson], *, pairs: int) -> Iterator[list[Lesson]]:
    """Yield the lessons in batches of at most so many pairs, or of one lesson that has more."""
    batch: list[Lesson] = []
    size = 0
    for lesson in lessons:
        if batch and size + len(lesson.responses) > pairs:
            yield batch
            batch, size = [], 0
        batch.append(lesson)
        size += len(lesson.responses)
    if batch:
        yield batch
