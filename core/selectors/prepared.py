"""Reads whose SQL is made once in a process: on the busiest paths, making it costs more than running it."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Model, QuerySet, Value
from django.db.models.query import get_related_populators

from core.models.sql import rows_of

Row = TypeVar("Row", bound=Model)


class Blank(Value):
    """The place of a value in a query that is compiled before its values are known."""

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        return "%s", (self,)

    def filled(self, values: dict[str, Any]) -> Any:
        name, *number = self.value
        return values[name][number[0]] if number else values[name]


class PreparedRead(Generic[Row]):
    """A read of rows with what they select: `read(name=value, …)`, with the arguments of the query it is made of.

    Values are texts and whole numbers, and go to the database as they are; a tuple of them is what `__in` takes.
    """

    def __init__(self, rows: Callable[..., QuerySet[Row]]) -> None:
        self._rows = rows
        self._statements: dict[tuple[int, ...], Statement[Row]] = {}

    def __call__(self, **values: Any) -> list[Row]:
        lengths = tuple(len(value) if isinstance(value, tuple) else -1 for value in values.values())
        if 0 in lengths:
            return []
        if lengths not in self._statements:
            self._statements[lengths] = Statement(self._rows(**{name: _blank(name, values[name]) for name in values}))
        return self._statements[lengths].read(values)


def _blank(name: str, value: Any) -> Blank | list[Blank]:
    return [Blank((name, index)) for index in range(len(value))] if isinstance(value, tuple) else Blank((name,))


class Statement(Generic[Row]):
    """The SQL of a query with blanks, and all that makes instances of its rows."""

    def __init__(self, rows: QuerySet[Row]) -> None:
        self.compiler = compiler = rows.query.get_compiler(DEFAULT_DB_ALIAS)
        self.sql, self.params = compiler.as_sql()
        self.converters = compiler.get_converters([column for column, _sql, _alias in compiler.select])
        fields = compiler.klass_info["select_fields"]
        self.own = slice(fields[0], fields[-1] + 1)
        self.names = [column.target.attname for column, _sql, _alias in compiler.select[self.own]]
        self.model: type[Row] = compiler.klass_info["model"]
        self.populators = get_related_populators(  # type: ignore[call-arg]  # the types are of a later Django
            compiler.klass_info, compiler.select, DEFAULT_DB_ALIAS
        )

    def read(self, values: dict[str, Any]) -> list[Row]:
        rows = rows_of(self.sql, [each.filled(values) if isinstance(each, Blank) else each for each in self.params])
        return [self._instance(row) for row in self.compiler.apply_converters(rows, self.converters)]

    def _instance(self, row: list[Any]) -> Row:
        instance = self.model.from_db(DEFAULT_DB_ALIAS, self.names, row[self.own])
        for populator in self.populators:
            populator.populate(row, instance)
        for name, column in self.compiler.annotation_col_map.items():
            setattr(instance, name, row[column])
        return instance
