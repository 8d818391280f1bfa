"""Cost of the parts of a benchmark: seconds, CPU seconds of this process, and memory."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

HEAD = f"{'seconds':>10}{'CPU here':>10}{'rows/s':>12}{'MB grown':>10}"


class TimedPart:
    """Cost of a part of the work, from its creation to `ends`. `case` is printed before its line."""

    def __init__(self, case: str, name: str) -> None:
        self.case, self.name = case, name
        Path("/proc/self/clear_refs").write_text("5")  # reset the peak to the present memory
        self.before, self.began, self.busy_before = _megabytes("VmRSS"), time.perf_counter(), time.process_time()

    def ends(self, rows: int) -> None:
        self.seconds, self.busy = time.perf_counter() - self.began, time.process_time() - self.busy_before
        self.peak = _megabytes("VmHWM")
        _line(self.case, self.name, self.seconds, self.busy, rows, self.peak - self.before)

    @staticmethod
    def both(parts: "list[TimedPart]", rows: int) -> None:
        seconds, busy = sum(part.seconds for part in parts), sum(part.busy for part in parts)
        grown = max(part.peak for part in parts) - parts[0].before
        _line(parts[0].case, " and ".join(part.name for part in parts), seconds, busy, rows, grown)


def measure(name: str, rows: int, work: Callable[[], Any]) -> Any:
    """Return the result of the work; print its cost."""
    part = TimedPart(f"{rows:,}", name)
    result = work()
    part.ends(rows)
    return result


def _line(case: str, name: str, seconds: float, busy: float, rows: int, grown: float) -> None:
    print(f"{case:>28} {name:22}{seconds:10.2f}{busy:10.2f}{rows / seconds:12,.0f}{grown:10.0f}", flush=True)


def _megabytes(which: str) -> float:
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith(which))
