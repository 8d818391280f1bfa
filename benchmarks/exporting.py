"""Cost of freezing a release of the study's size, of writing it in every format, and of exporting all grades.

python -m benchmarks.exporting [PAIRS]    105825 unless given

Seconds, CPU seconds of this process (not the database's), rows a second, and growth in megabytes, on SQLite and, where
it runs, on PostgreSQL. The reference is the query of all grades alone, in the same run: COPY on PostgreSQL, a cursor
and a plain writer on SQLite.
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
