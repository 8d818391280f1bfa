"""A folder that ``datasets.load_dataset(folder)`` reads, with or without a network: parquet, and a card with a head."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from annotation.domain.releases.splitting import Split
from annotation.exporters import parquet

DATA = "data"
# What the hub calls sizes, by the number of instances they end at.
SIZES = {1_000: "n<1K", 10_000: "1K<n<10K", 100_000: "10K<n<100K", 1_000_000: "100K<n<1M", 10_000_000: "1M<n<10M"}


def write(instances: Iterable[Mapping[str, Any]], folder: Path, about: Mapping[str, Any]) -> list[Path]:
    """data/train.parquet and so on; the README.md that goes with them begins with `head`."""
    return parquet.write(instances, folder / DATA, about)


def head(about: Mapping[str, Any]) -> str:
    """YAML that tells the library which file is which split, and the hub what the dataset is. Empty splits stay out:
    the library takes a split without rows for a broken one.
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
    """JSON's way to write a text is one of YAML's."""
    return json.dumps(text, ensure_ascii=False)
