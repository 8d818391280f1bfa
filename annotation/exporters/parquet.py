"""Parquet: a file a split, typed columns, lists as lists. The same release gives the same bytes with the same pyarrow.

The footer names the version of the library, as the format requires; it has no time or path.
"""

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints, is_typeddict

from annotation.domain.releases.instances import PlusInstance, RatedPair
from annotation.domain.releases.splitting import Split
from annotation.exporters.canonical import FIELDS, fields_of, record
from annotation.exporters.files import split_paths

KINDS = get_type_hints(RatedPair) | get_type_hints(PlusInstance)  # common fields have the same type
ROWS = 2_000  # in a row group, the most that is held in memory


def write(instances: Iterable[Mapping[str, Any]], folder: Path, _about: Mapping[str, Any]) -> list[Path]:
    """Write train.parquet, dev.parquet and test.parquet; instances may come in any order of splits."""
    import pyarrow  # takes a quarter of a second and 60 MB, so only for parquet
    from pyarrow.parquet import ParquetWriter

    stream = iter(instances)
    first = next(stream, None)
    schema = pyarrow.schema(_columns(fields_of(first) if first else FIELDS, KINDS))
    waiting: dict[str, list[dict[str, Any]]] = {str(split): [] for split in Split}
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as files:
        writers = {
            path.stem: files.enter_context(ParquetWriter(path, schema, compression="zstd", store_schema=False))
            for path in split_paths(folder, "parquet")
        }
        for instance in chain([first] if first else [], stream):
            rows = waiting[instance["split"]]
            rows.append(record(instance))
            if len(rows) == ROWS:
                _flush(rows, writers[instance["split"]])
        for split, rows in waiting.items():
            _flush(rows, writers[split])
    return split_paths(folder, "parquet")


def _columns(names: Iterable[str], kinds: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return [(name, _column(kinds[name])) for name in names]


def _column(kind: Any) -> Any:
    import pyarrow

    if get_origin(kind) is list:
        [kind_of_each] = get_args(kind)
        return pyarrow.list_(_column(kind_of_each))
    if is_typeddict(kind):
        kinds = get_type_hints(kind)
        return pyarrow.struct(_columns(kinds, kinds))
    [plain] = set(get_args(kind) or [kind]) - {NoneType}  # every column may hold nulls
    return {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64(), bool: pyarrow.bool_()}[plain]


def _flush(rows: list[dict[str, Any]], writer: Any) -> None:
    import pyarrow

    if rows:
        writer.write_table(pyarrow.Table.from_pylist(rows, schema=writer.schema))
        rows.clear()
