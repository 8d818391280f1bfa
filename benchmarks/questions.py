"""Cost of drawing questions from a corpus of the size of Ubuntu's: seconds and memory, each in a process of its own.

python -m benchmarks.questions [DIALOGUES] [QUESTIONS]    930000 and 10000 unless given

The corpus is made up: 7.6 turns a dialogue, 10 words a turn, words by Zipf's law. Each pick draws 4 distractors for a
question, and then 99. To hold: 60 s uniform, 5 minutes similar and with 99 distractors, 2 GB. On SQLite; on the
database of DATABASE_URL where that is set.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests import databases

DIALOGUES, QUESTIONS = "930000", "10000"
CASES = [(pick, distractors) for distractors in ("4", "99") for pick in ("uniform", "similar", "length")]


def main(dialogues: str = DIALOGUES, questions: str = QUESTIONS) -> None:
    with tempfile.TemporaryDirectory() as folder:
        url = os.environ.get("DATABASE_URL") or databases.sqlite(Path(folder))
        own = {"DATABASE_URL": url, "DATA_DIR": folder, "SECRET_KEY": "-", "DJANGO_SETTINGS_MODULE": "config.settings"}
        _once(own, "store", dialogues)
        print(f"{int(questions):,} questions of {int(dialogues):,} dialogues")
        print(f"{'pick':10}{'distractors':>12}{'seconds':>10}{'CPU':>10}{'MB at the peak':>16}", flush=True)
        for pick, distractors in CASES:
            _once(own, pick, distractors, questions)


def _once(own: dict[str, str], *arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "benchmarks.questions_once", *arguments], env=os.environ | own, check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
