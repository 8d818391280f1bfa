"""What it costs to bring in a file of pairs as large as the study's, with few and with many pairs stored already.

python -m benchmarks.importing [STORED ...]    0 1000000 unless given

Seconds, of these the ones in which the process here was busy and not the database's, rows a second, and megabytes by
which it grew, on SQLite and, where it answers, on PostgreSQL. Each number of stored pairs is a process and a database
of its own. The reference is the same rows, ready in memory, handed to the database by COPY or executemany and nothing
else.
"""

import sys

from benchmarks import runs
from benchmarks.parts import HEAD

STORED = ("0", "1000000")


def main(stored: list[str]) -> None:
    for kind in runs.kinds():
        print(f"{kind + ': stored before':>28} {'':22}{HEAD}", flush=True)
        for number in stored:
            runs.run("benchmarks.importing_once", number, on=kind)


if __name__ == "__main__":
    main(sys.argv[1:] or list(STORED))
