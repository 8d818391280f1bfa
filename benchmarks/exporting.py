"""What it costs to freeze a release of the study's size, to write it in every format, and to hand out all grades.

python -m benchmarks.exporting [PAIRS]    105825 unless given

Seconds, of these the ones in which the process here was busy and not the database's, rows a second, and megabytes by
which it grew, on SQLite and, where it answers, on PostgreSQL. The reference is the query of all grades alone, in the
same run: COPY on PostgreSQL, a cursor and a bare writer on SQLite.
"""

import sys

from benchmarks import chinese, runs
from benchmarks.parts import HEAD


def main(pairs: str) -> None:
    for kind in runs.kinds():
        print(f"{kind + ': rows':>28} {'':22}{HEAD}", flush=True)
        runs.run("benchmarks.exporting_once", pairs, on=kind)


if __name__ == "__main__":
    main(*sys.argv[1:] or [str(chinese.PAIRS)])
