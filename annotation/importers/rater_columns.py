"""Columns that hold the grades of one rater each, such as 评分1 and 评分2, or grade_ann and grade_bo."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from annotation.domain.rating.rating import Scale
from annotation.importers.columns import Schema, folded_name
from annotation.importers.grades import is_grade, is_no_grade
from core.domain.text import fold_name

BOTH = {"grade", "rater"}  # our columns that such columns stand for
# What follows the word for a grade: a number, or a name after a mark or in brackets; and a remark in brackets.
NAME = (
    r"\s*(?:(?P<number>\d+)|[\s_:：.·/-]+(?P<name>.+?)|[(（\[【](?P<bracketed>[^)）\]】]+)[)）\]】])"
    r"(?:\s*[(（\[【].*[)）\]】])?"
)
# What is computed from grades, or said of them, in columns that are named like those of raters.
COMPUTED = (
    "mean average avg median mode sum total sd std stdev stddev var variance range n count num final gold agreed "
    "agreement consensus kappa 均值 平均 平均值 平均分 均分 中位数 众数 总分 总和 总计 合计 标准差 方差 极差 人数 次数 "
    "数量 最终 最终分 终分 终评 校准 标准答案 金标准 一致 一致性"
)
SAID = "date time datetime timestamp note notes comment comments reason remark 日期 时间 备注 说明 理由 原因"
NO_RATERS = {*COMPUTED.split(), *SAID.split()}


def rater_columns(names: Sequence[str], schema: Schema, chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the rater that each column names that may be such a one, by the column's folded name.

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
        in_brackets = {folded: match for folded, match in named.items() if match["bracketed"]}
        found = in_brackets or named  # only one in brackets is the grade itself, with a remark
        if len(found) > 1:
            return {folded: one_name(next(filter(None, match.groups()))) for folded, match in found.items()}
    return {}


def one_name(rater: str) -> str:
    """Return the name of a rater as it is stored, whatever the width in which it is written: １ is 1."""
    return unicodedata.normalize("NFKC", rater).strip()


def is_likely_rater(name: str, cells: Iterable[str], scale: Scale | None) -> bool:
    """Tell whether a column is taken for a rater's unless a person says otherwise: by its name, and by its first
    cells, most of which must be grades of the scale.
    """
    filled = [cell for cell in cells if not is_no_grade(cell)]
    graded = sum(is_grade(cell, scale) for cell in filled) if scale else len(filled)
    return fold_name(name) not in NO_RATERS and 2 * graded >= len(filled)
