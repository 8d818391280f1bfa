"""Which comparisons the frozen plan of a study fixed, and p-values adjusted for the number of tests in each family."""

from collections.abc import Collection, Mapping, Sequence
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

    The first of `against` is the primary contrast, all of them are the confirmatory family. `margin` is a share, None
    where the plan has none.
    """

    group: str
    against: tuple[str, ...]
    metric: str
    corpus: str | None
    margin: float | None

    @classmethod
    def of(cls, analysis: Mapping[str, Any]) -> "PlannedContrasts":
        """Read what a frozen plan fixed of the analysis; several to compare with are parted by semicolons."""
        against = (" ".join(name.split()) for name in analysis.get("primary_against", "").split(";"))
        margin = analysis.get("margin")
        return cls(
            group=analysis.get("primary_group", ""),
            against=tuple(filter(None, against)),
            metric=analysis.get("primary_metric", "R@1"),
            corpus=analysis.get("primary_corpus") or None,
            margin=float(margin) / 100 if margin else None,
        )

    def is_against(self, name: str) -> bool:
        """Return whether the group is compared with what has this name, upper or lower case."""
        return name.casefold() in {each.casefold() for each in self.against}

    def family(self, corpus: str | None, group: str | None, names: Collection[str]) -> Family:
        """Return the family of a comparison of a group with what has these names, upper or lower case."""
        if not self.group or (corpus, group) != (self.corpus, self.group):
            return Family.EXPLORATORY
        known = {name.casefold() for name in names}
        place = next((at for at, name in enumerate(self.against) if name.casefold() in known), None)
        if place is None:
            return Family.EXPLORATORY
        return Family.CONFIRMATORY if place else Family.PRIMARY


def adjusted(families: Sequence[Family], p_values: Sequence[float | None]) -> list[float | None]:
    """Return the p-values by Holm over the confirmatory family, the primary contrast included, and by Benjamini and
    Hochberg over the rest; None where there is none.
    """
    found: dict[int, float] = {}
    for adjust, are_exploratory in ((holm, False), (benjamini_hochberg, True)):
        tested = {
            row: p
            for row, (family, p) in enumerate(zip(families, p_values, strict=True))
            if p is not None and (family == Family.EXPLORATORY) == are_exploratory
        }
        found |= zip(tested, adjust([*tested.values()]), strict=True)
    return [found.get(row) for row in range(len(p_values))]
