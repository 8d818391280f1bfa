"""The rows that readers yield: rows to store, and rows refused with file, line and reason."""

from typing import NamedTuple

from annotation.domain.corpora.dialogue import Turn
from annotation.importers.reasons import RefusalReason

EXCERPT = 80


class RatingRow(NamedTuple):
    """One grade that a rater gave to an item elsewhere. ``kind`` is the type that explains the grade.

    A grade is not ``counted`` if it was changed later, voided, or given to a pair that is not work.
    """

    line: int
    item: str
    rater: str
    grade: int
    prompt: str = ""
    response: str = ""
    kind: str = ""
    counted: bool = True
    dialogue: str = ""


class GradeCell(NamedTuple):
    """What is in a column of grades, as written and not yet known to be one of the scale, and who gave it; or why the
    cell of either cannot be read.
    """

    grade: str | RefusalReason
    rater: str | RefusalReason


class PairRow(NamedTuple):
    """A prompt and one response. ``line`` is the physical line, from 1, in which the row starts.

    It has a cell for each column of ``grades``, empty ones too; they may not be ``counted`` where they come from.
    ``new_grades`` are those that are new beside the other
    rows and what is stored.
    """

    line: int
    prompt: str
    response: str
    external_id: str = ""
    source: str = ""
    topic: str = ""
    dialogue: str = ""
    grades: tuple[GradeCell, ...] = ()
    counted: bool = True
    new_grades: tuple[RatingRow, ...] = ()

    @property
    def graded(self) -> list[GradeCell]:
        """The cells with a grade that counts."""
        return [cell for cell in self.grades if cell.grade and self.counted]


class Recorded(NamedTuple):
    """A file that a row names: its kind (domain.transcription.recordings), name as written, digest, type, size."""

    kind: str
    name: str
    sha256: str
    media_type: str
    size: int


class ItemRow(NamedTuple):
    """A question about a dialogue: different `choices`, of which the one with the number `answer` is right.

    With `recordings` the turns and the answer are a machine's; an answer that it could not read is None.
    """

    line: int
    turns: tuple[Turn, ...]
    question: str
    choices: tuple[str, ...]
    answer: int | None
    external_id: str = ""
    source: str = ""
    topic: str = ""
    recordings: tuple[Recorded, ...] = ()
    dialogue: str = ""  # an item is a dialogue of its own


class GoldRow(NamedTuple):
    """A pair with a known grade. ``kind`` is the type that explains the grade."""

    line: int
    prompt: str
    response: str
    grade: int
    kind: str = ""
    explanation: str = ""


class BadRow(NamedTuple):
    """A refused row; with ``line`` None, the whole file was refused and nothing else is read from it.

    In a JSON array, where lines say little, ``record`` is the entry's number from 1 and ``dialogue`` its id.
    """

    file: str
    line: int | None
    reason: RefusalReason
    excerpt: str = ""
    record: int | None = None
    dialogue: str = ""


def excerpt(text: str) -> str:
    r"""At most 80 characters of a text, on one line: what cannot be printed becomes an escape (``\t``, ``\x00``)."""
    beginning = text.rstrip("\r\n")[: EXCERPT + 1]
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in beginning)
    return shown if len(shown) <= EXCERPT else shown[: EXCERPT - 1] + "…"
