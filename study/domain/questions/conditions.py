"""Conditions that a question is asked in: its context without the earliest turns, without any, or shuffled.

Source: Cui et al. 2020, figure 6; there for models, here for people and models alike.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count

from core.domain.draws import uniforms
from study.baselines.ablation import ALL, FIRST, SHUFFLE
from study.domain.questions.sampling import DrawnQuestion


def asked_in(question: DrawnQuestion, conditions: Iterable[str], seed: int) -> Iterator[DrawnQuestion]:
    """Yield a question in its whole context, then in each condition that its context is long enough for.

    A condition is ``first:N`` (the earliest N turns are removed, and some are left), ``all`` (every turn is removed) or
    ``shuffle`` (the turns are in a drawn order that reads differently from their own).
    """
    yield question
    for condition in conditions:
        turns = turns_left(question, condition, seed)
        if turns is not None:
            context = [question.context[turn] for turn in turns]
            yield replace(question, condition=condition, context=context)


def turns_left(question: DrawnQuestion, condition: str, seed: int) -> Sequence[int] | None:
    """Return the turns of the context in a condition, by number; None where the context is too short for it."""
    turns = range(len(question.context))
    if condition == ALL:
        return []
    if condition == SHUFFLE:
        return _other_order(question, seed)
    removed = int(condition.removeprefix(FIRST))
    return turns[removed:] if removed < len(turns) else None


def _other_order(question: DrawnQuestion, seed: int) -> Sequence[int] | None:
    """Draw orders of the turns until one reads differently; None where all turns say the same."""
    texts = [turn["text"] for turn in question.context]
    if len(set(texts)) < 2:
        return None
    names = (question.source, question.id)
    drawn = (
        sorted(
            range(len(texts)),
            key=lambda turn: uniforms(seed, "turns for people", *names, str(attempt), str(turn)),
        )
        for attempt in count()
    )
    return next(order for order in drawn if [texts[turn] for turn in order] != texts)
