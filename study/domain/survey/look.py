"""The look and the language of a study's texts, so that its attention check is written in the same way."""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

MARK = r"[.,?!;:。，？！；：]"
SPACED, CLOSE = re.compile(rf"\w\s+{MARK}"), re.compile(rf"\w{MARK}")
FULL_STOP = re.compile(r"\s*[.。]$")
HAN, LETTER = re.compile(r"[\u3400-\u9fff]"), re.compile(r"[^\W\d_]")


class Look(NamedTuple):
    """The look of most texts: without capitals, with blanks before marks, without a full stop at the end."""

    is_lower: bool = False
    is_spaced: bool = False
    is_open: bool = False


def look_of(texts: Iterable[str]) -> Look:
    """Return how most of the texts are written; each trait is judged by the texts that can show it."""
    shown = [text.strip() for text in texts]
    return Look(
        is_lower=_most(shown, lambda text: text.lower() != text.upper(), lambda text: text == text.lower()),
        is_spaced=_most(shown, lambda text: bool(SPACED.search(text) or CLOSE.search(text)), _is_spaced),
        is_open=_most(shown, lambda text: text[-1:] not in "?!？！", lambda text: not FULL_STOP.search(text)),
    )


def _is_spaced(text: str) -> bool:
    return len(SPACED.findall(text)) > len(CLOSE.findall(text))


def _most(texts: list[str], can_show: Callable[[str], bool], shows: Callable[[str], bool]) -> bool:
    able = [text for text in texts if can_show(text)]
    return 2 * sum(map(shows, able)) > len(able)


def written_in(text: str, look: Look) -> str:
    """Return an ordinary text, with capitals and marks, as it is written in this look."""
    text = FULL_STOP.sub("", text) if look.is_open else text
    text = text.lower() if look.is_lower else text
    return re.sub(rf"(?<=\w)({MARK})", r" \1", text) if look.is_spaced else text


def language_of(texts: Iterable[str]) -> str | None:
    """Return the language of a survey's texts that most letters are of: Chinese, else English; None without letters."""
    shown = "".join(texts)
    letters, han = len(LETTER.findall(shown)), len(HAN.findall(shown))
    return ("zh-hans" if 2 * han > letters else "en") if letters else None
