"""Figures of a run by parts of what it was asked, and smaller training material for its learning curve."""

from collections.abc import Sequence
from typing import Any

from core.domain.draws import uniforms
from study.baselines.base import RankingInstance
from study.baselines.evaluate import evaluate_run

TURNS: tuple[tuple[int, int | None], ...] = ((0, 2), (3, 3), (4, 4), (5, 5), (6, None))  # as MuTual has them

Scores = Sequence[Sequence[float]]


def figures_by_part(instances: Sequence[RankingInstance], scores: Scores, *, seed: int) -> dict[str, Any]:
    """Return the figures by number of turns and by reasoning type, where there are several parts of known answers."""
    asked = [(instance, own) for instance, own in zip(instances, scores, strict=True) if instance.answer is not None]
    by_turns = [
        {"least": least, "most": most, **_figures(part, seed)}
        for least, most in TURNS
        if (part := [each for each in asked if _has_turns(each[0], least, most)])
    ]
    types = sorted({name for instance, _own in asked for name in instance.types})
    by_type = [{"type": name, **_figures([each for each in asked if name in each[0].types], seed)} for name in types]
    return {
        **({"by_turns": by_turns} if len(by_turns) > 1 else {}),
        **({"by_type": by_type} if by_type else {}),
    }


def part_of_training(train: Sequence[RankingInstance], size: int, *, seed: int) -> list[RankingInstance]:
    """Return so many drawn instances in their own order. A larger part of the same seed contains a smaller one."""
    draws = [uniforms(seed, "training size", str(position), each.id)[0] for position, each in enumerate(train)]
    drawn = sorted(range(len(train)), key=draws.__getitem__)[:size]
    return [train[position] for position in sorted(drawn)]


def _figures(part: Sequence[tuple[RankingInstance, Sequence[float]]], seed: int) -> dict[str, Any]:
    return evaluate_run([instance for instance, _own in part], [own for _instance, own in part], seed=seed)


def _has_turns(instance: RankingInstance, least: int, most: int | None) -> bool:
    return least <= len(instance.context) and (most is None or len(instance.context) <= most)
