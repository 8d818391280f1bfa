"""Audio and answer image of an item, only for those who correct its transcript and for its researchers.

A browser may request a byte range, which is how a person jumps in the audio (HTTP range requests, RFC 9110).
"""

from collections.abc import Iterator
from pathlib import Path

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from annotation.actions.queue.assignments import may_submit
from annotation.domain.transcription.recordings import asked_bytes
from annotation.models import Kind, Recording
from annotation.models.work import TRANSCRIPTION_STEPS
from annotation.permissions import own_assignment, project_at
from annotation.selectors.transcription import recording_of
from core.permissions import AuthenticatedRequest, requires

CHUNK = 64 * 1024


@requires("transcripts.correct")
@require_safe
def on_assignment(request: AuthenticatedRequest, slug: str, assignment: int, kind: str) -> HttpResponseBase:
    """Return the recording while the person's work on the assignment would still count."""
    held = own_assignment(request, slug, assignment, *TRANSCRIPTION_STEPS)
    if not may_submit(held):
        raise Http404
    return _answer(request, held.slot.item_id, kind)


@requires("project.view")
@require_safe
def of_item(request: AuthenticatedRequest, slug: str, pk: int, kind: str) -> HttpResponseBase:
    item = get_object_or_404(project_at(request, slug, Kind.REWRITING).items.work(), pk=pk)
    return _answer(request, item.pk, kind)


def _answer(request: HttpRequest, item: int, kind: str) -> HttpResponseBase:
    recording = recording_of(item, kind)
    if recording is None or not recording.path.exists():
        raise Http404
    try:
        part = asked_bytes(request.headers.get("Range", ""), recording.size)
    except ValueError:
        return HttpResponse(status=416, headers={"Content-Range": f"bytes */{recording.size}"})
    return _file(recording, part)


def _file(recording: Recording, part: range | None) -> StreamingHttpResponse:
    """Return the whole file or a part of it; nosniff keeps browsers from guessing another type."""
    wanted = range(recording.size) if part is None else part
    headers = {
        "Accept-Ranges": "bytes",
        "Content-Disposition": "inline",
        "Content-Length": str(len(wanted)),
        "X-Content-Type-Options": "nosniff",
    }
    if part is not None:
        headers["Content-Range"] = f"bytes {part.start}-{part.stop - 1}/{recording.size}"
    status = 200 if part is None else 206
    pieces = _pieces(recording.path, wanted)
    return StreamingHttpResponse(pieces, status=status, content_type=recording.media_type, headers=headers)


def _pieces(path: Path, wanted: range) -> Iterator[bytes]:
    with path.open("rb") as file:
        file.seek(wanted.start)
        left = len(wanted)
        while left and (piece := file.read(min(CHUNK, left))):
            left -= len(piece)
            yield piece
