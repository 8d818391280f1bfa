"""Whether the machines on which models train have a GPU: each trainer says so with its signs of life."""

from ctypes import CDLL
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from core.domain.health import is_silent
from core.models import last_times

GPU, TRAINER = "gpu", "trainer"  # names of the signs of life


@cache
def may_have_gpu() -> bool:
    """Tell whether torch may find a GPU on this machine, without loading torch, which takes seconds and memory.

    False is certain: torch is built without, or nothing here drives one.
    """
    if find_spec("torch") is None or version("torch").endswith("+cpu"):
        return False
    try:
        CDLL("libcuda.so.1")  # NVIDIA's, which torch opens by this name
    except OSError:
        return Path("/dev/kfd").exists()  # AMD's
    return True


def has_gpu_to_train_on() -> bool:
    """Tell whether a trainer that is alive may have a GPU; where none is alive, the one that comes may."""
    alive, with_gpu = (last_times.seconds_since(what) for what in (TRAINER, GPU))
    return is_silent(alive) or not is_silent(with_gpu)
