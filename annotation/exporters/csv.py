"""A release as comma-separated values, safe to open in a spreadsheet."""

from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from annotation.exporters.canonical import FIELDS, fields_of, record
from annotation.exporters.files import split_files, split_paths
from core.exporters.csv import row


def write(instances: Iterable[Mapping[str, Any]], folder: Path, _about: Mapping[str, Any]) -> list[Path]:
    """Write train.csv, dev.csv and test.csv; instances may come in any order of splits."""
    stream = iter(instances)
    first = next(stream, None)
    with split_files(folder, "csv") as files:
        for file in files.values():
            file.write(row(fields_of(first) if first else FIELDS))
        for instance in chain([first] if first else [], stream):
            files[instance["split"]].write(row(record(instance).values()))
    return split_paths(folder, "csv")
