"""Page on which a machine transcript is corrected and then checked, and its requests. Without JavaScript it is a plain
form.
"""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotation.actions.queue import assignments
from annotation.actions.transcription import transcripts
from annotation.forms.assignments import SkipForm
from annotation.forms.transcription import TranscriptForm
from annotation.models import Kind, Queue, Step, Transcript
from annotation.permissions import project_at
from annotation.presenters import drafts, transcription
from annotation.presenters.skips import last_skip
from annotation.selectors.drafts import newest
from annotation.views.drafts import go_on, own_draft, saved
from core.actions.refusals import Refused
from core.forms.sent import checked, is_json
from core.permissions import AuthenticatedRequest, requires
from core.presenters.refusals import status_of


@requires("transcripts.correct")
@require_GET
def transcribe(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    return _next(request, slug, Step.TRANSCRIBE)


@requires("transcripts.correct")
@require_GET
def check(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    return _next(request, slug, Step.CHECK)


def _next(request: AuthenticatedRequest, slug: str, step: Step) -> HttpResponse:
    project = project_at(request, slug, Kind.REWRITING)
    has_step = Queue.objects.filter(project=project, step=step).exists()
    claimed = assignments.claim(project=project, step=step, by=request.user) if has_step else []
    if not claimed:
        skipped = last_skip(project, step, request.user)
        context = {"project": project, "is_check": step == Step.CHECK, "skipped": skipped}
        return render(request, "annotation/transcription/none.html", context)
    return _page(request, transcripts.open_assignment(assignment=claimed[0], by=request.user))


@requires("transcripts.correct", is_shown_by_what_is_found=True)
@require_POST
def save(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    transcript = own_draft(request, Transcript, slug, assignment)
    form = TranscriptForm.of(request)
    try:
        transcript = transcripts.save(transcript=transcript, **form.draft(), by=request.user)
    except Refused as refused:
        return _declined(request, transcript, refused, form)
    return saved(request, transcript, transcription.address(transcript))


@requires("transcripts.correct", is_shown_by_what_is_found=True)
@require_POST
def submit(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    transcript = own_draft(request, Transcript, slug, assignment)
    form = TranscriptForm.of(request)
    try:
        transcript = transcripts.submit(transcript=transcript, **form.draft(), by=request.user)
    except Refused as refused:
        return _declined(request, transcript, refused, form)
    return go_on(request, transcription.address(transcript), transcription.submission_message(transcript))


@requires("transcripts.correct", is_shown_by_what_is_found=True)
@require_POST
def skip(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    transcript = own_draft(request, Transcript, slug, assignment)
    try:
        transcripts.skip(transcript=transcript, **checked(SkipForm.of(request)), by=request.user)
    except Refused as refused:
        return _declined(request, transcript, refused)
    return go_on(request, transcription.address(transcript), _("Left to others."))


def _declined(
    request: HttpRequest, transcript: Transcript, refused: Refused, form: TranscriptForm | None = None
) -> HttpResponse:
    """Return the refusal and what is stored now; the page shows the unsaved text."""
    transcript = newest(transcript)
    if is_json(request):
        return JsonResponse(drafts.refusal(transcript, refused), status=status_of(refused))
    if form:
        form.show_on(transcript)
    return _page(request, transcript, refused)


def _page(request: HttpRequest, transcript: Transcript, refused: Refused | None = None) -> HttpResponse:
    context = transcription.context(transcript, refused)
    return render(request, "annotation/transcription/transcription.html", context, status=status_of(refused))
