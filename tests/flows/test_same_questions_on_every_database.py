"""The same corpus, seed and settings give the same questions on SQLite and on PostgreSQL, to the last byte."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests import databases
from tests.corpora import dialogue, jsonl_of

ROOT = Path(__file__).resolve().parents[2]
SAID = {"candidates": ["é yes", "ß no", "字", "tea"], "answer": 2}


WAYS = [
    ("--seed", 0),
    ("--seed", 1),
    ("--pick", "similar", "--ablate", "shuffle", "first:2"),
    ("--pick", "length", "--distractors", 20),
]


def drawn_on(url: str, folder: Path) -> list[dict[str, Any]]:
    """Import a corpus whose ids databases collate differently, and draw questions from it."""
    rows = [dialogue(number, turns=3 + number % 9, id=f"{'äaÄA_-z字'[number % 8]}{number}") for number in range(90)]
    rows += [dialogue(100 + number, **SAID) for number in range(20)]
    path = jsonl_of(folder / "talk.jsonl", rows)
    environment = {
        **os.environ,
        "DATABASE_URL": url,
        "DATA_DIR": str(folder),
        "SECRET_KEY": "of this test alone",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }

    def manage(*arguments: object) -> str:
        command = [sys.executable, "manage.py", *map(str, arguments)]
        return subprocess.run(command, cwd=ROOT, env=environment, check=True, text=True, stdout=subprocess.PIPE).stdout

    manage("import_corpus", "talk", path, "--format", "jsonl")
    build = ("--from", "talk", "--count", 60, "--json")
    return [json.loads(manage("build_questions", f"set-{n}", *build, *way)) for n, way in enumerate(WAYS)]


def test_the_same_seed_is_the_same_questions_on_both_databases(postgres_url, tmp_path):
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    with databases.postgresql(postgres_url) as there:
        here = drawn_on(databases.sqlite(tmp_path / "here"), tmp_path / "here")
        assert here == drawn_on(there, tmp_path / "there")
    assert len({made["checksum"] for made in here}) == len(WAYS)
