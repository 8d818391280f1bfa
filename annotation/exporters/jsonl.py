"""JSON lines: one instance or row a line."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotation.exporters.canonical import line
from annotation.exporters.files import split_files, split_paths
from core.domain.batches import batched

ROWS_AT_ONCE = 1_000


def write(instances: Iterable[Mapping[str, Any]], folder: Path, _about: Mapping[str, Any]) -> list[Path]:
    """Write train.jsonl, dev.jsonl and test.jsonl in canonical bytes; instances may come in any order of splits."""
    with split_files(folder, "jsonl") as files:
        for instance in instances:
            files[instance["split"]].write(line(instance))
    return split_paths(folder, "jsonl")


def lines(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[bytes]:
    """Yield a table as pieces of bytes for streaming: an object a row, many rows a piece."""
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    for some in batched(rows, ROWS_AT_ONCE):
        yield "".join(f"{encode(dict(zip(columns, row, strict=True)))}\n" for row in some).encode()
