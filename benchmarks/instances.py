"""Cost of importing as many exam items as MuTual's authors had, and of freezing, auditing and exporting them.

python -m benchmarks.instances [QUESTIONS ACCEPTED]    10197 8860 unless given

Seconds, CPU seconds of this process, rows a second, and growth in megabytes, on SQLite and, where it runs, on
PostgreSQL. The references: the same items, ready in memory, only inserted; the same instances, only written by
json.dumps.
"""

import sys

from benchmarks import runs
from benchmarks.parts import HEAD

STUDY = ("10197", "8860")


def main(counts: list[str]) -> None:
    for kind in runs.kinds():
        print(f"{kind:>28} {'':22}{HEAD}", flush=True)
        runs.run("benchmarks.instances_once", *counts, on=kind)


if __name__ == "__main__":
    main(sys.argv[1:] or list(STUDY))
