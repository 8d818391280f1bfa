"""Mapping of a file's columns to ours: by name, unless chosen by hand."""

import re
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from annotation.importers.reasons import RowRefused
from annotation.importers.rows import excerpt

LEFT_OUT = ""  # chosen for a column of ours that the file does not have
REMARK = re.compile(r"\s*[(（\[【].*")  # after a name, as in 评分（1–5）

# What files call these columns where they do not have our names, the likeliest first.
ALIASES: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "prompt": (
            "提问",
            "问题",
            "问句",
            "上文",
            "上下文",
            "对话",
            "question",
            "query",
            "post",
            "context",
            "instruction",
        ),
        "response": ("回复", "回答", "答复", "应答", "答案", "reply", "answer", "output", "completion", "text"),
        "id": ("编号", "序号", "item"),
        "item": ("id", "编号", "序号"),
        "source": ("来源",),
        "topic": ("主题", "话题"),
        "dialogue": ("对话编号", "对话id", "会话"),
        "grade": ("评分", "分数", "打分", "得分", "等级", "rating", "score", "label"),
        "rater": ("评分员", "评分人", "打分人", "标注员", "标注者", "标注人", "annotator", "rated_by", "scored_by"),
    }
)
NO_ALIASES: Mapping[str, Sequence[str]] = MappingProxyType({})


class Schema(NamedTuple):
    """The columns that a kind of row must have and may have.

    With `bare_tsv`, a tsv file without a header begins with the required ones. If there are any in `one_of`, a file
    must have at least one of them. A column that is missing is read from one that has a usual name, as `aliases` lists
    them.
    """

    required: tuple[str, ...]
    bare_tsv: bool = False
    one_of: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    aliases: Mapping[str, Sequence[str]] = NO_ALIASES

    @property
    def known(self) -> tuple[str, ...]:
        """All our names of columns."""
        return (*self.required, *self.one_of, *self.optional)

    @property
    def heeded(self) -> set[str]:
        """Our names of the columns that are read: with grades also the one that says whether they count."""
        return {*self.known, "counted"} if "grade" in self.known else {*self.known}

    def found_in(self, names: Sequence[str], chosen: Mapping[str, str]) -> dict[str, str]:
        """Return our names of the columns that a file has, by our names or usual ones, or as chosen, with its own."""
        own = {folded_name(name): name for name in reversed(names)}
        read_from = with_aliases(names, self, chosen)
        found = {ours: read_from.get(ours, own.get(ours, LEFT_OUT)) for ours in self.known}
        return {ours: name for ours, name in found.items() if name != LEFT_OUT}


def folded_name(name: str) -> str:
    """Return a column's name without outer space, wrapping quotes and case."""
    return name.strip().strip('"').strip().casefold()


def with_aliases(names: Sequence[str], schema: Schema, chosen: Mapping[str, str]) -> dict[str, str]:
    """Return what is chosen, and of our other columns that the file lacks those that it has by a usual name."""
    folded = list(map(folded_name, names))
    plain = {plain_name(name): name for name in reversed(folded)} | {name: name for name in folded}
    taken = {*schema.known, *map(folded_name, chosen.values())}
    found: dict[str, str] = {}
    for name in schema.known:
        if schema.aliases and name not in chosen and name not in folded:
            known = (plain[alias] for alias in (name, *schema.aliases.get(name, ())) if alias in plain)
            if alias := next((alias for alias in known if alias not in taken), ""):
                found[name] = alias
                taken.add(alias)
    return {**found, **chosen}


def header_names(schema: Schema, chosen: Mapping[str, str]) -> set[str]:
    """Return the names one of which shows that a line is a header."""
    telling = (*schema.required, *schema.one_of)
    usual = {alias for name in telling for alias in schema.aliases.get(name, ())}
    return {*telling, *usual, *map(folded_name, chosen.values())} - {LEFT_OUT}


def is_header(cells: Sequence[str], wanted: set[str]) -> bool:
    return known_names(cells, wanted) > 0


def known_names(cells: Sequence[str], wanted: set[str]) -> int:
    """Return how many cells are wanted names, with or without a remark."""
    return sum(not wanted.isdisjoint((folded_name(cell), plain_name(cell))) for cell in cells)


def plain_name(name: str) -> str:
    """Return a folded name without a remark in brackets."""
    return REMARK.sub("", folded_name(name))


def read_as(names: Sequence[str], schema: Schema, chosen: Mapping[str, str]) -> tuple[str, ...]:
    """Return our name for each column of a file, or its own folded name, which is then ignored.

    `chosen` maps our names to the file's. Raises RowRefused.
    """
    folded = list(map(folded_name, names))
    taken = [folded_name(name) for name in chosen.values() if name != LEFT_OUT]
    for ours, name in chosen.items():
        if name != LEFT_OUT and folded_name(name) not in folded:
            raise RowRefused("no_such_column", column=ours, missing=excerpt(name), found=_listed(names))
        if taken.count(folded_name(name)) > 1:
            raise RowRefused("column_chosen_twice", column=excerpt(name))
    new_names = renaming(chosen)
    columns = tuple(new_names.get(name, name) for name in folded)
    _require(columns, names, schema)
    return columns


def refuse_repeated(columns: Sequence[str], names: Sequence[str], read: Collection[str]) -> None:
    """Refuse a file with two columns of the same name where that is `read`, as one would hide the other."""
    if repeated := {name: columns.index(name) for name in columns if name in read and columns.count(name) > 1}:
        if {"grade", "rater"} <= repeated.keys():
            raise RowRefused("raters_side_by_side")
        raise RowRefused("duplicate_column", column=excerpt(names[next(iter(repeated.values()))]))


def renaming(chosen: Mapping[str, str]) -> dict[str, str]:
    """Return a map from folded names in the file to the names they are read as, where these differ."""
    ours_of = {folded_name(name): ours for ours, name in chosen.items() if name != LEFT_OUT}
    return dict.fromkeys(chosen, LEFT_OUT) | ours_of


def _require(columns: Sequence[str], names: Sequence[str], schema: Schema) -> None:
    missing = [name for name in schema.required if name not in columns]
    if missing:
        code = "missing_column" if len(missing) == 1 else "missing_columns"
        raise RowRefused(code, missing=", ".join(missing), found=_listed(names))
    if schema.one_of and not set(schema.one_of) & set(columns):
        raise RowRefused("no_column_of", needed=", ".join(schema.one_of), found=_listed(names))


def _listed(names: Sequence[str]) -> str:
    return excerpt(", ".join(names))
