"""The 5-grade study from the first file to the last export, at its size, on made-up pairs.

python -m benchmarks.study [SQLite|PostgreSQL] [PAIRS]    SQLite and 105825 unless given

Pairs are imported, cleaned by four bots, graded by four, measured, released, written in every format, and read back
from disk by pandas, by `datasets` without a network and by pytrec_eval. The cost of each step is printed. Counts and
contents are compared throughout; the first difference ends the run.
"""

import sys
from importlib.util import find_spec

from benchmarks import chinese, runs
from benchmarks.parts import HEAD


def main(kind: str = "SQLite", pairs: str = str(chinese.PAIRS)) -> None:
    if kind not in runs.kinds():
        sys.exit(f"No {kind} answers here: name one of {', '.join(runs.kinds())}.")
    if find_spec("datasets") is None:
        sys.exit("Install what it reads with: .venv/bin/python -m pip install -r benchmarks/requirements.txt")
    print(f"{kind + ': rows':>28} {'':22}{HEAD}", flush=True)
    runs.run("benchmarks.study_once", pairs, on=kind)


if __name__ == "__main__":
    main(*sys.argv[1:])
