"""Keep the files that items came with under their digests, and open a transcription slot for each item
(docs/adr/0011).
"""

import shutil
from collections.abc import Iterable
from pathlib import Path
from tempfile import NamedTemporaryFile

from annotation.actions.imports import file_rows
from annotation.actions.queue.assignments import lock_queue
from annotation.actions.queue.slots import move_tail
from annotation.domain.transcription.recordings import RecordingKind
from annotation.domain.workflow import ImportState, ItemState
from annotation.importers.items import files_beside
from annotation.models import Import, Item, Kind, Queue, Recording, Slot, Step
from annotation.models.transcripts import path_of
from annotation.models.work import TRANSCRIPTION_STEPS


def keep_files(received: Import) -> None:
    """Copy the files of a checked import to their final place before its rows are stored. Repeating changes nothing.

    A copied file is not visible until a stored row refers to it.
    """
    if received.project.kind != Kind.REWRITING or received.state != ImportState.CHECKED:
        return
    wanted = {file.sha256: file for _digest, files in file_rows.recorded(received) for file in files}
    missing = [file for file in wanted.values() if not path_of(file.sha256).exists()]
    if not missing:
        return
    with files_beside(Path(received.file.path)) as beside:
        for file in missing:
            # Check the digest again: the file may have changed since the rows were checked.
            found = beside.recording(RecordingKind(file.kind), file.name)
            _copy(beside.path(file.name), path_of(found.sha256))


def _copy(source: Path, target: Path) -> None:
    """Copy the whole file; after an error no part of it is left."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with source.open("rb") as read, NamedTemporaryFile(dir=target.parent, suffix=".part", delete=False) as part:
        try:
            shutil.copyfileobj(read, part)
        except BaseException:
            Path(part.name).unlink()
            raise
    Path(part.name).replace(target)


def take_in(received: Import) -> None:
    """Store the recordings of an import whose items are stored, and open a slot for one transcriber on each item.

    The caller holds the lock of the queue of writing.
    """
    items = list(received.items.filter(state=ItemState.RECORDED).order_by("position"))
    if not items:
        return
    files_of = dict(file_rows.recorded(received))
    Recording.objects.bulk_create(
        Recording(item=item, kind=file.kind, sha256=file.sha256, media_type=file.media_type, size=file.size)
        for item in items
        for file in files_of[item.digest]
    )
    for step in TRANSCRIPTION_STEPS:
        Queue.objects.get_or_create(project=received.project, step=step)
    _open_slots(items, lock_queue(received.project, Step.TRANSCRIBE))


def _open_slots(items: Iterable[Item], queue: Queue) -> None:
    slots = [
        Slot(queue=queue, item=item, round=0, required=1, free=1, position=position)
        for position, item in enumerate(items, start=queue.tail + 1)
    ]
    Slot.objects.bulk_create(slots)
    move_tail(queue, len(slots))
