"""Figures of a run with their intervals, and how many contexts were in the training.

The unit is the instance whose answer is known (R@k, reciprocal ranks) or the prompt whose responses people graded (P@1,
MAP and MRR at cuts). A share of right ones (R@k and P@1 where no tie is open) has Wilson's interval; a mean the
bootstrap over the units. METHODS of the intervals: docs/metrics.md.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from math import fsum
from typing import Any

from core.domain.statistics import MissingFigure, item_interval
from core.domain.text import fold
from core.domain.wording import gettext_noop
from study.baselines.base import RankingInstance
from study.domain.results.graded import CUTS, GRADED_METRICS, TiedBlock, tied_blocks
from study.domain.results.metrics import METRICS, Ranked, ranked_by_scores

WHY = {
    MissingFigure.NO_ANSWERS: gettext_noop("No instance has a known answer."),
    MissingFigure.TOO_FEW_CANDIDATES: gettext_noop("It needs more than 5 candidates."),
    MissingFigure.NO_POSITIVES: gettext_noop("No prompt has a response with this grade or more."),
    MissingFigure.NO_VARIANCE: gettext_noop(
        "All instances have the same score, so their variation cannot be estimated."
    ),
}


@dataclass(frozen=True)
class Scored:
    """A model's scores for the candidates of one instance, and the index of the true one (None: unknown)."""

    scores: Sequence[float]
    answer: int | None

    @cached_property
    def ranked(self) -> Ranked | None:
        return None if self.answer is None else ranked_by_scores(self.scores, self.answer)


def evaluate_run(
    instances: Sequence[RankingInstance], scores: Sequence[Sequence[float]], *, seed: int
) -> dict[str, Any]:
    """Return the figures of a model's scores: at cuts where people graded the candidates, else of the true one.

    Instances without scores are `unanswered` and count as wrong as can be; `answered` are the figures without them.
    Both are there only where there are some.
    """
    asked = list(zip(instances, scores, strict=True))
    figures = _figures_of([(instance, own or worst_scores(instance)) for instance, own in asked], seed)
    answered = [(instance, own) for instance, own in asked if own]
    if len(answered) < len(asked):
        figures |= {"unanswered": len(asked) - len(answered), "answered": _figures_of(answered, seed)}
    return figures


def worst_scores(instance: RankingInstance) -> list[float]:
    """Return scores by which the worst candidates rank first; equal ones where grades and the true one are unknown."""
    return [-gain for gain in instance.gains] or [0.0] * len(instance.candidates)


def _figures_of(asked: Sequence[tuple[RankingInstance, Sequence[float]]], seed: int) -> dict[str, Any]:
    if any(instance.is_rated for instance, _own in asked):
        return evaluate_graded([GradedScores(own, instance.grades) for instance, own in asked], seed=seed)
    return evaluate([Scored(own, instance.answer) for instance, own in asked], seed=seed)


def evaluate(scored: Sequence[Scored], *, seed: int) -> dict[str, Any]:
    """Return figures over the `n` instances with a known answer; `without_answer` others have predictions only.

    `candidates` is None where instances differ in it, `fewest` and `most` are there then; `tied` counts instances whose
    true response is tied with another.
    A missing figure or interval is None, with the reason under "<name>_why" (see WHY).
    """
    ranked = [one.ranked for one in scored if one.ranked is not None]
    sizes = {len(one.scores) for one in scored}
    figures: dict[str, Any] = {
        "n": len(ranked),
        "candidates": min(sizes) if len(sizes) == 1 else None,
        **({"fewest": min(sizes), "most": max(sizes)} if len(sizes) > 1 else {}),
        "tied": sum(one.tied > 0 for one in ranked),
        "without_answer": len(scored) - len(ranked),
    }
    for name, metric in METRICS.items():
        figures |= _figure(name, [metric(one) for one in ranked], seed)
    return figures


@dataclass(frozen=True)
class GradedScores:
    """A model's scores for the responses of one prompt, and the grades that people gave them."""

    scores: Sequence[float]
    grades: Sequence[float]

    def at_cut(self, cut: int) -> list[TiedBlock]:
        """Return the blocks of equal scores, where a response with this grade or more is positive."""
        return list(tied_blocks(self.scores, [grade >= cut for grade in self.grades]))

    @property
    def is_tied(self) -> bool:
        return len(set(self.scores)) < len(self.scores)


def evaluate_graded(scored: Sequence[GradedScores], *, seed: int) -> dict[str, Any]:
    """Return figures over the prompts at each cut, keyed "3", "4", "5".

    Prompts without a positive response at a cut are in none of its figures: `without_positive` counts them, and
    `single` those of the others with one response, where every model is right. `chance` is what guessing is worth.
    """
    return {
        "prompts": len(scored),
        "responses": sum(len(one.scores) for one in scored),
        "tied": sum(one.is_tied for one in scored),
        "cuts": {str(cut): _at_cut(cut, scored, seed) for cut in CUTS},
    }


def _at_cut(cut: int, scored: Sequence[GradedScores], seed: int) -> dict[str, Any]:
    with_positive = [one for one in scored if max(one.grades) >= cut]
    blocks = [one.at_cut(cut) for one in with_positive]
    guessed = [GradedScores([0.0] * len(one.grades), one.grades).at_cut(cut) for one in with_positive]
    figures: dict[str, Any] = {
        "prompts": len(with_positive),
        "without_positive": len(scored) - len(with_positive),
        "single": sum(len(one.grades) == 1 for one in with_positive),
        "chance": {name: _mean([metric(one) for one in guessed]) for name, metric in GRADED_METRICS.items()},
    }
    for name, metric in GRADED_METRICS.items():
        figures |= _figure(name, [metric(one) for one in blocks], seed, without=MissingFigure.NO_POSITIVES)
    return figures


def _mean(values: Sequence[float]) -> float | None:
    return fsum(values) / len(values) if values else None


def best_first(scores: Sequence[float]) -> list[int]:
    """Return the candidates' indices by falling score; tied ones keep their own order."""
    return sorted(range(len(scores)), key=lambda number: -scores[number])


def _figure(
    name: str, values: Sequence[float | None], seed: int, *, without: MissingFigure = MissingFigure.NO_ANSWERS
) -> dict[str, Any]:
    known = [value for value in values if value is not None]
    if not values or len(known) < len(values):
        why = MissingFigure.TOO_FEW_CANDIDATES if values else without
        return {name: None, f"{name}_ci": None, f"{name}_why": why}
    interval = item_interval(known, seed=seed)
    figure = {name: fsum(known) / len(known), f"{name}_ci": interval}
    return figure if interval else figure | {f"{name}_why": MissingFigure.NO_VARIANCE}


def shared_contexts(train: Iterable[RankingInstance], asked: Iterable[RankingInstance]) -> list[str]:
    """Return the ids of the asked instances whose context a training instance has too.

    Case, space, punctuation and the limits of turns are ignored. A training dialogue without candidates contains every
    context that it begins with.
    """
    seen: set[bytes] = set()
    for instance in train:
        seen.update(_known_from(instance))
    return [instance.id for instance in asked if not seen.isdisjoint(_beginnings(instance.context)[-1:])]


def without_overlap(train: Sequence[RankingInstance], asked: Iterable[RankingInstance]) -> list[RankingInstance]:
    """Return the training instances that share no context with the asked ones, as `shared_contexts` compares them."""
    contexts = {digest for instance in asked for digest in _beginnings(instance.context)[-1:]}
    return [instance for instance in train if contexts.isdisjoint(_known_from(instance))]


def _known_from(instance: RankingInstance) -> list[bytes]:
    """Return digests of the contexts that a model knows when it was trained on the instance."""
    beginnings = _beginnings(instance.context)
    return beginnings[-1:] if instance.candidates else beginnings


def _beginnings(turns: Iterable[str]) -> list[bytes]:
    """Return a digest of the first turn, of the first two, and so on."""
    digest, beginnings = blake2b(digest_size=16), []
    for turn in turns:
        digest.update(fold(turn).encode())
        beginnings.append(digest.digest())
    return beginnings
