"""Contexts without their earliest turns, without any, or with their turns shuffled (Cui et al. 2020, figure 6)."""

import re
from collections.abc import Sequence
from dataclasses import replace

from core.domain.draws import uniforms
from study.baselines.base import RankingInstance

ALL, SHUFFLE, FIRST = "all", "shuffle", "first:"
USUAL_ABLATIONS = (ALL, SHUFFLE, "first:1", "first:2", "first:3")
FORM = re.compile(rf"{ALL}|{SHUFFLE}|{FIRST}[1-9][0-9]?")


def is_ablation(name: str) -> bool:
    return bool(FORM.fullmatch(name))


def ablated(instances: Sequence[RankingInstance], name: str, seed: int) -> list[RankingInstance]:
    """Return the instances with other contexts, all else equal.

    `first:N` takes the earliest N turns away (all where there are no more), `all` every turn; `shuffle` puts them in a
    drawn order, which may be their own.
    """
    return [_with_turns(instance, _turns_left(instance, name, seed)) for instance in instances]


def _turns_left(instance: RankingInstance, name: str, seed: int) -> list[int]:
    turns = range(len(instance.context))
    if name == ALL:
        return []
    if name == SHUFFLE:
        return sorted(turns, key=lambda turn: uniforms(seed, "turns for a model", instance.id, str(turn)))
    return list(turns[int(name.removeprefix(FIRST)) :])


def _with_turns(instance: RankingInstance, turns: Sequence[int]) -> RankingInstance:
    speakers = tuple(instance.speakers[turn] for turn in turns) if instance.speakers else ()
    return replace(instance, context=tuple(instance.context[turn] for turn in turns), speakers=speakers)
