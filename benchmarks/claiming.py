"""Cost of grading a pair and claiming the next, and the rate of 16 and 32 annotators who never pause.

python -m benchmarks.claiming [PAIRS ...]    1000 10000 100000 1000000 unless given

Milliseconds of a grade that brings the next pair, on SQLite and, where it runs, on PostgreSQL; each number of stored
pairs in its own process and database. The reference is the same work by the same person, afterwards, with the cursor
reset each time: the search is then a plain "first open pair without an assignment of mine".
"""

import sys

from benchmarks import runs

RATERS = ("16", "32")
PAIRS = ("1000", "10000", "100000", "1000000")


def main(pairs: list[str]) -> None:
    for kind in runs.kinds():
        print(f"{kind + ': pairs':>17} {'':34}{'grade and next, ms':>20}{'without cursor':>20}")
        print(f"{'':52}{'median':>10}{'p95':>10}{'median':>10}{'p95':>10}", flush=True)
        for part in (*(("cases", number) for number in pairs), *(("together", number) for number in RATERS)):
            runs.run("benchmarks.claiming_once", *part, on=kind)


if __name__ == "__main__":
    main(sys.argv[1:] or list(PAIRS))
