"""report on the command line: a folder, twice the same, and why there is none."""

from hashlib import sha256
from pathlib import Path

import pytest

from study.models import Study
from tests.study import study_cases
from tests.study.report_cases import reported_study

pytestmark = [pytest.mark.django_db, pytest.mark.every_database]


@pytest.fixture
def study(researcher) -> Study:
    return reported_study(researcher)


def bytes_in(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest() for path in files}


def test_twice_gives_equal_checksums_and_bytes(shell, study, tmp_path):
    first, second = (shell("report", "summer", "--out", str(tmp_path / name), "--json").json for name in "ab")
    assert first["checksum"] == second["checksum"]
    assert (first["report"], len(first["files"])) == (1, len(second["files"]))
    assert bytes_in(tmp_path / "a") == bytes_in(tmp_path / "b")
    assert {"index.html", "manifest.json", "figures/people-models.pdf", "tables/people-and-models.tex"} <= bytes_in(
        tmp_path / "a"
    ).keys()


def test_an_open_study_is_refused_with_what_to_do(shell, researcher, tmp_path):
    study_cases.study("lines", by=researcher)
    printed = shell("report", "lines", "--out", str(tmp_path / "none"), "--json")
    assert (printed.code, printed.json["code"]) == (1, "still_open")
    assert "close it first" in printed.json["error"]
    assert not (tmp_path / "none").exists()


def test_an_unknown_study_is_wrong_usage(shell, tmp_path):
    assert shell("report", "nothing", "--out", str(tmp_path / "none")).code == 2
