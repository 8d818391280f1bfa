"""The physical lines of a file, each as text or with the reason why it cannot be read."""

from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from annotation.importers.encoding import Encoding, byte_lines
from annotation.importers.reasons import RefusalReason

BEGINNING = 1024  # bytes of an unreadable line that are kept for its excerpt


class FileLine(NamedTuple):
    r"""A physical line; ``number`` counts from 1. ``text`` is cut if there is a ``flaw``; it may end in ``\r``."""

    number: int
    text: str
    flaw: RefusalReason | None = None

    @property
    def is_blank(self) -> bool:
        """True where the line is empty; a tab separates two empty cells and is not blank."""
        return not self.text.strip(" \r\n")


def read_lines(file: BinaryIO, encoding: Encoding) -> Iterator[FileLine]:
    """Yield every line of a seekable file, in constant memory however long a line is."""
    codec = encoding.line_codec
    for number, line in enumerate(byte_lines(file, encoding), start=1):
        if len(line) > encoding.longest_line:
            too_long = RefusalReason("line_too_long", {"limit": encoding.longest_line // 1024})
            yield FileLine(number, line[:BEGINNING].decode(codec, "replace"), too_long)
            continue
        try:
            text = line.decode(codec)
        except UnicodeDecodeError:
            undecodable = RefusalReason("undecodable", {"encoding": encoding.codec.upper()})
            yield FileLine(number, line[:BEGINNING].decode(codec, "backslashreplace"), undecodable)
            continue
        yield FileLine(number, text, RefusalReason("nul") if "\0" in text else None)
