"""The grade that a cell holds."""

import re

from annotation.domain.rating.rating import Scale
from annotation.importers.reasons import RefusalReason, RowRefused
from core.domain.text import fold_name

FROM_FULL_WIDTH = str.maketrans("０１２３４５６７８９．", "0123456789.")
# What tables write where no one gave a grade.
MARKS = (
    r"- -- – — —— / \ . na n/a #n/a n.a. nan null none nil missing unrated "
    "无 空 缺 缺失 缺评 未评 未评分 未打分 没有 暂无"
)
NO_GRADE = {*MARKS.split()}
WHOLE_NUMBER = re.compile(r"([+-]?[0-9]{1,9})(?:\.0*)?")  # tables with empty cells are often written with 4.0 for 4


def grade_of(text: str | RefusalReason, scale: Scale) -> int:
    """Return the grade that a text is. Raises RowRefused where it is not on the scale, or cannot be read."""
    if isinstance(text, RefusalReason):
        raise RowRefused(text.code, **text.params)
    number = WHOLE_NUMBER.fullmatch(text.translate(FROM_FULL_WIDTH))
    if not number:
        raise RowRefused("grade_no_number", grade=text)
    grade = int(number[1])
    if grade not in scale:
        raise RowRefused("grade_outside", grade=grade, scale=str(scale))
    return grade


def is_no_grade(text: str) -> bool:
    """Tell whether a cell is empty, or has a mark that stands for a missing grade."""
    return not text.strip() or fold_name(text) in NO_GRADE


def is_grade(text: str, scale: Scale) -> bool:
    try:
        grade_of(text.strip(), scale)
    except RowRefused:
        return False
    return True
