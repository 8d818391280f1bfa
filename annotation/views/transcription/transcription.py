"""Page on which a machine transcript is corrected and then checked, and its requests. Without JavaScript it is a plain
form.
"""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone as clock
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation.actions.queue import assignments
from annotation.actions.transcription import transcripts
from annotation.forms.rewriting import ItemSkipForm
from annotation.forms.transcription import TranscriptForm, fields_of, fields_of_form
from annotation.models import Kind, Queue, Step, Transcript
from annotation.models.work import TRANSCRIPTION_STEPS
from annotation.permissions import project_at, projects_of
from annotation.presenters import transcription
from annotation.views.rewriting import UNREADABLE
from core.actions.refusals import Refused
from core.forms.sent import fields_sent, is_json
from core.permissions import AuthenticatedRequest, requires


@requires("transcripts.correct")
@never_cache  # a page from the cache would show a draft since replaced
@require_GET
def transcribe(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    return _next(request, slug, Step.TRANSCRIBE)


@requires("transcripts.correct")
@never_cache
@require_GET
def check(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    return _next(request, slug, Step.CHECK)


def _next(request: AuthenticatedRequest, slug: str, step: Step) -> HttpResponse:
    project = project_at(request, slug, Kind.REWRITING)
    has_step = Queue.objects.filter(project=project, step=step).exists()
    claimed = assignments.claim(project=project, step=step, by=request.user) if has_step else []
    if not claimed:
        context = {"project": project, "is_check": step == Step.CHECK}
        return render(request, "annotation/transcription/none.html", context)
    transcript = transcripts.open_assignment(assignment=claimed[0], by=request.user)
    return _page(request, transcript)


@requires("transcripts.correct")
@require_POST
def save(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    return _keep(request, _transcript(request, slug, assignment), transcripts.save, _saved)


@requires("transcripts.correct")
@require_POST
def submit(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    return _keep(request, _transcript(request, slug, assignment), transcripts.submit, _submitted)


@requires("transcripts.correct")
@require_POST
def skip(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    transcript = _transcript(request, slug, assignment)
    form = ItemSkipForm(fields_sent(request, fields_of))
    if not form.is_valid():
        message = str(next(iter(form.errors.values()))[0])
        return _declined(request, transcript, Refused("malformed", message), status=400)
    try:
        transcripts.skip(transcript=transcript, reason=form.cleaned_data["reason"], by=request.user)
    except Refused as refused:
        return _declined(request, transcript, refused)
    return _go_on(request, transcript, str(_("Left to others. Here is the next one.")))


def _keep(
    request: AuthenticatedRequest,
    transcript: Transcript,
    act: Callable[..., Transcript],
    done: Callable[..., HttpResponse],
) -> HttpResponse:
    form = TranscriptForm(fields_sent(request, fields_of) if is_json(request) else fields_of_form(request.POST))
    if not form.is_valid():
        return _declined(request, transcript, Refused("malformed", UNREADABLE), status=400)
    try:
        return done(request, act(transcript=transcript, **form.draft, by=request.user))
    except Refused as refused:
        return _declined(request, transcript, refused, form)


def _saved(request: HttpRequest, transcript: Transcript) -> HttpResponse:
    if is_json(request):
        return JsonResponse({"saved_at": transcript.saved_at, "revision": transcript.revision})
    messages.success(request, _("The draft is saved."))
    return redirect(_here(transcript))


def _submitted(request: HttpRequest, transcript: Transcript) -> HttpResponse:
    checked = transcript.assignment.slot.queue.step == Step.CHECK
    said = _("Confirmed: authors get this item now.") if checked else _("Submitted: a second person checks it next.")
    return _go_on(request, transcript, str(said))


def _go_on(request: HttpRequest, transcript: Transcript, message: str) -> HttpResponse:
    """Lead to the next item, with a message on its page."""
    messages.success(request, message)
    if is_json(request):
        return JsonResponse({"saved_at": clock.now(), "next": _here(transcript)})
    return redirect(_here(transcript))


def _here(transcript: Transcript) -> str:
    """Return the address of the step's page in the transcript's project."""
    queue = transcript.assignment.slot.queue
    return reverse(transcription.PAGES[Step(queue.step)], args=[queue.project.slug])


def _declined(
    request: HttpRequest,
    transcript: Transcript,
    refused: Refused,
    form: TranscriptForm | None = None,
    *,
    status: int = 409,
) -> HttpResponse:
    """Return the refusal; re-render with the unsaved text."""
    kept = refused if isinstance(refused, transcripts.TranscriptNotSubmitted) else None
    flaws = kept.flaws if kept else []
    transcript = _newest(transcript)
    if is_json(request):
        answer = {
            "code": refused.code,
            "message": str(refused),
            "flaws": transcription.sentences(flaws),
            "kept": kept is not None,
            "revision": transcript.revision,
            "saved_at": transcript.saved_at,
        }
        return JsonResponse(answer, status=status)
    stands = {name: form.draft[name] for name in ("turns", "answer")} if form else {}
    return _page(request, transcript, status=status, flaws=flaws, refusal=str(refused), **stands)


def _page(request: HttpRequest, transcript: Transcript, *, status: int = 200, **more: Any) -> HttpResponse:
    context = transcription.context(transcript, **more)
    return render(request, "annotation/transcription/transcription.html", context, status=status)


def _transcript(request: AuthenticatedRequest, slug: str, assignment: int) -> Transcript:
    own = Transcript.objects.select_related(
        "assignment__person", "assignment__slot__item", "assignment__slot__queue__project"
    )
    own = own.filter(assignment__person=request.user, assignment__slot__queue__step__in=TRANSCRIPTION_STEPS)
    return get_object_or_404(
        own, assignment=assignment, assignment__slot__queue__project__in=projects_of(request.user).filter(slug=slug)
    )


def _newest(transcript: Transcript) -> Transcript:
    """Return the transcript as stored now, on the newer assignment if the person was given the slot again."""
    own = Transcript.objects.filter(
        assignment__slot=transcript.assignment.slot_id, assignment__person=transcript.assignment.person_id
    )
    return own.select_related("assignment__slot__item", "assignment__slot__queue__project").latest("pk")
