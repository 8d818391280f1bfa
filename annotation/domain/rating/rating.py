"""Grades of prompt-response pairs: scale, project settings, reasons for grades, the gap rule of the 5-grade study."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self

from annotation.domain.languages import BOTH, LANGUAGES
from annotation.domain.qualification.gold import GoldSettings
from annotation.domain.rating.guideline import (
    Guideline,
    ResponseType,
    bare_guideline,
    in_language,
    rescaled,
    study_guideline,
)
from core.domain.wording import ChoiceError, gettext_noop

MOST_GRADES = 21
LIMITS = {
    "raters": range(1, 51),
    "gap": range(MOST_GRADES),
    "lease_minutes": range(1, 1441),
    "per_day": range(1, 10_001),
    **GoldSettings.LIMITS,
}


@dataclass(frozen=True)
class Scale:
    """The whole numbers from ``lowest`` to ``highest``: at least two grades, at most 21."""

    lowest: int
    highest: int

    def __post_init__(self) -> None:
        if not 2 <= self.highest - self.lowest + 1 <= MOST_GRADES:
            raise ChoiceError(
                gettext_noop("A scale must have 2 to %(most)d grades, lowest first; %(scale)s does not."),
                most=MOST_GRADES,
                scale=self,
            )

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the scale written as ``lowest..highest``, for example ``1..5`` or ``-2..2``; ChoiceError otherwise."""
        ends = re.fullmatch(r"(-?[0-9]{1,6})\.\.(-?[0-9]{1,6})", text.strip())
        if ends is None:
            raise ChoiceError(
                gettext_noop("A scale is written lowest..highest, for example 1..5 or -2..2, not “%(scale)s”."),
                scale=text,
            )
        return cls(int(ends[1]), int(ends[2]))

    @property
    def grades(self) -> tuple[int, ...]:
        """All grades in ascending order."""
        return tuple(range(self.lowest, self.highest + 1))

    def __contains__(self, grade: object) -> bool:
        return isinstance(grade, int) and not isinstance(grade, bool) and self.lowest <= grade <= self.highest

    def __str__(self) -> str:
        return f"{self.lowest}..{self.highest}"


@dataclass(frozen=True)
class RatingSettings(GoldSettings):
    """The settings of a rating project; the defaults are the study's, which had no gold.

    ``raters`` people grade each pair; ``gap`` is the widest gap of their grades that is kept; an assignment is held for
    ``lease_minutes``; ``per_day`` is the number of pairs a person is asked for in a day. With ``adjudicate`` an
    adjudicator decides about the pairs with a wider gap. ``show_source`` and ``show_topic`` tell people who grade where
    a response comes from and what it is about. With ``show_missed`` a paused person sees the gold they missed.
    Guideline and rules of cleaning are in ``language``. ChoiceError names the allowed values.
    """

    LIMITS = LIMITS
    CHOICES = {"language": LANGUAGES}
    UNKNOWN = gettext_noop("“%(setting)s” is not a setting of a rating project. Known: %(known)s.")

    grades: Scale = Scale(1, 5)
    raters: int = 2
    gap: int = 1
    lease_minutes: int = 30
    per_day: int = 120
    adjudicate: bool = False
    show_source: bool = False
    show_topic: bool = False
    show_missed: bool = False
    language: str = BOTH

    @property
    def told(self) -> tuple[str, ...]:
        """Names of the columns that people read above a pair they grade, clean or decide about: source, topic or none.

        With gold between the pairs it is none, as gold has neither.
        """
        switches = {"source": self.show_source, "topic": self.show_topic}
        return tuple(name for name, is_on in switches.items() if is_on and not self.gold_first)

    @property
    def is_as_in_the_study(self) -> bool:
        """Whether what the share of removed pairs depends on is as in the 5-grade study."""
        return (self.grades, self.raters, self.gap) == (Scale(1, 5), 2, 1)

    def as_mapping(self) -> dict[str, str | int]:
        """Return a JSON-ready mapping, the inverse of ``from_mapping``."""
        return super().as_mapping() | {"grades": str(self.grades)}

    @classmethod
    def spelled(cls, setting: str, value: object) -> Any:
        """Return the value of a setting, parsing the scale; ChoiceError for a text that is no scale."""
        return Scale.parse(str(value)) if setting == "grades" else super().spelled(setting, value)


class PairOutcome(StrEnum):
    """States that a pair can reach by its grades."""

    OPEN = "open"
    DISPUTED = "disputed"
    KEPT = "kept"
    REMOVED = "removed"


def gap(grades: Collection[int]) -> int:
    """Return the highest minus the lowest grade. Raises ValueError without grades."""
    if not grades:
        raise ValueError("Without grades there is no gap.")
    return max(grades) - min(grades)


def outcome(grades: Collection[int], settings: RatingSettings, decision: PairOutcome | None = None) -> PairOutcome:
    """Return a pair's outcome: open until all annotators have graded, then decided by the gap (5-grade study, 2.4).

    Where the gap is too wide, the ``decision`` of an adjudicator counts; without one the pair waits for it, in a
    project with adjudication. Adjudicators do not see the grades, so their decision remains when a grade changes.
    """
    if len(grades) < settings.raters:
        return PairOutcome.OPEN
    if gap(grades) <= settings.gap:
        return PairOutcome.KEPT
    return decision or (PairOutcome.DISPUTED if settings.adjudicate else PairOutcome.REMOVED)


def final_grade(grades: Collection[int], adjudicated: int | None = None) -> float:
    """Return the mean of the grades (5-grade study, 2.4), or the ``adjudicated`` grade where there is one.

    The order of the grades does not matter. Raises ValueError without grades.
    """
    if not grades:
        raise ValueError("Without grades there is no final grade.")
    return float(adjudicated) if adjudicated is not None else sum(grades) / len(grades)


def default_guideline(scale: Scale, language: str = BOTH) -> Guideline:
    """Return the study's guideline for its own scale, 1 to 5; bare grades for any other."""
    first = study_guideline() if scale == Scale(1, 5) else bare_guideline(scale.grades)
    return in_language(first, language)


def followed(guideline: Guideline, before: RatingSettings, after: RatingSettings) -> Guideline:
    """Return the guideline after a change of the scale or language.

    A first one that no one edited becomes the first one of the new settings. Of an edited one stay the words, of the
    grades that both scales have, in the languages that the project still has.
    """
    was, first = (default_guideline(each.grades, each.language) for each in (before, after))
    if guideline == was:
        return first
    on_scale = guideline if before.grades == after.grades else rescaled(guideline, was, first)
    return in_language(on_scale, after.language)


def reasons_for(guideline: Guideline, grade: int) -> list[ResponseType]:
    """Return the types that an annotator chooses from after ``grade``; empty where there are fewer than two.

    Raises ValueError for a grade that the guideline does not have.
    """
    offered = [kind for kind in _types_of(guideline, grade) if not kind.get("is_retired")]
    return offered if len(offered) > 1 else []


def _types_of(guideline: Guideline, grade: int) -> list[ResponseType]:
    for guide in guideline["grades"]:
        if guide["grade"] == grade:
            return guide["types"]
    raise ValueError(f"The guideline has no grade {grade}.")


class ReasonMissing(ValueError):
    """Raised for a grade that needs a reason and has none."""


class ReasonNotAsked(ValueError):
    """Raised for a grade that takes no reason and has one."""


def check_reason(guideline: Guideline, grade: int, reason: str | None) -> None:
    """Raise ReasonMissing, ReasonNotAsked or, for a reason that belongs to another grade, ValueError.

    An empty string, which a form sends for no choice, counts as None. A retired type is still taken: it comes from a
    page that was opened before, and its grade must not be lost.
    """
    if reason in [kind["key"] for kind in _types_of(guideline, grade) if kind.get("is_retired")]:
        return
    allowed = [kind["key"] for kind in reasons_for(guideline, grade)]
    if not allowed and reason:
        raise ReasonNotAsked(f"Grade {grade} takes no reason, not {reason!r}.")
    if allowed and reason not in allowed:
        error = ValueError if reason else ReasonMissing
        raise error(f"Grade {grade} needs one of these reasons: {', '.join(allowed)}.")
