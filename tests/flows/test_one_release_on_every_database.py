"""The same work and seed are the same release on SQLite and on PostgreSQL, to the last byte."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import databases
from tests.rewriting import file_of, question

ROOT = Path(__file__).resolve().parents[2]
ROWS = [f"{row},第{row // 3}问？,第{row}答 é,{'tieba' if row % 2 else ''}" for row in range(600)]


def frozen_on(url: str, folder: Path, *seeds: int) -> list[dict[str, Any]]:
    """Import, rate and freeze on the database at `url`; return the releases."""
    file = folder / "pairs.csv"
    file.write_text("\n".join(["id,prompt,response,source", *ROWS]) + "\n", encoding="utf-8")
    orders = [["project", "weibo"], ["store_here", "weibo", str(file)], ["rate", "weibo"]]
    return done_on(url, folder, *orders, *(["freeze_here", "weibo", seed] for seed in seeds))[-len(seeds) :]


def rewritten_on(url: str, folder: Path, *seeds: int) -> list[dict[str, Any]]:
    """Import, write, inspect and freeze on the database at `url`; return the releases."""
    file = folder / "items.jsonl"
    questions = [
        question(row, topic="é问", choices=[f"选{each}" for each in range(3 + row % 3)], answer=0) for row in range(40)
    ]
    file.write_text(file_of(questions), encoding="utf-8")
    orders = [["project", "talk", "rewriting"], ["store_here", "talk", str(file)], ["rewrite", "talk"]]
    return done_on(url, folder, *orders, *(["freeze_here", "talk", seed] for seed in seeds))[-len(seeds) :]


def done_on(url: str, folder: Path, *orders: list[Any]) -> list[Any]:
    """Return the driver's answer to each of the orders."""
    environment = {
        **os.environ,
        "DATABASE_URL": url,
        "DATA_DIR": str(folder),
        "SECRET_KEY": "of this test alone",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    clerk = subprocess.run(
        [sys.executable, "-m", "tests.flows.driver"],
        cwd=ROOT,
        env=environment,
        check=True,
        text=True,
        input="".join(json.dumps(order) + "\n" for order in [["settle_in"], *orders]),
        stdout=subprocess.PIPE,
    )
    return [json.loads(line) for line in clerk.stdout.splitlines()]


@pytest.mark.parametrize("work_on", [frozen_on, rewritten_on])
def test_the_same_seed_is_the_same_release_on_both_databases(postgres_url, tmp_path, work_on):
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    here = databases.sqlite(tmp_path / "here")
    with databases.postgresql(postgres_url) as there:
        first, again, other = work_on(here, tmp_path / "here", 0, 0, 1)
        elsewhere, other_elsewhere = work_on(there, tmp_path / "there", 0, 1)
    assert first == again == elsewhere
    assert other == other_elsewhere
    assert first["checksum"] != other["checksum"]
    assert 0 < first["counts"]["instances"] == sum(first["counts"]["splits"].values()) < len(ROWS)
