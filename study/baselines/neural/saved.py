"""What a checkpoint tells without its tensors, so that a page can say where a training would go on."""

import json
from pathlib import Path

from study.baselines.pretrained.weights import header_of

CHECKPOINT = "checkpoint.safetensors"


def saved_step(folder: Path) -> int | None:
    """Return the update after which the folder's checkpoint was written; None where none can be read."""
    try:
        header, _start = header_of(folder / CHECKPOINT)
        return int(json.loads(header["__metadata__"]["told"])["course"]["step"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
