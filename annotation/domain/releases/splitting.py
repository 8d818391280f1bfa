"""Division of groups (prompts, conversations) into train, dev and test. A group is never divided."""

from collections.abc import Iterable
from enum import StrEnum
from itertools import repeat
from math import floor, isclose

from core.domain.draws import uniforms
from core.domain.text import digest, fold


class Split(StrEnum):
    """The parts of a release, in the order in which it is written."""

    TRAIN = "train"
    DEV = "dev"
    TEST = "test"


def prompt_group(prompt: str) -> str:
    """Return the group of a prompt: prompts that differ by case, width, space or punctuation are in one split."""
    return digest(fold(prompt))


Shares = tuple[float, float, float]
STUDY_SHARES: Shares = (0.8, 0.1, 0.1)


def split_groups(groups: Iterable[str], seed: int, shares: Shares = STUDY_SHARES) -> dict[str, Split]:
    """Return the split of every group; ``shares`` count groups, not their items, as in the 5-grade study.

    The result depends only on the seed and the set of groups, not on their order. Small sets: one group is train, two
    are train and test, from three on no split with a share stays empty. Raises ValueError unless the shares are three
    numbers from 0 that sum to 1, train's above 0.
    """
    drawn = sorted(set(groups), key=lambda group: (uniforms(seed, "split", group), group))
    sizes = split_sizes(len(drawn), shares)
    splits = [split for split, size in sizes.items() for split in repeat(split, size)]
    return dict(zip(drawn, splits, strict=True))


def split_sizes(groups: int, shares: Shares = STUDY_SHARES) -> dict[Split, int]:
    """Return the number of groups in each split: largest remainders, then one each for test and dev if train has two.

    Raises ValueError as ``split_groups`` does.
    """
    if len(shares) != 3 or min(shares) < 0 or shares[0] == 0 or not isclose(sum(shares), 1):
        raise ValueError(f"Shares are three numbers from 0 that sum to 1, train's above 0, not {shares}.")
    quotas = {split: groups * share for split, share in zip(Split, shares, strict=True)}
    sizes = {split: floor(quota) for split, quota in quotas.items()}
    by_remainder = sorted(Split, key=lambda split: sizes[split] - quotas[split])
    for split in by_remainder[: groups - sum(sizes.values())]:
        sizes[split] += 1
    for split in (Split.TEST, Split.DEV):
        if sizes[split] == 0 < quotas[split] and sizes[Split.TRAIN] > 1:
            sizes[split] += 1
            sizes[Split.TRAIN] -= 1
    return sizes


def joined(names: Iterable[tuple[str, ...]]) -> list[str]:
    """Return the group of each row: rows that share a name are one group, also through other rows.

    A group is named by the smallest of its names.
    """
    rows = list(names)
    parent = {name: name for row in rows for name in row}

    def root(name: str) -> str:
        while parent[name] != name:
            parent[name] = name = parent[parent[name]]
        return name

    for first, *others in rows:
        for other in others:
            low, high = sorted((root(first), root(other)))
            parent[high] = low
    return [root(first) for first, *_others in rows]
