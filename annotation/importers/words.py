"""Word lists for cleaning: a text file with one word a line."""

from collections.abc import Iterator
from typing import BinaryIO

from annotation.domain.cleaning.cleaning_words import read_words
from annotation.importers.encoding import recognise_encoding
from annotation.importers.lines import read_lines
from core.domain.wording import ChoiceError, gettext_noop

MOST_BYTES = 1 << 20


def read(file: BinaryIO) -> list[str]:
    """Return the folded words of a seekable file. Raises RowRefused for the file, ChoiceError for one of its lines."""
    file.seek(MOST_BYTES)
    if file.read(1):
        raise ChoiceError(gettext_noop("The file is larger than 1 MiB. Split it into several lists."))
    return read_words(_texts(file))


def _texts(file: BinaryIO) -> Iterator[str]:
    for line in read_lines(file, recognise_encoding(file)):
        if line.flaw is not None:
            raise ChoiceError(
                gettext_noop("Line %(line)d cannot be read. Save the file as UTF-8, one word per line."),
                line=line.number,
            )
        yield line.text
