"""Chinese characters in Latin letters, for names that people type on the command line."""

import re

HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
LATIN = re.compile("[A-Za-z]")


def has_latin_letters(text: str) -> bool:
    return bool(LATIN.search(text))


def in_latin(text: str) -> str:
    """Return the text with each Chinese character as a syllable of pinyin without tone, between spaces.

    >>> in_latin("微博 2026")
    'wei bo 2026'
    """
    if not HAN.search(text):
        return text
    from pypinyin import lazy_pinyin  # 60 MB, needed when a title or a type is named

    return " ".join(part.strip() for part in lazy_pinyin(text) if part.strip())
