"""How much slower pages answer while a network learns on the same machine.

python -m benchmarks.beside_training [--rounds 3]

The web server, worker and trainer of the Procfile, on SQLite and files. One person opens pages with a short pause
between them, first while the installation is idle, then while a dual LSTM learns, by turns: milliseconds of each page,
median of all, and the ratio of the two. The limit is 1.5.
"""

import argparse
import json
import statistics
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from benchmarks.dialogues import WORDS, ZipfWords
from benchmarks.starting_browser import ImportingBrowser
from tests import databases
from tests.live_server import LiveServer, open_house

PAGES = ("/", "/studies/", "/runs/", "/projects/rated/", "/projects/rated/import/")
TAUGHT, ASKED, LOOKS, PAUSE = 3_000, 100, 60, 0.1  # instances taught and asked; pages of each part; seconds
IN_PYTHON = "from core.models import User; from study.actions.runs import baselines; from study.models import Run; "
BEGIN = (
    "run = baselines.ask_for_run(model='dual-lstm', on='made:test', train='made:train', dev='made:dev', "
    "seed=0, by=User.objects.get(username='rui')); print(run.pk)"
)
LOOK = "print(Run.objects.get(pk={run}).job.state)"
END = "baselines.cancel(run=Run.objects.get(pk={run}), by=User.objects.get(username='rui'))"


def main(rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder, ExitStack() as ending:
        own = {"DATABASE_URL": databases.sqlite(Path(folder)), "CELERY_BROKER_URL": "filesystem://"}
        house = ending.enter_context(open_house(Path(folder), SECRET_KEY="of-a-benchmark", **own))
        browser = ImportingBrowser(house.url)
        browser.sign_in("rui", house.make_user("rui", "administrator"))
        house.manage("create_project", "rated", "--kind", "rating")
        house.manage("import_corpus", "made", str(_corpus(Path(folder))), "--format", "jsonl")
        house.start("trainer")
        print(f"{'':8}{'idle, ms':>12}{'learning, ms':>14}{'ratio':>8}")
        for _round in range(rounds):
            idle = _look(browser)
            run = _in_python(house, BEGIN)
            while _in_python(house, LOOK.format(run=run)) != "running":
                time.sleep(1)
            time.sleep(5)  # until it has read its material
            learning = _look(browser)
            assert _in_python(house, LOOK.format(run=run)) == "running", "the training was over too soon"
            _in_python(house, END.format(run=run))
            for name, before, during in (
                ("median", statistics.median(idle), statistics.median(learning)),
                ("p95", statistics.quantiles(idle, n=20)[-1], statistics.quantiles(learning, n=20)[-1]),
            ):
                print(f"{name:8}{before:12.1f}{during:14.1f}{during / before:8.2f}", flush=True)


def _look(browser: ImportingBrowser) -> list[float]:
    """Return how many milliseconds each page took."""
    times = []
    for number in range(LOOKS):
        time.sleep(PAUSE)
        began = time.perf_counter()
        browser.open(PAGES[number % len(PAGES)])
        times.append(1000 * (time.perf_counter() - began))
    return times


def _in_python(house: LiveServer, script: str) -> str:
    return house.manage("shell", "--verbosity", "0", "--command", IN_PYTHON + script).strip()


def _corpus(folder: Path) -> Path:
    """Write dialogues with four candidates each, as many as a training takes minutes for."""
    into, words = folder / "made", ZipfWords(np.random.default_rng(0))
    into.mkdir()
    for split, number in (("train", TAUGHT), ("dev", ASKED), ("test", ASKED)):
        with (into / f"{split}.jsonl").open("w", encoding="utf-8") as file:
            for at in range(number):
                turns = [{"speaker": "mf"[place % 2], "text": words(WORDS)} for place in range(5)]
                row = {"id": f"{split}_{at}", "split": split, "turns": turns, "answer": at % 4}
                row["candidates"] = [words(WORDS) for _candidate in range(4)]
                file.write(json.dumps(row) + "\n")
    return into


if __name__ == "__main__":
    reading = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reading.add_argument("--rounds", type=int, default=3)
    main(reading.parse_args().rounds)
