"""What it costs to bring in exam items as many as MuTual's authors were given, and to freeze, audit and export what is
accepted of them.

python -m benchmarks.instances [QUESTIONS ACCEPTED]    10197 8860 unless given

Seconds, of these the ones in which the process here was busy, rows a second, and megabytes by which it grew, on SQLite
and, where it answers, on PostgreSQL. The references: the same items, ready in memory, handed to the database and no
more; the same instances written by json.dumps and no more.
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
