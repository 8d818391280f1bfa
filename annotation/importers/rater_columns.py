"""Columns that hold the grades of one rater each, such as 评分1 and 评分2, or grade_ann and grade_bo."""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from annotation.domain.rating.rating import Scale
from annotation.importers.columns import Schema, folded_name, with_aliases
from annotation.importers.grades import is_grade, is_no_grade
from core.domain.text import fold_name

BOTH = {"grade", "rater"}  # our columns that such columns stand for
# What follows the word for a grade: a number, or a name after a mark or in brackets; and a remark in brackets.
NAME = (
    r"\s*(?:(?P<number>\d+|[①-⑳一二三四五六七八九十]|(?<=[一-鿿])[A-ZＡ-Ｚ])|[\s_:：.·/-]+(?P<name>.+?)|[(（\[【](?P<bracketed>[^)）\]】]+)[)）\]】])"
    r"(?:\s*[(（\[【].*[)）\]】])?"
)
RANGE = re.compile(r"\s*\d+\s*[-–—~～至到]\s*\d")  # a remark about the scale
# What is computed from grades, or said of them, in columns that are named like those of raters.
COMPUTED = (
    "mean average avg median mode sum total sd std stdev stddev var variance range n count num final gold agreed "
    "agreement consensus kappa 均值 平均 平均值 平均分 均分 中位数 众数 总分 总和 总计 合计 标准差 方差 极差 人数 次数 "
    "数量 最终 最终分 终分 终评 校准 标准答案 金标准 一致 一致性"
)
SAID = "date time datetime timestamp note notes comment comments reason remark 日期 时间 备注 说明 理由 原因"
NO_RATERS = {*COMPUTED.split(), *SAID.split()}


class RaterColumns(NamedTuple):
    """Columns that may hold the grades of one rater each: their raters by folded name; `likely` are those that do
    unless a person says otherwise. Where a column with a remark in brackets is the grade itself, it is `grade`.
    """

    raters: Mapping[str, str] = {}
    likely: Collection[str] = ()
    grade: str = ""


def rater_columns(
    columns: Mapping[str, Sequence[str]], schema: Schema, chosen: Mapping[str, str], scale: Scale | None
) -> RaterColumns:
    """Return the columns of raters among those of a file, which come with their first cells.

    Some are called so, at least two with the same word for a grade; others hold grades of the scale and are matched to
    nothing else. There are none where a column is the grade or the rater.
    """
    if not BOTH.issubset(schema.optional):
        return RaterColumns()
    taken = {*map(folded_name, chosen.values())}
    free = {folded: _bare(name) for name in columns if (folded := folded_name(name)) and folded not in taken}
    first = {folded_name(name): cells for name, cells in columns.items()}
    words = {ours: _words(schema, ours) for ours in BOTH}
    named, grade = _named(free, first, words["grade"], scale)
    likely = [column for column, rater in named.items() if _is_likely(rater, first[column], scale)]
    empty = {column for column in free if all(map(is_no_grade, first[column]))}
    others = free.keys() - empty if likely else free.keys()  # an empty column of either says nothing
    if any(chosen.get(ours) or (ours not in chosen and others & {*words[ours]}) for ours in BOTH):
        return RaterColumns()
    matched = with_aliases([*columns], schema, chosen)
    if not named and any(matched.get(ours) for ours in BOTH):
        return RaterColumns(grade="" if "grade" in chosen else grade)
    unmatched = free.keys() - {*schema.known, *matched.values()} | free.keys() & BOTH
    graded = {column for column in unmatched - empty if scale and _are_grades(first[column], scale)}
    if graded or named:
        graded |= {column for column in unmatched & empty if scale and _sounds_like_raters(free[column], words)}
    raters = {
        column: named.get(column) or _rater(name, words["grade"])
        for column, name in free.items()
        if column in {*named, *graded}
    }
    return RaterColumns(raters, likely)


def told_apart(names: Sequence[str], schema: Schema) -> tuple[str, ...]:
    """Return the names of columns with a number behind a rater's name that was there before: both are read."""
    if not BOTH.issubset(schema.optional):
        return tuple(names)
    word = f"(?:{'|'.join(_words(schema, 'grade'))})"
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[folded_name(name)] += 1
        match = re.fullmatch(word + NAME, _bare(name), re.IGNORECASE)
        is_raters = match and not RANGE.match(match["bracketed"] or "")
        number = seen[folded_name(name)]
        found.append(f"{_bare(name)} ({number})" if is_raters and number > 1 else name)
    return tuple(found)


def _words(schema: Schema, ours: str) -> tuple[str, ...]:
    return (ours, *schema.aliases.get(ours, ()))


def _bare(name: str) -> str:
    """Return the name of a column without outer space and wrapping quotes."""
    return name.strip().strip('"').strip()


def _named(
    free: Mapping[str, str], first: Mapping[str, Sequence[str]], words: Sequence[str], scale: Scale | None
) -> tuple[dict[str, str], str]:
    """Return the raters that the names of columns name, by column; else the column that is the grade with a remark."""
    for word in words:
        matches = {column: match for column, name in free.items() if (match := re.fullmatch(word + NAME, name, re.I))}
        named = {column: one_name(next(filter(None, match.groups()))) for column, match in matches.items()}
        in_brackets = {column: named[column] for column, match in matches.items() if match["bracketed"]}
        likely = [column for column, rater in in_brackets.items() if _is_likely(rater, first[column], scale)]
        others = [column for column, rater in in_brackets.items() if fold_name(rater) not in NO_RATERS]
        partly = scale and any(is_grade(cell, scale) for each in {*others} - {*likely} for cell in first[each])
        if len(likely) == 1 and (not partly or RANGE.match(in_brackets[likely[0]])):
            return {}, likely[0]
        found = in_brackets if likely else named
        if len(found) > 1:
            return found, ""
    return {}, ""


def _rater(name: str, words: Sequence[str]) -> str:
    """Return the rater of a column alone: what is beside a word for a grade, else all of its name."""
    word = rf"(?:{'|'.join(words)})"
    after = re.fullmatch(word + NAME, name, re.IGNORECASE)
    before = re.fullmatch(rf"(?P<name>.+?)[\s_:：.·/-]*{word}", name, re.IGNORECASE)
    if after and not after["bracketed"]:
        return one_name(after["number"] or after["name"])
    return one_name(before["name"] if before else name)


def _sounds_like_raters(name: str, words: Mapping[str, Sequence[str]]) -> bool:
    """Tell whether a column has a number or a name after a word for a rater or a grade, or a name before the latter."""
    grade = "|".join(words["grade"])
    after = re.fullmatch(f"(?:{grade}|{'|'.join(words['rater'])}){NAME}", name, re.IGNORECASE)
    found = after or re.fullmatch(rf"(.+?)[\s_:：.·/-]*(?:{grade})", name, re.IGNORECASE)
    return found is not None and fold_name(next(filter(None, found.groups()))) not in NO_RATERS


def one_name(rater: str) -> str:
    """Return the name of a rater as it is stored, whatever the width in which it is written: １ is 1."""
    return unicodedata.normalize("NFKC", rater).strip()


def _is_likely(rater: str, cells: Iterable[str], scale: Scale | None) -> bool:
    """Tell whether a column is taken for a rater's unless a person says otherwise: by its name, and by its first
    cells, most of which must be grades of the scale.
    """
    return fold_name(rater) not in NO_RATERS and (not scale or _are_grades(cells, scale))


def _are_grades(cells: Iterable[str], scale: Scale) -> bool:
    """Tell whether most of the cells that have something in them are grades."""
    filled = [cell for cell in cells if not is_no_grade(cell)]
    return 2 * sum(is_grade(cell, scale) for cell in filled) >= len(filled)
