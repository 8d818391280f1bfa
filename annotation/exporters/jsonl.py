"""JSON, one instance a line."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from annotation.exporters.canonical import line
from annotation.exporters.files import split_files, split_paths


def write(instances: Iterable[Mapping[str, Any]], folder: Path, _about: Mapping[str, Any]) -> list[Path]:
    """train.jsonl, dev.jsonl and test.jsonl in their canonical bytes; instances may come in any order of splits."""
    with split_files(folder, "jsonl") as files:
        for instance in instances:
            files[instance["split"]].write(line(instance))
    return split_paths(folder, "jsonl")
