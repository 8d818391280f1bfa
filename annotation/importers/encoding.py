"""Recognition of a file's encoding and line ends.


A byte order mark decides. Without one, the rule is:

1. the whole file is valid UTF-8: UTF-8;
2. else each line counts. Where the lines that are not UTF-8 read as everyday Chinese in GB18030, and are at least as
   many as the valid lines beyond ASCII: GB18030 (a few of its short lines always happen to be valid UTF-8);
3. else, where at least half of all lines are valid: UTF-8, and each broken line is a bad row;
4. else the file is refused.
"""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from annotation.importers.reasons import RowRefused

CHUNK = 64 * 1024
LINE_LIMIT = 128 * 1024  # bytes: two cells of 10,000 characters fit even when JSON escapes every character
EVIDENCE = 256 * 1024  # bytes of broken lines, enough to recognise GB18030

MARKS = (
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (codecs.BOM_UTF8, "utf-8"),
)
# Codecs that may be chosen by hand. In all but UTF-16 the bytes of a line end have no other meaning.
CODECS = ("utf-8", "gb18030", "big5", "shift_jis", "euc_kr", "utf-16-le", "utf-16-be", "cp1252")
ALIASES = {"gbk": "gb18030", "gb2312": "gb18030", "utf-16": "utf-16-le", "utf-8-sig": "utf-8", "iso8859-1": "cp1252"}
UTF8 = codecs.getincrementaldecoder("utf-8")


def _everyday_characters() -> frozenset[str]:
    """Return the 3,755 characters of GB 2312's first level, about 99 % of running text, and its punctuation."""
    rows = [0xA1, 0xA3, *range(0xB0, 0xD8)]
    return frozenset(bytes([row, cell]).decode("gb2312", "ignore") for row in rows for cell in range(0xA1, 0xFF))


EVERYDAY = _everyday_characters()


@dataclass(frozen=True, slots=True)
class Encoding:
    """An encoding: ``codec`` by Python's name, bytes in the byte order ``mark``, the byte that ends a line."""

    codec: str
    mark: int = 0
    newline: bytes = b"\n"

    @property
    def line_codec(self) -> str:
        """The codec of the lines that ``byte_lines`` yields."""
        return "utf-8" if self.codec.startswith("utf-16") else self.codec


def has_mark(head: bytes) -> bool:
    """Return whether a file with these first bytes has a byte order mark."""
    return any(head.startswith(mark) for mark, _ in MARKS)


def recognise_encoding(file: BinaryIO) -> Encoding:
    """Return the encoding of a seekable file, read once (twice if not valid UTF-8). Raises RowRefused."""
    file.seek(0)
    head = file.read(4)
    if head in (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE):  # the first one begins like the mark of UTF-16
        raise RowRefused("encoding")
    mark, codec = next(((mark, codec) for mark, codec in MARKS if head.startswith(mark)), (b"", "utf-8"))
    newline, is_utf8 = _survey(_chunks(file, codec, len(mark)))
    encoding = Encoding(codec, len(mark), newline)
    return encoding if is_utf8 or mark else _by_majority(file, encoding)


def chosen_encoding(file: BinaryIO, codec: str) -> Encoding:
    """Return the encoding of a seekable file for which one of ``CODECS`` was chosen."""
    file.seek(0)
    head = file.read(4)
    mark = next((mark for mark, of in MARKS if of == codec and head.startswith(mark)), b"")
    newline, _ = _survey(_chunks(file, codec, len(mark)))
    return Encoding(codec, len(mark), newline)


def codec_named(name: str) -> str:
    """Return one of ``CODECS`` by any of its names, or a larger one that includes it. Raises LookupError."""
    codec = codecs.lookup(name).name
    codec = ALIASES.get(codec, codec)
    if codec not in CODECS:
        raise LookupError(name)
    return codec


def byte_lines(file: BinaryIO, encoding: Encoding) -> Iterator[bytes]:
    """Yield the lines without their ends, in ``encoding.line_codec``; longer ones cut to ``LINE_LIMIT`` + 1 bytes."""
    rest = b""
    for chunk in _chunks(file, encoding.codec, encoding.mark):
        *lines, rest = (rest + chunk).split(encoding.newline)
        yield from lines
        rest = rest[: LINE_LIMIT + 1]
    if rest:
        yield rest


def _chunks(file: BinaryIO, codec: str, mark: int) -> Iterator[bytes]:
    """Yield the bytes after the mark; UTF-16 becomes UTF-8, in which broken characters stay broken."""
    file.seek(mark)
    raw = iter(lambda: file.read(CHUNK), b"")
    if not codec.startswith("utf-16"):
        yield from raw
        return
    decoder = codecs.getincrementaldecoder(codec)("surrogatepass")
    for chunk in raw:
        yield decoder.decode(chunk).encode("utf-8", "surrogatepass")
    if decoder.getstate()[0]:
        yield b"\xff"


def _survey(chunks: Iterator[bytes]) -> tuple[bytes, bool]:
    """Return the byte that ends lines (CR only where it ends more lines than LF), and whether all is valid UTF-8."""
    decoder = UTF8()
    line_feeds = returns = 0
    is_utf8 = True
    last = b""
    for chunk in chunks:
        line_feeds += chunk.count(b"\n")
        returns += chunk.count(b"\r") - chunk.count(b"\r\n") - (last == b"\r" and chunk.startswith(b"\n"))
        last = chunk[-1:]
        is_utf8 = is_utf8 and _decodes(decoder, chunk)
    is_utf8 = is_utf8 and _decodes(decoder, b"", final=True)
    return (b"\r" if returns > line_feeds else b"\n"), is_utf8


def _decodes(decoder: codecs.IncrementalDecoder, chunk: bytes, *, final: bool = False) -> bool:
    try:
        decoder.decode(chunk, final)
    except UnicodeDecodeError:
        return False
    return True


def _by_majority(file: BinaryIO, encoding: Encoding) -> Encoding:
    ascii_lines = valid = broken = 0
    evidence = bytearray()
    for line in byte_lines(file, encoding):
        if line.isascii():
            ascii_lines += 1
        elif _decodes(UTF8(), line, final=True):
            valid += 1
        else:
            broken += 1
            if len(evidence) < EVIDENCE:
                evidence += line + b"\n"
    if broken >= valid and is_everyday_chinese(bytes(evidence)):
        return Encoding("gb18030", newline=encoding.newline)
    if broken > valid + ascii_lines:
        raise RowRefused("encoding")
    return encoding


def is_everyday_chinese(text: bytes) -> bool:
    """Return whether bytes read as GB18030 give common Chinese characters.

    At least seven in ten characters beyond ASCII are everyday ones: simplified Chinese has more than nine in ten,
    traditional eight; UTF-8, Big5, Shift JIS and Latin-1 read so have less than half. EUC-KR uses the same bytes and
    cannot be told apart: the preview shows it.
    """
    characters = [c for c in text.decode("gb18030", "replace") if not c.isascii()]
    everyday = sum(c in EVERYDAY for c in characters)
    return everyday > 0 and 10 * everyday >= 7 * len(characters)
