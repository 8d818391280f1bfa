"""Cost of all figures of agreement at the size of the 5-grade study, with 1,000 bootstrap draws.

python -m benchmarks.agreement [PAIRS]    105825 unless given

Seconds on SQLite and, where it runs, on PostgreSQL, each on its own database: reading the grades; every figure before
and after the filter, in all, of each two raters and of each rater; figures by part with the pairs to discuss. The
reference, in the same run on the same grades, draws the pairs one by one and counts each draw again: three kappas by
scikit-learn and the share of equal grades; ten draws are timed and scaled to 1,000.
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
