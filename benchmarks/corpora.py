"""Cost of making dialogues of raw logs, of storing dialogues at the size of the Ubuntu corpus, and of its pages.

python -m benchmarks.corpora [DIALOGUES]    930000 unless given

Extraction runs in one process over 200,000 and 2,000,000 lines: its memory is to be the same. Dialogues are then read
and stored, on SQLite and, where it runs, on PostgreSQL, and each page of their corpus is asked for, beside an empty
page of Django; each database is new. All material is made up from a seed.
"""

import sys

from benchmarks import runs
from benchmarks.parts import HEAD

DIALOGUES = "930000"


def main(dialogues: str = DIALOGUES) -> None:
    print(f"{'lines of logs':>28} {'':22}{HEAD}", flush=True)
    for lines in ("200000", "2000000"):
        runs.run("benchmarks.corpora_once", "extract", lines, on="SQLite")
    for kind in runs.kinds():
        print(f"{kind + ': dialogues':>28} {'':22}{HEAD}", flush=True)
        runs.run("benchmarks.corpora_once", "store", dialogues, on=kind)


if __name__ == "__main__":
    main(*sys.argv[1:])
