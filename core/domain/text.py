"""Normal forms of text: to store, to hash and to compare; Chinese without artificial spaces; times in files."""

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime
from string import ascii_uppercase
from typing import NamedTuple

# Overrides and isolates (U+202A-202E, U+2066-2069) can show an annotator other words than those stored, and an unclosed
# one reverses the page around it. The plain marks U+200E and U+200F do neither and stay. U+FEFF is a byte order mark.
_UNWANTED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")

_CJK = (
    "\u3005\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U000323af"  # Han beyond the basic plane
)
_WIDE_MARKS = "\u3001-\u3003\u3008-\u3020\u3030\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
_LATIN = rf"[^\W{_CJK}]"  # letters and digits of scripts written with spaces

_LABEL = re.compile(r"^(\w+(?: ?; ?\w+)*) ?:\s+")  # of a speaker, as in MuTual's "m : yes ." and "F: Yes."
_SPACED = re.compile(rf"(?<=[{_CJK}]) +(?=[{_CJK}])")
_ADJACENT = re.compile(rf"(?<=[{_CJK}])(?=[{_CJK}])")
_ARTIFICIAL = re.compile(rf"(?<!{_LATIN}) (?!{_LATIN})|(?<=[{_WIDE_MARKS}]) | (?=[{_WIDE_MARKS}])")


def normalise(text: str) -> str:
    r"""Return the form in which every text is stored: NFC, lines ended by ``\n``, no outer white space.

    Removed: NUL, lone surrogates, C0 and C1 controls except newline and tab, bidirectional overrides and isolates, byte
    order marks. A text without one visible character (only zero-width spaces, for example) becomes empty.
    ``normalise(normalise(text)) == normalise(text)``.
    """
    if text.isprintable():
        if text.isascii():
            return text.strip()
    else:
        text = _UNWANTED.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
        if not any(character.isprintable() and not character.isspace() for character in text):
            return ""
    return unicodedata.normalize("NFC", text).strip()


def one_line(text: str) -> str:
    """Return the stored form of a title, name or note: normalised, its line breaks and tabs turned into spaces."""
    return re.sub("[\n\t\u2028\u2029]+", " ", normalise(text)).strip()


def digest(*parts: str) -> str:
    """Return the SHA-256 (64 hexadecimal digits) of the normalised parts.

    Each part is ended by a NUL, which no normalised text contains.
    """
    return digest_of_normalised(*map(normalise, parts))


def digest_of_normalised(*parts: str) -> str:
    """Return the `digest` of parts that are normalised already."""
    return hashlib.sha256("\0".join((*parts, "")).encode()).hexdigest()


class _PunctuationFolding(dict[int, int | None]):
    """Table for ``str.translate`` that drops punctuation, space and invisible characters; filled on first use."""

    def __missing__(self, codepoint: int) -> int | None:
        category = unicodedata.category(chr(codepoint))
        self[codepoint] = None if category[0] in "PZ" or category in {"Cc", "Cf"} else codepoint
        return self[codepoint]


_FOLDING = _PunctuationFolding()


def fold(text: str) -> str:
    """Return a key to compare texts by: case, width (NFKC), punctuation and space folded away.

    Symbols stay (1+1 is not 11). A text of punctuation alone keeps it, or all such texts would be equal.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return unicodedata.normalize("NFKC", folded.translate(_FOLDING)) or "".join(folded.split())


def fold_name(name: str) -> str:
    """Return a key to compare names by: case, width (NFKC) and the number of blanks folded away."""
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).split())


def has_invisible(name: str) -> bool:
    """Tell whether a name has a line break, control, zero-width or bidirectional character."""
    return any(unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"} for character in name)


class CandidateTexts(NamedTuple):
    """Texts of the candidates without labels, and the speaker that all labels name; "" where they name none."""

    speaker: str
    texts: tuple[str, ...]


def candidate_texts(candidates: Sequence[str]) -> CandidateTexts:
    """Return the candidates as people read and models score them: without a speaker's label, if each has one.

    The turns of a context have none either: there the speaker is a field of its own.
    """
    labels = [_LABEL.match(candidate) for candidate in candidates]
    speakers = {label[1].casefold() for label in labels if label}
    if not all(labels):
        return CandidateTexts("", tuple(candidates))
    texts = tuple(_LABEL.sub("", candidate, count=1) for candidate in candidates)
    return CandidateTexts(speakers.pop() if len(speakers) == 1 else "", texts)


def is_spaced_chinese(text: str) -> bool:
    """Return whether a Chinese text (one text, or many joined by newlines) has spaces between characters or words.

    True from two spaced pairs of neighbouring CJK characters on, where these are at least two fifths of all such pairs.
    Word segmentation gives about half (words of one or two characters), spaces between clauses less than a third.
    """
    spaced = len(_SPACED.findall(text))
    return spaced >= 2 and 3 * spaced >= 2 * len(_ADJACENT.findall(text))


def join_chinese(text: str) -> str:
    """Return the text without the spaces that a segmenter put between Chinese characters or words.

    Where every second character is a space, letters and digits were separated too, and the text between is the
    original: ``join_chinese(" ".join(text)) == text``. Else one space stays beside words of other scripts and numbers
    (``我 用 iPhone 拍 的`` becomes ``我用 iPhone 拍的``), except next to full-width punctuation.
    """
    if not text[1::2].strip(" "):
        return text[::2]
    return _ARTIFICIAL.sub("", re.sub(" {2,}", " ", text))


def join_spaced_chinese(text: str) -> str:
    """Apply ``join_chinese`` to a spaced-out text; ordinary Chinese with a deliberate space stays as it is."""
    return join_chinese(text) if " " in text and is_spaced_chinese(text) else text


def timestamp(moment: datetime, timespec: str = "seconds") -> str:
    """Format a time of UTC, as files and reports have it, to the second or finer: ``2026-01-31T09:30:00Z``."""
    return moment.isoformat(timespec=timespec).replace("+00:00", "Z")


def letter_of(position: int) -> str:
    """Return the label of the candidate at this position, from 0: A to Z, and numbers from the 27th on."""
    return ascii_uppercase[position] if position < len(ascii_uppercase) else str(position + 1)
