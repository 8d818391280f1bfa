"""What pages that go from item to item show and answer: JSON to their script, the page again to a plain form."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils import timezone

from annotation.actions.queue import assignments
from annotation.actions.queue.ahead import claim_ahead
from annotation.models import Assignment, Project
from core.actions.refusals import Refused
from core.forms.sent import is_json
from core.permissions import AuthenticatedRequest
from core.presenters.refusals import status_of

PresentState = Callable[[AuthenticatedRequest, Project], dict[str, Any]]


def claimed_for(request: AuthenticatedRequest, project: Project, step: str) -> list[Assignment]:
    """Return the person's assignments; where a script asks for what comes `after` one, that one is not among them."""
    if not (after := request.GET.get("after")):
        return assignments.claim(project=project, step=step, by=request.user)
    claimed = claim_ahead(project=project, step=step, most=2, by=request.user)
    return [assignment for assignment in claimed if str(assignment.pk) != after]


def answer_stored(
    request: AuthenticatedRequest, project: Project, stored: int, *, state: PresentState, page: str, message: str = ""
) -> HttpResponse:
    """Return to the script the assignment that was stored and the present state; lead a plain form to the page."""
    if is_json(request):
        return JsonResponse({"saved_at": timezone.now(), "assignment": stored, **state(request, project)})
    if message:
        messages.success(request, message)
    return redirect(page, project.slug)


def answer_declined(request: HttpRequest, slug: str, refused: Refused, *, page: str) -> HttpResponse:
    """Return the refusal to the script; lead a plain form to the page, which says it."""
    if is_json(request):
        return JsonResponse({"code": refused.code, "message": str(refused)}, status=status_of(refused))
    messages.error(request, str(refused))
    return redirect(page, slug)
