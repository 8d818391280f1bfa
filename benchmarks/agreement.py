"""What all figures of agreement cost at the size of the 5-grade study, with 1,000 bootstrap draws.

python -m benchmarks.agreement [PAIRS]    105825 unless given

Seconds on SQLite and, where it answers, on PostgreSQL, each on a database of its own: reading the grades; every figure
of the whole before and after the filter, of each two raters and each rater; parts of the work with the pairs worth a
talk. The reference, in the same run on the same grades, draws the pairs one by one and counts each draw anew: three
kappas by scikit-learn and the share of equal grades; ten draws are timed and reckoned up to 1,000.
"""

import os
import subprocess
import sys
import tempfile
from contextlib import nullcontext
from pathlib import Path

from tests import databases, services

STUDY = "105825"


def main(pairs: str = STUDY) -> None:
    server = services.postgres_url()
    print(f"{int(pairs):,} pairs, 1,000 draws: seconds")
    print(f"{'':12}{'reading':>9}{'figures':>9}{'parts':>9}{'in all':>9}{'four figures, draw by draw':>29}", flush=True)
    for name in ("SQLite", "PostgreSQL") if server else ("SQLite",):
        with tempfile.TemporaryDirectory() as folder:
            here = databases.postgresql(server) if name == "PostgreSQL" else nullcontext(databases.sqlite(Path(folder)))
            with here as url:
                own = {"DATABASE_URL": url, "DATA_DIR": folder, "SECRET_KEY": "-"}
                own["DJANGO_SETTINGS_MODULE"] = "config.settings"
                command = [sys.executable, "-m", "benchmarks.agreement_once", name, pairs]
                subprocess.run(command, env=os.environ | own, check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
