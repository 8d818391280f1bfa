"""The audio and answer images that rows name: files in the same archive, checked by content and size."""

import hashlib
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from annotation.domain.transcription.recordings import HEAD, LARGEST, RecordingKind, fits, media_type
from annotation.importers.archive import Member
from annotation.importers.reasons import RowRefused
from annotation.importers.rows import Recorded, excerpt
from core.domain.text import normalise

SUFFIXES = {".jsonl", ".ndjson"}
WRONG_KIND = {RecordingKind.AUDIO: "no_audio", RecordingKind.ANSWER_IMAGE: "no_picture"}


class Bundle(NamedTuple):
    """The one file of rows in an archive, and all files beside it by name."""

    rows: Path
    files: "Beside"


class Beside:
    """The files that rows may name, relative to the folder of the rows; none where the rows came alone."""

    def __init__(self, paths: dict[str, Path] | None = None) -> None:
        self._paths = paths
        self._known: dict[tuple[RecordingKind, str], Recorded] = {}  # several questions may be about one dialogue

    def recording(self, kind: RecordingKind, name: str) -> Recorded:
        """Return the file with this name after checking that it is of this kind. Raises RowRefused."""
        if (kind, name) not in self._known:
            self._known[kind, name] = _checked(kind, name, self.path(name))
        return self._known[kind, name]

    def path(self, name: str) -> Path:
        """Return the path of a file. Raises RowRefused where it is missing."""
        if self._paths is None:
            raise RowRefused("file_not_packed", name=excerpt(name))
        path = self._paths.get(_named(name))
        if path is None:
            raise RowRefused("file_missing", name=excerpt(name))
        return path


def bundle(members: Iterable[Member]) -> Bundle:
    """Return the content of an archive. Raises RowRefused unless exactly one of its files is jsonl."""
    visible = [(PurePosixPath(member.name), member.path) for member in members]
    visible = [
        (name, path) for name, path in visible if not any(part.startswith((".", "__MACOSX")) for part in name.parts)
    ]
    rows = [(name, path) for name, path in visible if name.suffix.lower() in SUFFIXES]
    if not rows:
        raise RowRefused("no_jsonl")
    if len(rows) > 1:
        raise RowRefused("several_jsonl", files=len(rows))
    [(name, path)] = rows
    beside = {
        _named(str(other.relative_to(name.parent))): there
        for other, there in visible
        if other.is_relative_to(name.parent)
    }
    return Bundle(path, Beside(beside))


def _named(name: str) -> str:
    """Return one spelling of a name: some systems write an accent as a separate character."""
    return normalise(str(PurePosixPath(name)))


def _checked(kind: RecordingKind, name: str, path: Path) -> Recorded:
    size, limit = path.stat().st_size, LARGEST[kind]
    if size > limit:
        raise RowRefused("recording_too_large", name=excerpt(name), limit=limit >> 20)
    with path.open("rb") as file:
        found = media_type(file.read(HEAD))
        if not fits(kind, found):
            raise RowRefused(WRONG_KIND[kind], name=excerpt(name))
        file.seek(0)
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    return Recorded(str(kind), name, sha256, found, size)
