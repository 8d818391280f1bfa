"""Contexts that occur both in the training material and in the instances asked."""

from collections.abc import Iterable
from hashlib import blake2b

from core.domain.text import fold
from study.baselines.base import RankingInstance


def shared_contexts(train: Iterable[RankingInstance], asked: Iterable[RankingInstance]) -> list[str]:
    """Return the ids of the asked instances whose context a training instance has too.

    Case, space, punctuation and the limits of turns are ignored. A training dialogue without candidates contains every
    context that it begins with.
    """
    seen: set[bytes] = set()
    for instance in train:
        beginnings = _beginnings(instance.context)
        seen.update(beginnings[-1:] if instance.candidates else beginnings)
    return [instance.id for instance in asked if not seen.isdisjoint(_beginnings(instance.context)[-1:])]


def _beginnings(turns: Iterable[str]) -> list[bytes]:
    """Return a digest of the first turn, of the first two, and so on."""
    digest, beginnings = blake2b(digest_size=16), []
    for turn in turns:
        digest.update(fold(turn).encode())
        beginnings.append(digest.digest())
    return beginnings
