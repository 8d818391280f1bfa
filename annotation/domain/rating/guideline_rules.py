"""What a guideline must have before it is stored, and what a new version of one that grades name must keep."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from itertools import pairwise

from annotation.domain.languages import WRITTEN
from annotation.domain.rating.guideline import Guideline, texts_of
from annotation.domain.rating.rating import MOST_GRADES, Scale
from core.domain.wording import ChoiceError, gettext_noop

LONGEST = {"prose": 10_000, "prompt": 400, "name": 60, "meaning": 400, "example": 400}  # characters
LONGEST_KEY = 30
LONGEST_WHY = 300
MOST_TYPES = 7  # of a grade: each has a key of the home row


@dataclass(frozen=True)
class GuidelineFlaw:
    """What is wrong with a guideline, and where.

    ``place`` is one of ``texts_of`` with a language (``g0-name-en``), ``g0-grade`` for the number of a
    grade, ``g0-types`` for how many types it has, or empty.

    ``sentence`` is marked for the message catalogue; ``str()`` is English.
    """

    place: str
    code: str
    sentence: str
    params: Mapping[str, str | int] = dataclass_field(default_factory=dict)

    def __str__(self) -> str:
        return self.sentence % self.params


def flaws(guideline: Guideline, language: str) -> list[GuidelineFlaw]:
    """Return every reason against storing a guideline in a language, one of LANGUAGES; empty where it may be stored."""
    grades = [guide["grade"] for guide in guideline["grades"]]
    return [*_flaws_of_scale(grades), *_flaws_of_types(guideline), *_flaws_of_texts(guideline, language)]


def excess(guideline: Guideline, language: str) -> list[GuidelineFlaw]:
    """Return the reasons against saving a draft: it is too large. What it lacks keeps it only from being published."""
    has_too_many = len(guideline["grades"]) > MOST_GRADES
    codes = {"too_long", "types_count", *(["grades_count"] if has_too_many else [])}
    return [flaw for flaw in flaws(guideline, language) if flaw.code in codes]


def _flaws_of_scale(grades: Sequence[int]) -> Iterator[GuidelineFlaw]:
    if not 2 <= len(grades) <= MOST_GRADES:
        sentence = gettext_noop("A guideline has from 2 to %(most)d grades; this one has %(count)d.")
        yield GuidelineFlaw("", "grades_count", sentence, {"most": MOST_GRADES, "count": len(grades)})
    for row, grade in enumerate(grades):
        if grade in grades[:row]:
            sentence = gettext_noop("Grade %(grade)d appears twice. Give one of the two another number, or remove it.")
            yield GuidelineFlaw(f"g{row}-grade", "grade_twice", sentence, {"grade": grade})
    ordered = sorted(set(grades))
    for lower, higher in pairwise(ordered):
        if higher != lower + 1:
            sentence = gettext_noop("Grades go up by one: after %(lower)d comes %(next)d, not %(higher)d.")
            params = {"lower": lower, "next": lower + 1, "higher": higher}
            yield GuidelineFlaw(f"g{grades.index(higher)}-grade", "grade_missing", sentence, params)


def _flaws_of_types(guideline: Guideline) -> Iterator[GuidelineFlaw]:
    for row, guide in enumerate(guideline["grades"]):
        if len(guide["types"]) > MOST_TYPES:
            sentence = gettext_noop("A grade has at most %(most)d types: each needs its own key.")
            yield GuidelineFlaw(f"g{row}-types", "types_count", sentence, {"most": MOST_TYPES})


def _flaws_of_texts(guideline: Guideline, language: str) -> Iterator[GuidelineFlaw]:
    first, seen = WRITTEN[language][0], set[tuple[str, str, str]]()
    for place, kind, words in texts_of(guideline):
        written = {key: str(text) for key, text in words.items() if text}
        if kind == "name" and not written:
            yield GuidelineFlaw(f"{place}-{first}", "name_missing", gettext_noop("Give it a name."))
        for key, text in written.items():
            if len(text) > LONGEST[kind]:
                sentence = gettext_noop("%(length)s characters; at most %(limit)s are allowed.")
                params = {"length": len(text), "limit": LONGEST[kind]}
                yield GuidelineFlaw(f"{place}-{key}", "too_long", sentence, params)
            among = (place.split("-")[0] if "-t" in place else "", key, text.casefold())
            if kind == "name" and among in seen:
                sentence = gettext_noop("“%(name)s” appears twice. Give each a different name.")
                yield GuidelineFlaw(f"{place}-{key}", "name_twice", sentence, {"name": text[:60]})
            if kind == "name":
                seen.add(among)


def must_keep_types(before: Guideline, after: Guideline) -> None:
    """Raise ChoiceError for a type of the version before that is left out, or moved to another grade."""
    kept = {(guide["grade"], kind["key"]) for guide in after["grades"] for kind in guide["types"]}
    for guide in before["grades"]:
        for kind in guide["types"]:
            if (guide["grade"], kind["key"]) not in kept:
                raise ChoiceError(
                    gettext_noop(
                        "The type “%(type)s” of grade %(grade)d stays, since grades may name it. Retire it: it is "
                        "then no longer offered."
                    ),
                    type=kind["name"]["en"] or kind["name"]["zh"],
                    grade=guide["grade"],
                )


def settled(guideline: Guideline, spelled: Callable[[str], str]) -> Guideline:
    """Return the guideline as it is stored: grades in order, and a key for each new type, made from its name.

    ``spelled`` writes a name in Latin letters.
    """
    stored = deepcopy(guideline)
    stored["grades"].sort(key=lambda guide: guide["grade"])
    kinds = [kind for guide in stored["grades"] for kind in guide["types"]]
    taken = {kind["key"] for kind in kinds}
    for kind in kinds:
        kind["key"] = kind["key"] or _free_key(spelled(kind["name"]["en"] or kind["name"]["zh"]), taken)
        taken.add(kind["key"])
    return stored


def _free_key(name: str, taken: Iterable[str]) -> str:
    plain = re.sub("[^a-z0-9]+", "_", name.casefold()).strip("_")[: LONGEST_KEY - 4].strip("_") or "type"
    used = {*taken}
    numbered = (f"{plain}_{number}" for number in range(2, len(used) + 3))
    return plain if plain not in used else next(key for key in numbered if key not in used)


def scale_of(guideline: Guideline) -> Scale:
    """Return the scale of a guideline without flaws."""
    grades = [guide["grade"] for guide in guideline["grades"]]
    return Scale(min(grades), max(grades))
