"""Items with audio or a picture of their answer, for tests: the files, the archive, and the work on them."""

import io
import json
import math
import struct
import tarfile
import wave
import zipfile
import zlib
from pathlib import Path
from typing import Any

from django.core.files.base import ContentFile

from annotation.actions.imports import imports
from annotation.actions.queue import assignments
from annotation.actions.transcription import transcripts
from annotation.models import Import, Item, Project, Step, Transcript
from core.models import User
from tests.factories import no_progress

MACHINE_TEXT = [  # with the errors of a machine
    {"speaker": "W", "text": "Did you manage to cook the community hall?"},
    {"speaker": "M", "text": "The choir has it until for."},
    {"speaker": "W", "text": "Then take the library room."},
]
SAID = [
    {"speaker": "W", "text": "Did you manage to book the community hall?"},
    {"speaker": "M", "text": "The choir has it until four."},
    {"speaker": "W", "text": "Then take the library room."},
]
QUESTION = "What is wrong with the hall?"
CHOICES = ["It is taken.", "It is too small.", "It is closed.", "It is far."]
RIGHT = 0


def tone(seconds: float = 4.0, rate: int = 8000) -> bytes:
    """Return a WAV file whose pitch rises by a step each second."""
    samples = (
        int(9000 * math.sin(2 * math.pi * (330 + 110 * (number // rate)) * number / rate))
        for number in range(int(seconds * rate))
    )
    file = io.BytesIO()
    with wave.open(file, "wb") as written:
        written.setnchannels(1)
        written.setsampwidth(2)
        written.setframerate(rate)
        written.writeframes(b"".join(struct.pack("<h", sample) for sample in samples))
    return file.getvalue()


def picture(width: int = 240, height: int = 80) -> bytes:
    """Return a PNG file: a dark bar on a light ground."""
    rows = b"".join(
        b"\0" + bytes(40 if 20 < y < 60 and 100 < x < 140 else 235 for x in range(width)) for y in range(height)
    )
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows)),
        (b"IEND", b""),
    ]
    chunks = (
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


FILES = {"clips/a.wav": tone(), "a.png": picture()}


def row(number: int = 1, **cells: Any) -> dict[str, Any]:
    """Return a row of Colloquy's jsonl format, with audio and a picture unless `cells` say otherwise."""
    made = {
        "id": f"r{number}",
        "turns": MACHINE_TEXT,
        "question": f"{QUESTION} ({number})",
        "choices": CHOICES,
        "answer": "C",
        "audio": "clips/a.wav",
        "answer_image": "a.png",
    } | cells
    return {name: value for name, value in made.items() if value is not None}


def jsonl(*rows: dict[str, Any]) -> bytes:
    return "".join(json.dumps(each) + "\n" for each in rows).encode()


def zipped(path: Path, *rows: dict[str, Any], files: dict[str, bytes] = FILES) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in {"items.jsonl": jsonl(*rows), **files}.items():
            archive.writestr(name, content)
    return path


def tarred(path: Path, *rows: dict[str, Any], files: dict[str, bytes] = FILES) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in {"talks/items.jsonl": jsonl(*rows), **{f"talks/{n}": c for n, c in files.items()}}.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return path


def import_rows(project: Project, path: Path, by: User, *, partial: bool = False) -> Import:
    """Upload, check and store a file."""
    received = imports.receive(project=project, file=ContentFile(path.read_bytes()), name=path.name, by=by)
    received = imports.check(received=received, report=no_progress, by=by)
    return imports.store(received=received, partial=partial, report=no_progress, by=by)


def items(project: Project, folder: Path, count: int = 1, **cells: Any) -> list[Item]:
    """Create items with audio and picture, in the order in which they are assigned."""
    path = zipped(
        folder / f"talks-{project.items.count()}.zip",
        *(row(number + project.items.count(), **cells) for number in range(count)),
    )
    received = import_rows(project, path, project.created_by)
    return list(received.items.order_by("position"))


def take(project: Project, step: Step, by: User) -> Transcript:
    """Claim an item to correct or check, and open its page."""
    [assignment] = assignments.claim(project=project, step=step, by=by)
    return transcripts.open_assignment(assignment=assignment, by=by)


def submit_draft(transcript: Transcript, turns: list[dict[str, str]] = SAID, answer: int | None = RIGHT) -> Transcript:
    return transcripts.submit(
        transcript=transcript, turns=turns, answer=answer, revision=transcript.revision, by=transcript.assignment.person
    )


def correct(project: Project, by: User, **how: Any) -> Transcript:
    return submit_draft(take(project, Step.TRANSCRIBE, by), **how)


def check(project: Project, by: User, **how: Any) -> Transcript:
    return submit_draft(take(project, Step.CHECK, by), **how)
