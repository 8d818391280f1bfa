"""Cost of importing a file of pairs as large as the study's, with few and with many pairs already stored.

python -m benchmarks.importing [STORED ...]    0 1000000 unless given

Seconds, CPU seconds of this process (not the database's), rows a second, and growth in megabytes, on SQLite and, where
it runs, on PostgreSQL. Each number of stored pairs has its own process and database. The reference only inserts the
same rows, ready in memory, by COPY or executemany. The last two parts have the same pairs in a workbook.
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
