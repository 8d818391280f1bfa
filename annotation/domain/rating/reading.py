"""How long a text takes to read."""

from dataclasses import dataclass

from core.domain.words import words_of

A_MINUTE = {"zh": 300, "en": 200}  # characters of Chinese, words of English


@dataclass(frozen=True)
class ReadingTime:
    """The words of a text, in Chinese its characters, and the seconds that they take to read."""

    count: int
    seconds: int


def reading_time(text: str, language: str) -> ReadingTime:
    """Return the reading time of a text in a language, zh or en."""
    count = len(words_of(text))
    return ReadingTime(count, round(60 * count / A_MINUTE[language]))
