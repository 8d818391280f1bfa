"""The grade that a cell holds."""

import re

from annotation.domain.rating.rating import Scale
from annotation.importers.reasons import RowRefused

FROM_FULL_WIDTH = str.maketrans("０１２３４５６７８９．", "0123456789.")
WHOLE_NUMBER = re.compile(r"([+-]?[0-9]{1,9})(?:\.0*)?")  # tables with empty cells are often written with 4.0 for 4


def grade_of(text: str, scale: Scale) -> int:
    """Return the grade that a text is. Raises RowRefused where it is not on the scale."""
    number = WHOLE_NUMBER.fullmatch(text.translate(FROM_FULL_WIDTH))
    if not number:
        raise RowRefused("grade_no_number", grade=text)
    grade = int(number[1])
    if grade not in scale:
        raise RowRefused("grade_outside", grade=grade, scale=str(scale))
    return grade


def is_grade(text: str, scale: Scale) -> bool:
    try:
        grade_of(text.strip(), scale)
    except RowRefused:
        return False
    return True
