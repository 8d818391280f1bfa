"""Mapping of a file's columns to ours: by name, unless chosen by hand."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from annotation.importers.reasons import RowRefused
from annotation.importers.rows import excerpt

LEFT_OUT = ""  # chosen for a column of ours that the file does not have


class Schema(NamedTuple):
    """The columns that a kind of row must have and may have.

    With `bare_tsv`, a tsv file without a header begins with the required ones. If there are any in `one_of`, a file
    must have at least one of them.
    """

    required: tuple[str, ...]
    bare_tsv: bool = False
    one_of: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()


def folded_name(name: str) -> str:
    """Return a column's name without outer space, wrapping quotes and case."""
    return name.strip().strip('"').strip().casefold()


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
    duplicate = next((name for name in (*schema.required, *schema.one_of) if columns.count(name) > 1), None)
    if duplicate:
        raise RowRefused("duplicate_column", column=duplicate)


def _listed(names: Sequence[str]) -> str:
    return excerpt(", ".join(names))
