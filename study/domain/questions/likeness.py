"""How like two responses are: one nearly like the true response may be true as well."""

from core.domain.words import words_of

ALIKE = 0.7  # of all words of the two, at least so many are in both


def likeness(one: str, other: str) -> float:
    """Return the share of the different words of two texts that both have, from 0 to 1 (Jaccard 1912).

    Case and punctuation do not count, and a Chinese character is a word. Two texts without words have nothing in
    common.
    """
    first, second = set(words_of(one)), set(words_of(other))
    return len(first & second) / len(first | second) if first or second else 0.0


def is_near(one: str, other: str) -> bool:
    """Tell whether two texts are nearly equal."""
    return likeness(one, other) >= ALIKE
