"""The guides for people name only what exists, and use one word for one thing."""

import re
from pathlib import Path

import pytest
from django.core.management import get_commands

from annotation.domain.rating.rating import RatingSettings
from tests.glossary import ruled_out_in

ROOT = Path(__file__).parent.parent
GUIDES = sorted((ROOT / "docs" / "guides").glob("*.md"))
PAGES = [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))]
OURS = {name for name, app in get_commands().items() if app in ("annotation", "study", "core")}


def test_each_guide_is_there_in_both_languages() -> None:
    names = {path.name.split(".")[0] for path in GUIDES}
    assert {path.name for path in GUIDES} == {f"{name}.{language}.md" for name in names for language in ("en", "zh")}
    assert names == {"rating", "inspecting", "researching", "administering"}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_command_that_is_named_exists(path: Path) -> None:
    named = set(re.findall(r"manage\.py (\w+)", path.read_text(encoding="utf-8")))
    assert named <= OURS


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_link_leads_somewhere(path: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#:]+)(?:#([^)]+))?\)", path.read_text(encoding="utf-8")):
        found = path.parent / target
        assert found.exists(), target
        heads = re.findall(r"^#+ (.+)$", found.read_text(encoding="utf-8"), re.MULTILINE) if anchor else []
        assert not anchor or anchor in [head.lower().replace(" ", "-") for head in heads], anchor


def test_a_word_stands_in_the_glossary_once() -> None:
    rows = re.findall(r"^\| (.+?) \|", (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"), re.MULTILINE)
    words = [word for row in rows for word in row.split(", ")]
    assert sorted(set(words)) == sorted(words)


@pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.name)
def test_no_guide_has_a_word_that_the_glossary_rules_out(path: Path) -> None:
    assert ruled_out_in(path.read_text(encoding="utf-8").splitlines()) == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_setting_of_a_rating_project_stands_there_with_its_default(language: str) -> None:
    text = (ROOT / "docs" / "guides" / f"researching.{language}.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`[^|]+) \| ([^|]+) \|", text.partition("## 2.")[0], re.MULTILINE)
    told = {
        name: default
        for names, defaults in rows
        for name, default in zip(re.findall(r"`(\w+)`", names), re.split("[,、] ?", defaults), strict=True)
    }
    spelled = {True: ("on", "开"), False: ("off", "关")}
    for name, default in RatingSettings().as_mapping().items():
        allowed = spelled[default] if isinstance(default, bool) else (str(default),)
        assert told.pop(name) in allowed, name
    assert not told
