"""Word lists: reading them, and finding all their words in one pass over a text."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from core.domain.text import normalise
from core.domain.wording import ChoiceError, gettext_noop

MOST_WORDS = 20_000  # in one list
LONGEST_WORD = 50  # characters
# A table for `str.translate` of ASCII: letters in lower case, digits, and a blank in place of every mark.
_RUNS = "".join(chr(code).lower() if chr(code).isalnum() else " " for code in range(128))


class _LetterFolding(dict[int, int]):
    """A table for ``str.translate`` that folds case and width letter by letter, filled on first use of each letter."""

    def __missing__(self, codepoint: int) -> int:
        folded = unicodedata.normalize("NFKC", chr(codepoint)).casefold()
        self[codepoint] = ord(folded) if len(folded) == 1 else codepoint
        return self[codepoint]


_FOLDING = _LetterFolding()


def fold_letters(text: str) -> str:
    """Return the text without differences of case and width, letter by letter: its length stays the same."""
    return text.translate(_FOLDING)


def read_words(lines: Iterable[str]) -> list[str]:
    """Return the words of a list, one a line, folded, each once, in the order of the file.

    A line that begins with # is a remark. Raises ChoiceError, naming the line, for a word that is too long, too many
    words, or an empty list.
    """
    words: dict[str, None] = {}
    for number, line in enumerate(lines, start=1):
        word = fold_letters(normalise(line))
        if not word or word.startswith("#"):
            continue
        if len(word) > LONGEST_WORD:
            raise ChoiceError(
                gettext_noop(
                    "Line %(line)d has %(length)d characters; a word can have at most %(most)d. Write "
                    "one word per line."
                ),
                line=number,
                length=len(word),
                most=LONGEST_WORD,
            )
        words[word] = None
        if len(words) > MOST_WORDS:
            raise ChoiceError(
                gettext_noop(
                    "A list has at most %(most)d words; line %(line)d is over the limit. Split it into two lists."
                ),
                line=number,
                most=MOST_WORDS,
            )
    if not words:
        raise ChoiceError(gettext_noop("This list has no words. Write one word per line."))
    return list(words)


class WordLists:
    """The words of many lists, found by one pass over a text, however many they are.

    At each letter the text is looked up once for every length that words beginning with this letter have.
    """

    def __init__(self, lists: Mapping[str, Iterable[str]]) -> None:
        self._lists_of: dict[str, list[str]] = defaultdict(list)
        lengths: dict[str, set[int]] = defaultdict(set)
        for name, words in lists.items():
            for word in set(words):
                self._lists_of[word].append(name)
                lengths[word[0]].add(len(word))
        self._lengths = {letter: sorted(known, reverse=True) for letter, known in lengths.items()}
        self._runs = frozenset(max(_runs(word), key=len, default="") for word in self._lists_of if word.isascii())

    def find(self, text: str) -> Iterator[tuple[str, int, int]]:
        """Yield (list, start, end) of every word in a folded text: the longest of each list, without overlaps.

        In a script that is written with spaces a match must be a whole word: *ass* is not found in *class*.
        """
        ends: dict[str, int] = defaultdict(int)
        for start, letter in enumerate(text):
            for length in self._lengths.get(letter, ()):
                end = start + length
                for name in self._lists_of.get(text[start:end], ()):
                    if end <= len(text) and start >= ends[name] and _stands_alone(text, start, end):
                        ends[name] = end
                        yield name, start, end

    def occur_in(self, texts: Sequence[str]) -> bool:
        """Tell whether a word is found in one of these texts, as they are written.

        Most texts have none: one in ASCII that lacks the longest run of letters of every word is not searched.
        """
        together = "\n".join(texts)
        if together.isascii() and "" not in self._runs and self._runs.isdisjoint(_runs(together)):
            return False
        return any(True for text in texts for _found in self.find(fold_letters(text)))


def _runs(text: str) -> list[str]:
    """Return the runs of letters and digits of an ASCII text."""
    return text.translate(_RUNS).split()


def _stands_alone(text: str, start: int, end: int) -> bool:
    is_begun = start > 0 and _is_spaced(text[start]) and _is_spaced(text[start - 1])
    goes_on = end < len(text) and _is_spaced(text[end - 1]) and _is_spaced(text[end])
    return not is_begun and not goes_on


def _is_spaced(letter: str) -> bool:
    """Return whether it is a letter or digit of a script written with spaces: all before the CJK blocks."""
    return letter < "\u2e80" and letter.isalnum()
