"""Recognition of a file's encoding and line ends.

A byte order mark decides. Without one, the rule is:

1. the whole file is valid UTF-8: UTF-8; every second byte of its beginning is often zero, and no other: UTF-16;
2. else each line counts. Where the lines that are not UTF-8 read as everyday Chinese in GB18030, and are at least as
   many as the valid lines beyond ASCII: GB18030 (a few of its short lines always happen to be valid UTF-8);
3. else, where at least half of all lines are valid: UTF-8, and each broken line is a bad row;
4. else the file is refused.

Into a log each program wrote in an encoding of its own, so that there each line is looked at (``line_codec``), and the
file is refused where more than one line in ten cannot be read.
"""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import BinaryIO, NamedTuple

from annotation.importers.reasons import RowRefused

CHUNK = 64 * 1024
LINE_LIMIT = 128 * 1024  # bytes: two cells of 10,000 characters fit even when JSON escapes every character
EVIDENCE = 256 * 1024  # bytes of broken lines, enough to recognise GB18030
HEAD = 4096  # bytes by which UTF-16 is known

MARKS = (
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (codecs.BOM_UTF8, "utf-8"),
)
# Codecs that may be chosen by hand. In all but UTF-16 the bytes of a line end have no other meaning.
CODECS = ("utf-8", "gb18030", "big5", "shift_jis", "euc_kr", "utf-16-le", "utf-16-be", "cp1252")
ALIASES = {"gbk": "gb18030", "gb2312": "gb18030", "utf-16": "utf-16-le", "utf-8-sig": "utf-8", "iso8859-1": "cp1252"}
UTF8 = codecs.getincrementaldecoder("utf-8")
BEYOND_ASCII = re.compile(rb"[\x80-\xff]")


def _everyday_characters() -> frozenset[str]:
    """Return the 3,755 characters of GB 2312's first level, about 99 % of running text, and its punctuation."""
    rows = [0xA1, 0xA3, *range(0xB0, 0xD8)]
    return frozenset(bytes([row, cell]).decode("gb2312", "ignore") for row in rows for cell in range(0xA1, 0xFF))


EVERYDAY = _everyday_characters()
# Of running text they are more than a third; of other languages that use the bytes of GB 2312, a tenth.
COMMONEST = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都"
    "同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由"
    "问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论"
    "处走义各入几口认条平系气题活更别打女变四神总何电数安少报才结反受目太量再感建务做接必件吗吧呢啊哦请谢您哪嗯哈谁怎，。？！、：“”"
)


def _western_alone() -> re.Pattern[bytes]:
    """Return the form of a letter or mark of Windows-1252 between characters of ASCII, where most of them are."""
    marks = "‘’“”–—…•€£§°«»¿¡™®©´·".encode("cp1252")
    letters = [byte for byte in range(0x80, 0x100) if bytes([byte]).decode("cp1252", "replace").isalpha()]
    return re.compile(rb"(?<![\x80-\xff])[" + bytes([*letters, *marks]) + rb"](?![\x80-\xff])")


WESTERN_ALONE = _western_alone()


@dataclass(frozen=True, slots=True)
class Encoding:
    """An encoding: ``codec`` by Python's name, bytes in the byte order ``mark``, the byte that ends a line.

    Lines are read up to ``longest_line`` bytes.
    """

    codec: str
    mark: int = 0
    newline: bytes = b"\n"
    longest_line: int = LINE_LIMIT

    @property
    def line_codec(self) -> str:
        """The codec of the lines that ``byte_lines`` yields."""
        return "utf-8" if self.codec.startswith("utf-16") else self.codec


class _LineCounts(NamedTuple):
    """How many lines are ASCII, valid UTF-8 beyond ASCII, and neither (broken), with some of the broken ones."""

    ascii: int
    valid: int
    broken: int
    evidence: bytes

    @property
    def is_chinese(self) -> bool:
        return self.broken >= self.valid and is_everyday_chinese(self.evidence)


def tells_encoding(head: bytes) -> bool:
    """Return whether a file with these first bytes has a byte order mark, or is UTF-16 without one."""
    return _codec_of(head) != (b"", "utf-8")


def head_text(head: bytes) -> str:
    """Return the first bytes of a file as text; what is neither UTF-16 nor UTF-8 is replaced."""
    mark, codec = _codec_of(head)
    return head[len(mark) :].decode(codec, "replace")


def recognise_encoding(file: BinaryIO) -> Encoding:
    """Return the encoding of a seekable file, read once (twice if not valid UTF-8). Raises RowRefused."""
    encoding, is_known = _surveyed(file)
    return encoding if is_known else _by_majority(file, encoding)


def recognise_log(file: BinaryIO) -> Encoding:
    """Return the encoding of most lines of a seekable log. Raises RowRefused."""
    encoding, is_known = _surveyed(file)
    if is_known:
        return encoding
    if _counted(file, encoding).is_chinese:
        encoding = replace(encoding, codec="gb18030")
    lines = unknown = 0
    for line in byte_lines(file, encoding):
        lines += 1
        unknown += not line_codec(line, encoding.codec)
    if 10 * unknown > lines:
        raise RowRefused("encoding")
    return encoding


def line_codec(line: bytes, usual: str) -> str:
    """Return the codec of a line of a log most of which is in the `usual` one; "" where it cannot be known."""
    if usual == "gb18030" and is_everyday_chinese(line):  # two of its bytes may happen to be valid UTF-8
        return usual
    if _decodes(UTF8(), line, final=True):
        return "utf-8"
    if is_everyday_chinese(line) or (usual == "gb18030" and "\ufffd" not in line.decode(usual, "replace")):
        return "gb18030"
    return "cp1252" if _is_western(line) else ""


def _surveyed(file: BinaryIO) -> tuple[Encoding, bool]:
    """Return UTF-16 or UTF-8 with the file's mark and line ends, and whether that is its encoding for sure."""
    file.seek(0)
    head = file.read(HEAD)
    if head.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):  # the first one begins like the mark of UTF-16
        raise RowRefused("encoding")
    mark, codec = _codec_of(head)
    newline, is_utf8 = _survey(_chunks(file, codec, len(mark)))
    return Encoding(codec, len(mark), newline), is_utf8 or tells_encoding(head)


def _codec_of(head: bytes) -> tuple[bytes, str]:
    """Return the byte order mark of a file's first bytes and its codec; UTF-8 where they do not tell it."""
    marked = next(((mark, codec) for mark, codec in MARKS if head.startswith(mark)), None)
    return marked or (b"", _utf_16_by_zeros(head) or "utf-8")


def _utf_16_by_zeros(head: bytes) -> str:
    """Return the codec of UTF-16 without a mark; empty where it is not that.

    Each character of ASCII has a zero byte in the second place, or in the first: two in five of these, or one in ten of
    a text that is no UTF-8, in which a few zeros are a mistake.
    """
    first, second = head[::2].count(0), head[1::2].count(0)
    zeros, others = max(first, second), min(first, second)
    enough = 5 if _decodes(UTF8(), head) else 20
    if not zeros or enough * zeros < len(head) or 20 * others > zeros:
        return ""
    return "utf-16-le" if second > first else "utf-16-be"


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
    """Yield the lines without their ends, in ``encoding.line_codec``; longer ones cut after ``longest_line``."""
    rest = b""
    for chunk in _chunks(file, encoding.codec, encoding.mark):
        *lines, rest = (rest + chunk).split(encoding.newline)
        yield from lines
        rest = rest[: encoding.longest_line + 1]
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
    counts = _counted(file, encoding)
    if counts.is_chinese:
        return Encoding("gb18030", newline=encoding.newline)
    if counts.broken > counts.valid + counts.ascii:
        raise RowRefused("encoding")
    return encoding


def _counted(file: BinaryIO, encoding: Encoding) -> _LineCounts:
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
    return _LineCounts(ascii_lines, valid, broken, bytes(evidence))


def is_everyday_chinese(text: bytes) -> bool:
    """Return whether bytes read as GB18030 give common Chinese characters.

    At least seven in ten characters beyond ASCII are everyday ones: simplified Chinese has more than nine in ten,
    traditional eight; UTF-8, Big5, Shift JIS and Latin-1 read so have less than half. At least one in six is among the
    commonest: EUC-KR and KOI8-R, which use the same bytes, have fewer.
    """
    characters = [c for c in text.decode("gb18030", "replace") if not c.isascii()]
    everyday = sum(c in EVERYDAY for c in characters)
    commonest = sum(c in COMMONEST for c in characters)
    return everyday > 0 and 10 * everyday >= 7 * len(characters) and 6 * commonest >= len(characters)


def _is_western(text: bytes) -> bool:
    """Return whether bytes read as Windows-1252: at least seven in ten beyond ASCII are letters or marks, and alone.

    Letters with accents are rare and seldom side by side; of Cyrillic, Greek or Japanese each letter is beyond ASCII.
    """
    return 10 * len(WESTERN_ALONE.findall(text)) >= 7 * len(BEYOND_ASCII.findall(text))
