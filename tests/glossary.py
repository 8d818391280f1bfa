"""Words of the glossary that texts for people do not use."""

import re

from tests.messages import ROOT


def words_ruled_out() -> list[str]:
    """Return the words of the glossary's last table, without those that are to be used."""
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    table = glossary.split("## Words that pages do not use")[1]
    return re.findall(r"^\| (?!not |---)(.+?) \|", table, re.MULTILINE)
