"""The order of a list: one of its columns, up or down, written as its address has it."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True)
class Sorting:
    """A column, and whether its highest value comes first: `gap` and `-gap` in an address."""

    column: str
    is_descending: bool = False

    @classmethod
    def parse(cls, text: str, columns: Collection[str]) -> Self:
        """Return the order that the text names. Raises ValueError for a column that the list does not have."""
        column = text.removeprefix("-")
        if column not in columns:
            raise ValueError(text)
        return cls(column, is_descending=text.startswith("-"))

    def __str__(self) -> str:
        return f"-{self.column}" if self.is_descending else self.column

    @property
    def reverse(self) -> "Sorting":
        return Sorting(self.column, is_descending=not self.is_descending)
