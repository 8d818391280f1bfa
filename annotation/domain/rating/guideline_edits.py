"""Rows of a guideline that is being edited: grades at the ends of the scale, and types of a grade."""

import re
from copy import deepcopy

from annotation.domain.rating.guideline import GradeGuide, Guideline, ResponseType, no_words

ADD_LOWER, ADD_HIGHER = "add-lower", "add-higher"
DROP_LOWER, DROP_HIGHER = "drop-lower", "drop-higher"
_OF_A_ROW = re.compile(r"(add|drop|up|down)-g([0-9]{1,2})(?:-t([0-9]{1,2}))?")


def edited(guideline: Guideline, edit: str) -> Guideline:
    """Return the guideline after an edit: one of the above, ``add-g0`` for a type of the first grade, ``drop-g0-t1``,
    ``up-g0-t1`` or ``down-g0-t1``.

    Any other text, a row that is not there, and a way beyond the ends leave it as it is.
    """
    changed = deepcopy(guideline)
    grades = changed["grades"]
    if edit == ADD_LOWER and grades:
        grades.insert(0, _empty_grade(grades[0]["grade"] - 1))
    elif edit == ADD_HIGHER:
        grades.append(_empty_grade(grades[-1]["grade"] + 1 if grades else 1))
    elif edit in (DROP_LOWER, DROP_HIGHER) and grades:
        del grades[0 if edit == DROP_LOWER else -1]
    elif (row := _OF_A_ROW.fullmatch(edit)) and int(row[2]) < len(grades):
        types = grades[int(row[2])]["types"]
        if row[1] == "add" and row[3] is None:
            types.append(ResponseType(key="", name=no_words(), example=no_words(), is_retired=False))
        elif row[1] != "add" and row[3] is not None and int(row[3]) < len(types):
            _edit_type(types, row[1], int(row[3]))
    return changed


def _edit_type(types: list[ResponseType], act: str, number: int) -> None:
    kind = types.pop(number)
    if act != "drop":
        types.insert(max(0, number + (-1 if act == "up" else 1)), kind)


def with_types_of(newer: Guideline, guideline: Guideline) -> Guideline:
    """Return the guideline with the types that a newer version has beside its own, each at the end of its grade.

    Grades may name them, so they must be kept or retired, also by a person who began from an older version.
    """
    changed = deepcopy(guideline)
    known = {kind["key"] for guide in changed["grades"] for kind in guide["types"]}
    added = {guide["grade"]: [kind for kind in guide["types"] if kind["key"] not in known] for guide in newer["grades"]}
    for guide in changed["grades"]:
        guide["types"].extend(added.get(guide["grade"], []))
    return changed


def _empty_grade(grade: int) -> GradeGuide:
    return GradeGuide(grade=grade, name=no_words(), meaning=no_words(), is_failed=False, types=[])
