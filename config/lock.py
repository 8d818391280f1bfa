"""A lock on DATA_DIR: two products there would hand out work, sweep jobs and count sign-ins beside each other."""

import fcntl
import os
from pathlib import Path


def hold(folder: Path) -> str:
    """Lock the folder until this process and all that it forks are gone. Return why that cannot be, or nothing."""
    file = os.open(folder / "running", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        process = os.read(file, 20).decode()
        return (
            f"Colloquy already runs on {folder}, as process {process}. End that one first (Ctrl-C, or kill {process}), "
            "or set DATA_DIR to another folder. If it was killed, what it had started ends within seconds: start again "
            "then."
        )
    os.ftruncate(file, 0)
    os.write(file, str(os.getpid()).encode())
    return ""
