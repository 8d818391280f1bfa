"""What a person changed of an older version of a guideline, put on top of a newer one."""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import TypeVar

from annotation.domain.rating.guideline import GradeGuide, Guideline, ResponseType, TypeWords, no_words

Part = TypeVar("Part", str, bool)


def on_top_of(newer: Guideline, own: Guideline, began_from: Guideline) -> Guideline:
    """Return the newer guideline with what `own` has otherwise than the version that it began from.

    Each text in each language, whether a grade counts as failed, whether a type is retired, and the order of types are
    taken by themselves. A grade or a type that one of the two removed is gone, unless the other one changed it.
    """
    earlier, theirs = _by_grade(began_from), _by_grade(newer)
    grades = [
        _merged_grade(theirs.get(guide["grade"]), guide, earlier.get(guide["grade"]))
        for guide in own["grades"]
        if guide["grade"] in theirs or guide != earlier.get(guide["grade"])
    ]
    known = {*earlier, *_by_grade(own)}
    grades += [deepcopy(guide) for grade, guide in theirs.items() if grade not in known]
    grades.sort(key=lambda guide: guide["grade"])
    return Guideline(
        prose=_merged_words(newer["prose"], own["prose"], began_from["prose"]),
        prompt=_merged_words(newer["prompt"], own["prompt"], began_from["prompt"]),
        grades=grades,
    )


def _by_grade(guideline: Guideline) -> dict[int, GradeGuide]:
    return {guide["grade"]: guide for guide in guideline["grades"]}


def _merged_grade(newer: GradeGuide | None, own: GradeGuide, earlier: GradeGuide | None) -> GradeGuide:
    if newer is None:
        return deepcopy(own)
    was = earlier or GradeGuide(grade=own["grade"], name=no_words(), meaning=no_words(), is_failed=False, types=[])
    return GradeGuide(
        grade=own["grade"],
        name=_merged_words(newer["name"], own["name"], was["name"]),
        meaning=_merged_words(newer["meaning"], own["meaning"], was["meaning"]),
        is_failed=_merged(newer["is_failed"], own["is_failed"], was["is_failed"]),
        types=list(_merged_types(newer["types"], own["types"], was["types"])),
    )


def _merged_words(newer: TypeWords, own: TypeWords, earlier: TypeWords) -> TypeWords:
    return TypeWords(
        zh=_merged(newer["zh"], own["zh"], earlier["zh"]), en=_merged(newer["en"], own["en"], earlier["en"])
    )


def _merged(newer: Part, own: Part, earlier: Part) -> Part:
    """Return one's own part where it was changed, else the newer one."""
    return newer if own == earlier else own


def _merged_types(
    newer: Sequence[ResponseType], own: Sequence[ResponseType], earlier: Sequence[ResponseType]
) -> Iterator[ResponseType]:
    was, theirs, ours = (_by_key(types) for types in (earlier, newer, own))
    for kind in _in_order(newer, own, earlier):
        key = kind["key"]
        if key in theirs and key in ours:
            yield _merged_type(theirs[key], ours[key], was.get(key))
        elif kind != was.get(key):  # one added or changed it; else the other one removed it
            yield deepcopy(kind)


def _by_key(types: Sequence[ResponseType]) -> dict[str, ResponseType]:
    return {kind["key"]: kind for kind in types if kind["key"]}


def _merged_type(newer: ResponseType, own: ResponseType, earlier: ResponseType | None) -> ResponseType:
    if earlier is None:
        return deepcopy(own)
    return ResponseType(
        key=own["key"],
        name=_merged_words(newer["name"], own["name"], earlier["name"]),
        example=_merged_words(newer["example"], own["example"], earlier["example"]),
        is_retired=_merged(newer["is_retired"], own["is_retired"], earlier["is_retired"]),
    )


def _in_order(
    newer: Sequence[ResponseType], own: Sequence[ResponseType], earlier: Sequence[ResponseType]
) -> list[ResponseType]:
    """Return the types of both: in one's own order where types were moved, else in theirs.

    What only the other one has follows the type that it follows there; at the end where one's own order counts.
    """
    was, ours = _by_key(earlier), _by_key(own)
    if [key for key in ours if key in was] != [key for key in was if key in ours]:
        return [*own, *(kind for kind in newer if kind["key"] not in ours)]
    ordered = list(newer)
    place = 0
    for kind in own:
        keys = [each["key"] for each in ordered]
        if kind["key"] and kind["key"] in keys:
            place = keys.index(kind["key"]) + 1
        else:
            ordered.insert(place, kind)
            place += 1
    return ordered
