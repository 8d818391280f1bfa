"""Checkpoints of a training: one file of tensors with what is counted beside them, never a pickle."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from study.baselines.neural.saved import CHECKPOINT as NAME

OS_ERROR = re.compile(r"os error (\d+)")

Tensors = Mapping[str, Any]


def write(folder: Path, tensors: Tensors, told: Mapping[str, Any]) -> None:
    """Replace the folder's checkpoint; one that cannot be written leaves the last. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / f"{NAME}.part"
    try:
        save_tensors(part, tensors, told)
        part.replace(folder / NAME)
    finally:
        part.unlink(missing_ok=True)


def read(folder: Path, identity: str) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Return tensors and what is told of the folder's checkpoint; None where there is none of this training."""
    path = folder / NAME
    if not path.is_file():
        return None
    try:
        with safe_open(path, framework="pt") as file:
            told = json.loads(file.metadata()["told"])
            if told["identity"] != identity:
                return None
            return {name: file.get_tensor(name) for name in file.keys()}, told  # noqa: SIM118
    except SafetensorError:  # damaged: the training begins again
        return None


def save_tensors(path: Path, tensors: Tensors, told: Mapping[str, Any]) -> None:
    """Write copies of tensors, which may share memory. Raises OSError, such as that of a full disk."""
    copies = {name: tensor.detach().cpu().clone().contiguous() for name, tensor in tensors.items()}
    try:
        save_file(copies, path, metadata={"told": json.dumps(told)})
    except SafetensorError as failed:
        if number := OS_ERROR.search(str(failed)):
            raise OSError(int(number[1]), str(failed), str(path)) from failed
        raise
