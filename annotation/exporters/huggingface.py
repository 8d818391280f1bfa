"""A folder that ``datasets.load_dataset(folder)`` reads, with or without a network: parquet, and a card with a head."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from annotation.domain.releases.splitting import Split
from annotation.exporters import parquet

DATA = "data"
# The hub's names of sizes, by the number of instances below which each applies.
SIZES = {1_000: "n<1K", 10_000: "1K<n<10K", 100_000: "10K<n<100K", 1_000_000: "100K<n<1M", 10_000_000: "1M<n<10M"}


def write(instances: Iterable[Mapping[str, Any]], folder: Path, about: Mapping[str, Any]) -> list[Path]:
    """Write data/train.parquet and so on; their README.md begins with `head`."""
    return parquet.write(instances, folder / DATA, about)


def head(about: Mapping[str, Any]) -> str:
    """Return YAML that names each split's file for the library, and describes the dataset for the hub.

    Empty splits are left out, because the library treats a split without rows as broken.
    """
    splits = [split for split in Split if about["counts"]["splits"][split]]
    instances = about["counts"]["instances"]
    size = next((name for end, name in SIZES.items() if instances < end), "n>10M")
    licence = about["source_licence"]
    return "\n".join(
        [
            "---",
            f"pretty_name: {_quoted(about['title'])}",
            f"license: {'other' if licence else 'unknown'}",
            *([f"license_details: {_quoted(licence)}"] if licence else []),
            "size_categories:",
            f"- {size}",
            "configs:",
            "- config_name: default",
            "  data_files:",
            *(f"  - split: {split}\n    path: {DATA}/{split}.parquet" for split in splits),
            "---\n\n",
        ]
    )


def _quoted(text: str) -> str:
    """Quote a text for YAML, by its JSON form, which YAML accepts."""
    return json.dumps(text, ensure_ascii=False)
