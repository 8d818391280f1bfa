"""The files of a folder, a .zip or a .tar.gz, or one file by itself.

Archives are not trusted: number, size, depth and names of their files are bounded; links, devices and names that lead
out of the archive refuse it whole. Its files are written under numbers, so that no name from it reaches the disk. The
folder is locked as long as its process lives: what a killed one left is removed before the next archive is unpacked.
"""

import fcntl
import os
import shutil
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from gzip import BadGzipFile, GzipFile
from lzma import LZMAError
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import IO, Any, NamedTuple

from annotation.importers.foreign import ARCHIVES, is_workbook
from annotation.importers.layout import HEAD
from annotation.importers.reasons import RowRefused

MOST_FILES = 200_000
MOST_BYTES = 1 << 30  # all files together, unpacked
DEEPEST = 12  # folders
LONGEST_NAME = 400  # with its folders
LONGEST_HEADER = 64 * 1024  # bytes in the names of one tar entry
LARGEST_DIRECTORY = 64 * 1024 * 1024  # bytes in a zip file's list of members
LONG_RECORD = 56  # bytes at the end of a zip64 file
CHUNK = 64 * 1024
PREFIX = "colloquy-unpacked-"  # of the names of folders, which no one else has: they are removed with their files
BROKEN = (
    zipfile.BadZipFile,
    tarfile.TarError,
    BadGzipFile,
    zlib.error,
    LZMAError,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
)


class Member(NamedTuple):
    """A file: its name with its folders, separated by slashes, and the path of its bytes."""

    name: str
    path: Path


@contextmanager
def unpacked(path: Path, file_name: str = "") -> Iterator[list[Member]]:
    """Yield the files, in no particular order; they exist while the block lasts. Raises RowRefused and OSError."""
    if path.is_dir():
        yield _files_of(path)
        return
    kind = kind_of(path)
    if kind not in ("zip", "gzip"):
        if kind:
            raise RowRefused("archive_kind", kind=kind)
        yield [Member(file_name or path.name, path)]
        return
    _remove_left_folders()
    with TemporaryDirectory(prefix=PREFIX) as folder, _locked(folder):
        sandbox = _Sandbox(Path(folder))
        try:
            (_unzip if kind == "zip" else _untar)(path, sandbox)
        except BROKEN as broken:
            raise RowRefused("archive_broken") from broken
        except OSError as broken:
            if broken.errno is not None:  # of the disk; what bz2 raises of its data has no number
                raise
            raise RowRefused("archive_broken") from broken
        yield sandbox.members


@contextmanager
def _locked(folder: str | Path) -> Iterator[None]:
    """Hold the lock of a folder, which ends with the process at the latest. Raises OSError where another one has it."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)


def _remove_left_folders() -> None:
    """Remove what killed processes unpacked. An empty folder stays: its process may not have locked it yet."""
    for path in Path(gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):  # in use, another user's, or removed by another process
            if path.stat().st_uid == os.geteuid() and any(path.iterdir()):
                with _locked(path):
                    shutil.rmtree(path)


def _files_of(folder: Path) -> list[Member]:
    members = []
    for start, _folders, names in os.walk(folder):
        for name in names:
            path = Path(start) / name
            if path.is_file() and not path.is_symlink():
                members.append(Member(path.relative_to(folder.parent).as_posix(), path))
                _within(len(members), MOST_FILES, "archive_files")
    return members


def kind_of(path: Path) -> str:
    """Return the kind of archive by the first bytes; empty where it is none (``foreign.ARCHIVES``).

    A workbook is none, though it is a zip file.
    """
    with path.open("rb") as file:
        head = file.read(HEAD)
        kind = next((kind for signature, kind in ARCHIVES.items() if head.startswith(signature)), "")
        return "" if is_workbook(file, head) else kind


class _Sandbox:
    """The folder into which an archive is unpacked, and the number of bytes that may still come."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.members: list[Member] = []
        self.left = MOST_BYTES

    def take(self, name: str, size: int, source: IO[bytes]) -> None:
        """Write one file; ``size`` is the archive's claim, the bytes are counted all the same."""
        _within(len(self.members) + 1, MOST_FILES, "archive_files")
        _within(size, self.left, "archive_bytes")
        path = self.folder / str(len(self.members))
        with path.open("wb") as target:
            while piece := source.read(CHUNK):
                self.left -= len(piece)
                if self.left < 0:
                    raise _too_much(MOST_BYTES, "archive_bytes")
                target.write(piece)
        self.members.append(Member(_safe(name), path))


def _unzip(path: Path, sandbox: _Sandbox) -> None:
    _look_at_the_directory(path)
    with zipfile.ZipFile(path) as archive:
        for entry in archive.infolist():
            if stat.S_ISLNK(entry.external_attr >> 16):
                raise RowRefused("archive_link", name=_shown(entry.filename))
            if entry.flag_bits & 1:
                raise RowRefused("archive_locked")
            if not entry.is_dir():
                with archive.open(entry) as source:
                    sandbox.take(entry.filename, entry.file_size, source)


def _look_at_the_directory(path: Path) -> None:
    """Refuse a zip file whose list of members is too large: zipfile reads it whole."""
    with path.open("rb") as file:
        begin = file.seek(max(0, file.seek(0, 2) - (1 << 16) - 128))
        end = file.read()
    start = end.rfind(b"PK\x05\x06")
    if start < 0:
        raise RowRefused("archive_broken")
    number, size = _number(end[start + 10 : start + 12]), _number(end[start + 12 : start + 16])
    if end[max(0, start - 20) : start].startswith(b"PK\x06\x07"):  # zip64: a long record comes before, and counts
        long = start - 20 - LONG_RECORD
        if long < 0 or not end.startswith(b"PK\x06\x06", long) or _number(end[start - 12 : start - 4]) != begin + long:
            raise RowRefused("archive_broken")
        number, size = _number(end[long + 32 : long + 40]), _number(end[long + 40 : long + 48])
    _within(number, MOST_FILES, "archive_files")
    _within(size, LARGEST_DIRECTORY, "archive_list")


def _number(written: bytes) -> int:
    return int.from_bytes(written, "little")


class _Careful(tarfile.TarInfo):
    """A header whose own names are bounded, because tarfile reads them whole."""

    def _proc_member(self, archive: tarfile.TarFile) -> Any:
        if self.type not in (*tarfile.REGULAR_TYPES, tarfile.DIRTYPE) and self.size > LONGEST_HEADER:
            raise RowRefused("archive_name", name=_shown(self.name))
        return super()._proc_member(archive)  # type: ignore[misc]


class _Bounded:
    """A stream that gives at most ``MOST_BYTES`` and the size of all headers."""

    def __init__(self, stream: GzipFile) -> None:
        self.stream, self.left = stream, MOST_BYTES + MOST_FILES * 1024

    def read(self, size: int) -> bytes:
        piece = self.stream.read(min(size, CHUNK))
        self.left -= len(piece)
        if self.left < 0:
            raise _too_much(MOST_BYTES, "archive_bytes")
        return piece


def _untar(path: Path, sandbox: _Sandbox) -> None:
    with GzipFile(path) as stream:
        bounded: Any = _Bounded(stream)
        with tarfile.open(fileobj=bounded, mode="r|", tarinfo=_Careful, bufsize=CHUNK) as archive:
            for entry in archive:
                archive.members = []  # type: ignore[attr-defined] # tarfile would keep them all
                if entry.isdir():
                    continue
                if not entry.isreg():
                    raise RowRefused("archive_link", name=_shown(entry.name))
                source = archive.extractfile(entry)
                assert source is not None
                sandbox.take(entry.name, entry.size, source)


def _safe(name: str) -> str:
    """Return the name as it is shown and split into folders. Raises RowRefused where it leads out of the archive."""
    name = name.replace("\\", "/").removeprefix("./")
    parts = name.split("/")
    if name.startswith("/") or ".." in parts or ":" in parts[0] or "\0" in name:
        raise RowRefused("archive_escape", name=_shown(name))
    if len(name) > LONGEST_NAME or len(parts) > DEEPEST + 1:
        raise RowRefused("archive_name", name=_shown(name))
    return name.encode("utf-8", "replace").decode()


def _shown(name: str) -> str:
    return name[:80].encode("utf-8", "replace").decode().replace("\0", "")


def _within(number: int, most: int, code: str) -> None:
    if number > most:
        raise _too_much(most, code)


def _too_much(most: int, code: str) -> RowRefused:
    return RowRefused(code, limit=f"{most if code == 'archive_files' else most >> 20:,}")
