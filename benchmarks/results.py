"""How long the results of a study take: warm, at first, as a picture, as a job, and as a report.

python -m benchmarks.results [--rounds 5]

153 people with 32 questions each, and 5,000 with 40, two models on all of them. On SQLite and, where it runs, on
PostgreSQL, each on its own new database, through the whole middleware in one process. Each round forgets what was
computed before. Printed are the median and the slowest of the rounds, beside what is wanted, and beside a reference of
the same round: of a page an empty Django page, of figures as many draws of people and questions for R@1 of all answers
alone, one by one. What draws is loaded before, as in a server.
"""

import argparse

from benchmarks import runs

HEAD = f"{'':34}{'p50 ms':>10}{'worst':>10}{'wanted':>10}   {'reference':24}{'p50 ms':>10}{'x':>9}"


def main() -> None:
    reading = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reading.add_argument("--rounds", type=int, default=5)
    asked = reading.parse_args()
    for kind in runs.kinds():
        print(f"\n{kind}, {asked.rounds} rounds\n{HEAD}", flush=True)
        runs.run("benchmarks.results_once", str(asked.rounds), on=kind)


if __name__ == "__main__":
    main()
