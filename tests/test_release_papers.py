"""Papers of a release: one version everywhere, a licence, and a notice of every third-party file."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_changes_begin_with_what_is_unreleased_and_then_this_version():
    headings = re.findall(r"^## (.+)$", read("CHANGELOG.md"), flags=re.MULTILINE)
    assert headings[:2] == ["Unreleased", PROJECT["version"]]


def test_the_citation_names_this_version_and_licence():
    lines = read("CITATION.cff").splitlines()
    assert {f"version: {PROJECT['version']}", f"license: {PROJECT['license']}"} <= set(lines)


def test_the_licence_is_the_one_that_is_named():
    assert PROJECT["license"] == "Apache-2.0"
    assert read("LICENSE").split()[:4] == ["Apache", "License", "Version", "2.0,"]


def test_the_notice_names_every_font_and_a_licence_that_is_there():
    patterns = re.findall(r"static/\S+", read("NOTICE"))
    named = {path for pattern in patterns for path in ROOT.glob(pattern)}
    assert named == set((ROOT / "static/css/fonts").iterdir())
