"""Words of the glossary that texts for people do not use."""

import re
from collections.abc import Iterable

from tests.messages import ROOT


def words_ruled_out() -> list[tuple[str, str]]:
    """Return the rows of the glossary's last table: a word, and the one to use, of which the first may be a part."""
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    table = glossary.split("## Words that pages do not use")[1]
    return re.findall(r"^\| (?!not |---)(.+?) \| (.+?) \|", table, re.MULTILINE)


def ruled_out_in(texts: Iterable[str]) -> list[tuple[str, str]]:
    """Return each word that the glossary rules out with the text that has it."""
    rows = words_ruled_out()
    return [(word, text) for text in texts for word, used in rows if word in text.replace(used, "")]
