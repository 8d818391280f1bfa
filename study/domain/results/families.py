"""Which comparisons the frozen plan of a study fixed, and p-values adjusted for the number of tests in each family."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from core.domain.statistics import benjamini_hochberg, holm

ALPHA = 0.05


class Family(StrEnum):
    """What a comparison was planned as. The primary contrast is in the confirmatory family too."""

    PRIMARY = "primary"
    CONFIRMATORY = "confirmatory"
    EXPLORATORY = "exploratory"

    @property
    def adjustment(self) -> str:
        return "benjamini-hochberg" if self == Family.EXPLORATORY else "holm"


class ComparisonVerdict(StrEnum):
    """What a comparison lets one write."""

    DIFFERENT = "different"
    SIMILAR = "similar"
    DIFFERENT_BUT_SIMILAR = "different but similar"  # there is a difference, and it is smaller than the margin
    NEITHER = "neither"  # neither is shown; that no difference is shown is no evidence of similarity
    UNKNOWN = "unknown"  # nothing varies, so that nothing can be tested

    @classmethod
    def of(cls, p: float | None, is_similar: bool | None) -> "ComparisonVerdict":
        """Return what follows from a p, adjusted for its family, and a test of similarity, None without a margin."""
        is_different = p is not None and p < ALPHA
        if is_different:
            return cls.DIFFERENT_BUT_SIMILAR if is_similar else cls.DIFFERENT
        if is_similar:
            return cls.SIMILAR
        return cls.UNKNOWN if p is None else cls.NEITHER


@dataclass(frozen=True)
class PlannedContrasts:
    """People of a group against models or other groups, by one metric on one corpus (None: on all together).

    The first of `against` is the primary contrast, all of them are the confirmatory family: each name is one contrast.
    `margin` is a share, None where the plan has none.
    """

    group: str
    against: tuple[str, ...]
    metric: str
    corpus: str | None
    margin: float | None

    @classmethod
    def of(cls, analysis: Mapping[str, Any]) -> "PlannedContrasts":
        """Read what a frozen plan fixed of the analysis; several to compare with are parted by semicolons."""
        against: dict[str, str] = {}
        for part in analysis.get("primary_against", "").split(";"):
            if name := " ".join(part.split()):
                against.setdefault(name.casefold(), name)
        margin = analysis.get("margin")
        return cls(
            group=analysis.get("primary_group", ""),
            against=tuple(against.values()),
            metric=analysis.get("primary_metric", "R@1"),
            corpus=analysis.get("primary_corpus") or None,
            margin=float(margin) / 100 if margin else None,
        )

    def is_against(self, name: str) -> bool:
        """Return whether the group is compared with what has this name, upper or lower case."""
        return name.casefold() in {each.casefold() for each in self.against}

    @property
    def contrasts(self) -> tuple[str, ...]:
        """What the group is compared with, the primary contrast first; empty where the plan names no group."""
        return self.against if self.group else ()

    def family(self, name: str | None) -> Family:
        """Return the family of the contrast with one of `contrasts`; None: of a comparison that is no contrast."""
        if name is None:
            return Family.EXPLORATORY
        return Family.PRIMARY if name == self.against[0] else Family.CONFIRMATORY


def adjusted(families: Sequence[Family], p_values: Sequence[float | None], planned: int = 0) -> list[float | None]:
    """Return the p-values by Holm over the confirmatory family, the primary contrast included, and by Benjamini and
    Hochberg over the rest; None where there is none.

    As many contrasts were `planned`: those without a p count as if theirs were 1, so that the family stays as large.
    """
    tested = {row: p for row, p in enumerate(p_values) if p is not None}
    exploratory = {row: p for row, p in tested.items() if families[row] == Family.EXPLORATORY}
    confirmatory = {row: p for row, p in tested.items() if row not in exploratory}
    without_p = [1.0] * (planned - len(confirmatory))
    found = dict(zip(exploratory, benjamini_hochberg([*exploratory.values()]), strict=True))
    found |= zip(confirmatory, holm([*confirmatory.values(), *without_p]), strict=False)
    return [found.get(row) for row in range(len(p_values))]
