"""Search in the texts of dialogues: all words must occur, whatever their case and width."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from json import dumps

MOST_WORDS = 10


def folded(text: str) -> str:
    """Return the text to look in: case and width (NFKC) folded away."""
    return text.casefold() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()


def words_in(query: str) -> tuple[str, ...]:
    """Return the folded words of what a person typed, without repetitions; the first `MOST_WORDS` of them."""
    return tuple(dict.fromkeys(folded(query).split()))[:MOST_WORDS]


def as_in_json(words: Iterable[str]) -> list[str]:
    """Return the words as they stand in a JSON text: a quote or a backslash is escaped there."""
    return [dumps(word, ensure_ascii=False)[1:-1] for word in words]


def occur_in(words: Iterable[str], text: str) -> bool:
    """Tell whether all words occur in a folded text, each as a word or within one."""
    return all(word in text for word in words)


def marked(text: str, words: Sequence[str]) -> list[tuple[str, bool]]:
    """Return the text in pieces, each with whether it is one of the words."""
    if not words:
        return [(text, False)]
    pieces = re.split(f"({'|'.join(map(re.escape, sorted(words, key=len, reverse=True)))})", text, flags=re.IGNORECASE)
    return [(piece, bool(number % 2)) for number, piece in enumerate(pieces) if piece]


def excerpt(texts: Sequence[str], words: Sequence[str], size: int) -> str:
    """Return about `size` characters of the texts: around the first of the words, or from the beginning."""
    for text in texts:
        pieces = marked(text, words)
        if words and any(is_word for _piece, is_word in pieces):
            begin = max(0, len(pieces[0][0]) - size // 3) if not pieces[0][1] else 0
            return ("…" if begin else "") + _cut(text[begin:], size)
    return _cut(texts[0], size) if texts else ""


def _cut(text: str, size: int) -> str:
    line = " ".join(text[: size + 1].split())
    return line if len(text) <= size else line[: size - 1] + "…"
