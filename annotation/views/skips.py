"""Requests that undo a skip, one for the pages of each step. Those with their next items in them have their own."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from annotation.actions.queue.skips import undo_skip
from annotation.models import Step
from annotation.permissions import own_assignment
from annotation.presenters.transcription import PAGES
from core.permissions import AuthenticatedRequest, requires
from core.presenters.refusals import refusals_shown


@requires("transcripts.correct")
@require_POST
def transcription(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    step = _undo(request, slug, assignment, *PAGES)
    return redirect(PAGES[step], slug)


@requires("instances.write")
@require_POST
def rewriting(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    _undo(request, slug, assignment, Step.WRITE)
    return redirect(reverse("write", args=[slug], query={"assignment": assignment}))


@requires("instances.inspect")
@require_POST
def inspection(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    _undo(request, slug, assignment, Step.INSPECT)
    return redirect("inspect", slug)


def _undo(request: AuthenticatedRequest, slug: str, assignment: int, *steps: Step) -> Step:
    """Undo the skip of one's own assignment, or show why not. Return its step."""
    own = own_assignment(request, slug, assignment, *steps)
    with refusals_shown(request):
        undo_skip(assignment=own, by=request.user)
        messages.success(request, _("The skip is undone. What you skipped is shown again."))
    return Step(own.slot.queue.step)
