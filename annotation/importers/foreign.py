"""Files of other kinds, known by their first bytes, and the refusals that name them."""

import re
import zipfile
from typing import BinaryIO

from annotation.importers.reasons import RowRefused

ARCHIVES = {
    b"PK\x03\x04": "zip",
    b"PK\x05\x06": "zip",
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"Rar!\x1a": "rar",
    b"\x28\xb5\x2f\xfd": "zstd",
}
OLE = b"\xd0\xcf\x11\xe0"  # documents of Office 97, and newer ones behind a password
DOCUMENTS = {
    b"%PDF-": "PDF",
    b"\x89PNG": "PNG",
    b"\xff\xd8\xff": "JPEG",
    b"GIF8": "GIF",
    b"{\\rtf": "RTF",
    b"PAR1": "Parquet",
    b"SQLite format 3\x00": "SQLite",
    OLE: "Office 97 (.xls, .doc)",
}
MARKUP = re.compile(rb"\s*<(?:!doctype\s+)?(html|\?xml)", re.IGNORECASE)
WORKBOOK = re.compile(rb"xl/workbook|mimetypeapplication/vnd\.oasis\.opendocument\.spreadsheet")
# The parts that a workbook of Excel begins with.
OFFICE = re.compile(rb"PK\x03\x04.{26}(?:\[Content_Types\]\.xml|_rels/|docProps/|xl/)", re.DOTALL)
END = 64 * 1024  # a zip file's list of members is at its end


def refuse_foreign(file: BinaryIO, head: bytes) -> None:
    """Raise RowRefused where the first bytes of a seekable file show that it is not text.

    A text file may have a stray NUL (that is a bad row); if one byte in ten is NUL, it is not text.
    """
    if kind := _by_signature(head, ARCHIVES):
        raise RowRefused("workbook") if kind == "zip" and is_workbook(file, head) else RowRefused("archive", kind=kind)
    if head[257:262] == b"ustar":
        raise RowRefused("archive", kind="tar")
    if kind := _by_signature(head, DOCUMENTS):
        raise RowRefused("foreign", kind=kind)
    if markup := MARKUP.match(head):
        raise RowRefused("foreign", kind="HTML" if markup[1].lower() == b"html" else "XML")
    if head.count(b"\0") * 10 > len(head):
        raise RowRefused("binary")


def _by_signature(head: bytes, kinds: dict[bytes, str]) -> str | None:
    return next((kind for signature, kind in kinds.items() if head.startswith(signature)), None)


def is_workbook(file: BinaryIO, head: bytes) -> bool:
    """Return whether a seekable file with these first bytes is a workbook, or the beginning of one."""
    if _by_signature(head, ARCHIVES) != "zip":
        return False
    file.seek(max(0, file.seek(0, 2) - END))
    if WORKBOOK.search(head) or WORKBOOK.search(file.read()):
        return True
    return bool(OFFICE.match(head)) and not zipfile.is_zipfile(file)  # its list of members is cut off
