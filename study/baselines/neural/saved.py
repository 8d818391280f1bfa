"""What a checkpoint tells without its tensors, so that a page can say where a training would go on."""

import json
from pathlib import Path

import numpy as np

from study.baselines.pretrained.weights import LENGTH_FIRST, MOST_OF_HEADER

CHECKPOINT = "checkpoint.safetensors"


def saved_step(folder: Path) -> int | None:
    """Return the update after which the folder's checkpoint was written; None where none can be read."""
    try:
        content = np.memmap(folder / CHECKPOINT, mode="r")  # of which only the header is read
        length = int.from_bytes(content[:LENGTH_FIRST].tobytes(), "little")
        header = json.loads(content[LENGTH_FIRST : LENGTH_FIRST + min(length, MOST_OF_HEADER)].tobytes())
        return int(json.loads(header["__metadata__"]["told"])["course"]["step"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
