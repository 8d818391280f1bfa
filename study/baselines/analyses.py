"""Figures of a run by parts of what it was asked, and smaller training material for its learning curve."""

from collections.abc import Collection, Sequence
from typing import Any

from core.domain.draws import uniforms
from study.baselines.base import RankingInstance
from study.baselines.evaluate import Scored, evaluate_run, worst_scores
from study.domain.results.metrics import METRICS
from study.domain.results.paired import paired_difference

TURNS: tuple[tuple[int, int | None], ...] = ((0, 2), (3, 3), (4, 4), (5, 5), (6, None))  # as MuTual has them

TRIAL = 64  # instances of each material that a trial reads

Instances = Sequence[RankingInstance]
Scores = Sequence[Sequence[float]]


def in_whole_contexts(instances: Instances, scores: Scores) -> tuple[Instances, Scores]:
    """Return the instances to whose contexts nothing was done, and their scores: what the figures of a run are over."""
    return _in_condition("", instances, scores)


def _in_condition(condition: str, instances: Instances, scores: Scores) -> tuple[Instances, Scores]:
    numbers = [number for number, instance in enumerate(instances) if instance.condition == condition]
    return [instances[number] for number in numbers], [scores[number] for number in numbers]


def figures_by_condition(instances: Instances, scores: Scores, *, seed: int) -> dict[str, Any]:
    """Return the figures of the questions in each condition, and by how much R@1 is higher than in whole contexts.

    The difference is paired over the questions that were asked in both. {} where all contexts are whole.
    """
    whole = {instance.question: own for instance, own in zip(*in_whole_contexts(instances, scores), strict=True)}
    found: dict[str, Any] = {}
    for condition in sorted({instance.condition for instance in instances} - {""}):
        asked, own = _in_condition(condition, instances, scores)
        both = [number for number, instance in enumerate(asked) if instance.question in whole]
        before = [whole[asked[number].question] for number in both]
        change = change_of([asked[number] for number in both], before, [own[number] for number in both])
        found[condition] = evaluate_run(asked, own, seed=seed) | change
    return {"conditions": found} if found else {}


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


def figures_without(
    shared: Collection[str], instances: Sequence[RankingInstance], scores: Scores, *, seed: int
) -> dict[str, Any]:
    """Return the figures without the instances whose context was trained on; nothing where all or none are such."""
    names = set(shared)
    others = [pair for pair in zip(instances, scores, strict=True) if pair[0].id not in names]
    return {"without_shared": _figures(others, seed)} if 0 < len(others) < len(instances) else {}


def change_of(instances: Sequence[RankingInstance], whole: Scores, changed: Scores) -> dict[str, Any]:
    """Return by how much R@1 is higher with changed contexts, over the same instances; {} where no answer is known."""
    answered = [
        [
            _first_is_right(instance, own)
            for instance, own in zip(instances, scores, strict=True)
            if instance.answer is not None
        ]
        for scores in (changed, whole)
    ]
    if not answered[0]:
        return {}
    found = paired_difference(*answered)
    return {"change": found.mean, "change_ci": found.interval}


def _first_is_right(instance: RankingInstance, scores: Sequence[float]) -> float:
    ranked = Scored(scores or worst_scores(instance), instance.answer).ranked
    return METRICS["R@1"](ranked) or 0.0 if ranked else 0.0


def part_of_training(train: Sequence[RankingInstance], size: int, *, seed: int) -> list[RankingInstance]:
    """Return so many drawn instances in their own order. A larger part of the same seed contains a smaller one."""
    draws = [uniforms(seed, "training size", str(position), each.id)[0] for position, each in enumerate(train)]
    drawn = sorted(range(len(train)), key=draws.__getitem__)[:size]
    return [train[position] for position in sorted(drawn)]


def trial_part(instances: Sequence[RankingInstance], *, seed: int) -> list[RankingInstance]:
    """Return the drawn instances that a trial reads, of those that leave a choice where there are some."""
    with_choice = [instance for instance in instances if len(instance.candidates) > 1]
    return part_of_training(with_choice or instances, TRIAL, seed=seed)


def _figures(part: Sequence[tuple[RankingInstance, Sequence[float]]], seed: int) -> dict[str, Any]:
    return evaluate_run([instance for instance, _own in part], [own for _instance, own in part], seed=seed)


def _has_turns(instance: RankingInstance, least: int, most: int | None) -> bool:
    return least <= len(instance.context) and (most is None or len(instance.context) <= most)
