"""The audio and answer images that rows name: files in the same archive, known by their content and bounded in size."""

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
    """The one file of rows in an archive, and by their names all files beside it."""

    rows: Path
    files: "Beside"


class Beside:
    """The files that rows may name, seen from the folder of the rows; none where these came alone."""

    def __init__(self, paths: dict[str, Path] | None = None) -> None:
        self._paths = paths
        self._known: dict[tuple[RecordingKind, str], Recorded] = {}  # several questions may be about one dialogue

    def recording(self, kind: RecordingKind, name: str) -> Recorded:
        """The file with this name, which is of this kind. Raises ``Refused``."""
        if (kind, name) not in self._known:
            self._known[kind, name] = _checked(kind, name, self.path(name))
        return self._known[kind, name]

    def path(self, name: str) -> Path:
        """Raises ``Refused`` for a file that is not there."""
        if self._paths is None:
            raise RowRefused("file_not_packed", name=excerpt(name))
        path = self._paths.get(_named(name))
        if path is None:
            raise RowRefused("file_missing", name=excerpt(name))
        return path


def bundle(members: Iterable[Member]) -> Bundle:
    """What an archive holds. Raises ``Refused`` unless one of its files is jsonl."""
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
    """One spelling of a name: some systems write an accent as a character of its own."""
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
