"""Time since the machine was started, which setting its clock does not change."""

import time
from functools import cache
from pathlib import Path

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")  # of Linux; all processes of a machine read the same


def uptime() -> float:
    """Return the seconds since the machine was started, those in which it slept included."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


@cache
def boot() -> str:
    """Return the name of the machine's start; "" where the system does not tell it."""
    return BOOT_ID.read_text(encoding="ascii").strip() if BOOT_ID.exists() else ""
