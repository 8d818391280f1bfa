"""Cost of looking at figures: pages, tables and API answers, at first and later.

python -m benchmarks.looking [--beside CHECKOUT] [--pairs 105825] [--studies 153x32 5000x40]

Through the whole middleware in one process, for each address: status, CPU milliseconds and statements of the first
look; CPU and memory of the job that it asks for, done in the same process; the same of a later look, with the kilobytes
of its answer. On SQLite and, where it runs, on PostgreSQL, each on its own new database. With another checkout, such as
an older version, its figures are looked at too, on the same rows: the last line of each table says whether commands of
both print the same.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks import runs

ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # as the worker runs jobs
HERE = Path(__file__).resolve().parent.parent
HEAD = " " * 54 + "first  ms CPU  SQL  job: ms, memory  later  ms CPU  SQL     kB"


def main() -> None:
    reading = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reading.add_argument("--beside", type=Path, help="another checkout of Colloquy")
    reading.add_argument("--pairs", default="105825")
    reading.add_argument("--studies", nargs="*", default=["153x32", "5000x40"], metavar="PEOPLExQUESTIONS")
    asked = reading.parse_args()
    for kind in runs.kinds():
        for checkout in filter(None, (asked.beside, HERE)):
            print(f"\n{kind}, {'this checkout' if checkout == HERE else checkout}\n{HEAD}", flush=True)
            with tempfile.TemporaryDirectory() as folder, runs.new_database(kind, Path(folder)) as url:
                command = [sys.executable, str(HERE / "benchmarks/looking_once.py"), asked.pairs, *asked.studies]
                own = {"DATABASE_URL": url, "DATA_DIR": folder, "SECRET_KEY": "-", "PYTHONPATH": str(checkout)}
                own |= {"DJANGO_SETTINGS_MODULE": "config.settings", **ONE_THREAD}
                subprocess.run(command, env=os.environ | own, cwd=checkout, check=True)


if __name__ == "__main__":
    main()
