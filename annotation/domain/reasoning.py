"""Reasoning types: the kind of inference that separates the right response from the others (MuTual, 3.2)."""

from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import NamedTuple

from core.domain.statistics import Interval, wilson


class Reasoning(StrEnum):
    """The six reasoning types, in the study's order."""

    ATTITUDE = "attitude"
    ALGEBRAIC = "algebraic"
    INTENTION = "intention"
    SITUATION = "situation"
    MULTI_FACT = "multi_fact"
    OTHER = "other"


UNSURE = "unsure"
ANSWERS = (*map(str, Reasoning), UNSURE)
PEOPLE = 2  # name the type of each instance; its author is not one of them
# The shares in a sample of the study's test set.
PUBLISHED = {
    Reasoning.ATTITUDE: 0.13,
    Reasoning.ALGEBRAIC: 0.07,
    Reasoning.INTENTION: 0.31,
    Reasoning.SITUATION: 0.16,
    Reasoning.MULTI_FACT: 0.24,
    Reasoning.OTHER: 0.09,
}


class Share(NamedTuple):
    """The share of one type; None where no type was named. The interval takes the instances as a sample."""

    value: float | None
    interval: Interval | None = None


def type_shares(named: Collection[Sequence[str]]) -> dict[Reasoning, Share]:
    """Return each type's share of the types named, from each instance's answers.

    An instance with answers of n people counts 1/n for each person's type: half and half for two people who differ.
    "Unsure" is not a type: only the other answers of its instance count. The shares add up to 1 where there are any.
    """
    return {kind: _share(kind, named) for kind in Reasoning}


def _share(kind: Reasoning, named: Collection[Sequence[str]]) -> Share:
    """Return the share with Wilson's interval on the effective number of answers.

    This number comes from the variance of a ratio over instances.
    """
    counts = [(answers.count(kind), sum(answer != UNSURE for answer in answers)) for answers in named]
    answers = sum(sure for _own, sure in counts)
    if not answers:
        return Share(None)
    p = sum(own for own, _sure in counts) / answers
    instances = sum(sure > 0 for _own, sure in counts)
    if instances < 2:
        return Share(p)
    if p in (0, 1):
        return Share(p, wilson(p * instances, instances))
    residuals = sum((own - p * sure) ** 2 for own, sure in counts)
    by_instance = residuals / answers**2 * instances / (instances - 1)
    independent = p * (1 - p) / answers  # lower bound: people who always differ do not make a share more certain
    effective = p * (1 - p) / max(by_instance, independent)
    return Share(p, wilson(p * effective, effective))
