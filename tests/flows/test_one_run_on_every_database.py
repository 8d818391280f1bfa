"""The same model, material and seed predict the same on SQLite and on PostgreSQL, from the shell and as a job."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from study.baselines.base import Requirement
from study.baselines.registry import BASELINES
from tests import databases

ROOT = Path(__file__).resolve().parents[2]


def runs_on(url: str, folder: Path) -> dict[str, Any]:
    folder.mkdir(exist_ok=True)
    environment = {
        **os.environ,
        "DATABASE_URL": url,
        "DATA_DIR": str(folder),
        "SECRET_KEY": "of this test alone",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PYTHONPATH": str(ROOT),
    }
    clerk = subprocess.run(
        [sys.executable, "-m", "tests.flows.runs_driver"],
        cwd=ROOT,
        env=environment,
        check=True,
        text=True,
        stdout=subprocess.PIPE,
    )
    return json.loads(clerk.stdout.splitlines()[-1])


def test_the_same_seed_is_the_same_run_on_both_databases(postgres_url, tmp_path):
    here = runs_on(databases.sqlite(tmp_path / "here"), tmp_path / "here")
    with databases.postgresql(postgres_url) as url:
        there = runs_on(url, tmp_path / "there")
    assert here == there
    assert here.keys() == {key for key, model in BASELINES.items() if Requirement.SERVER not in model.needs}
    for model, said in here.items():
        assert (said["state"], said["error"]) == ("done", ""), model
        assert said["progress"][0] == said["progress"][1] > 0
        assert said["job"] == said["now"], model
        assert [row[0] for row in said["now"]["predictions"]] == [f"d{number}" for number in range(7)]
