"""The import of a corpus is killed at each stage: nothing is stored or all of it, and the next run stores it once."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from signal import SIGKILL
from typing import Any

import pytest

from tests import databases
from tests.live_server import ROOT

FORMATS = ("irc", "twitter", "subtitles", "ubuntu-csv")
NOTHING = {"corpora": 0, "dialogues": 0, "names": 0}
ALL = {"corpora": 1, "dialogues": 6, "names": 1}


def cases_on(url: str, folder: Path) -> Any:
    own = {"DATABASE_URL": url, "DATA_DIR": str(folder), "SECRET_KEY": "-", "PYTHONPATH": str(ROOT)}
    environment = {**os.environ, **own, "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "-m", "tests.flows.dying_imports"]
    return json.loads(subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True).stdout)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def cases(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Yield what happened in each case, on a new database of each kind."""
    folder = tmp_path_factory.mktemp("imports")
    if request.param == "sqlite":
        yield cases_on(databases.sqlite(folder), folder)
    else:
        with databases.postgresql(request.getfixturevalue("postgres_url")) as url:
            yield cases_on(url, folder)


@pytest.mark.parametrize("stage", ["reading", "read", "storing", "stored"])
@pytest.mark.parametrize("format", FORMATS)
def test_nothing_or_all_of_an_import_is_there_and_the_next_run_stores_it_once(cases, format, stage):
    case = cases[f"{format} {stage}"]
    assert case["ended"] == {"signal": SIGKILL}
    expected = ALL if stage == "stored" else NOTHING
    assert case["after"] == expected | {"events": case["before"]["events"] + (stage == "stored")}
    first, again = case["results"]
    assert first == again
    assert (first["stored"], first["refused"]) == (6, 0)
    assert case["then"] == ALL | {"events": case["before"]["events"] + 1}
