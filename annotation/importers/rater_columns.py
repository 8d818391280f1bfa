"""Columns that hold the grades of one rater each, such as 评分1 and 评分2, or grade_ann and grade_bo."""

import re
from collections.abc import Mapping, Sequence

from annotation.importers.columns import Schema, folded_name
from annotation.importers.reasons import RefusalReason
from annotation.importers.records import Record

BOTH = {"grade", "rater"}  # our columns that such columns stand for
# What follows the word for a grade: a number, or a name after a mark or in brackets.
NAME = r"\s*(?:(?P<number>\d+)|[\s_:：.·/-]+(?P<name>.+)|[(（\[【](?P<remark>.+)[)）\]】])"


def rater_columns(names: Sequence[str], schema: Schema, chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the rater that each such column names, by the column's folded name.

    There are at least two, all with the same word for a grade. Empty where another column is the grade or the rater.
    """
    if not BOTH.issubset(schema.optional):
        return {}
    taken = {*map(folded_name, chosen.values())}
    free = {folded_name(name): name.strip().strip('"').strip() for name in names if folded_name(name) not in taken}
    words = {ours: (ours, *schema.aliases.get(ours, ())) for ours in BOTH}
    if any(chosen.get(ours) or free.keys() & {*words[ours]} for ours in BOTH):
        return {}
    for word in words["grade"]:
        named = {folded: match for folded, name in free.items() if (match := re.fullmatch(word + NAME, name, re.I))}
        in_brackets = {folded: match for folded, match in named.items() if match["remark"]}
        found = in_brackets or named  # only one in brackets is the grade itself, with a remark
        if len(found) > 1:
            return {folded: next(filter(None, match.groups())).strip() for folded, match in found.items()}
    return {}


def by_rater(record: Record, raters: Mapping[str, str]) -> list[Record]:
    """Return a record for each grade in the columns of raters; the record as it is where there is none."""
    grades = {rater: grade for column, rater in raters.items() if _is_filled(grade := record.cells.get(column))}
    given = [{**record.cells, "grade": grade, "rater": rater} for rater, grade in grades.items()]
    return [record._replace(cells=cells) for cells in given] or [record]


def _is_filled(cell: object) -> bool:
    return not (cell is None or isinstance(cell, RefusalReason) or (isinstance(cell, str) and not cell.strip()))
