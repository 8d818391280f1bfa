"""Page on which people name the reasoning type of accepted instances, and the request to ask for it. Without JavaScript
it works too, one instance at a time.
"""

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from annotation.actions import reasoning
from annotation.actions.queue.ahead import claim_ahead
from annotation.actions.queue.skips import undo_skip as undo_a_skip
from annotation.forms.assignments import SkipForm
from annotation.forms.reasoning import AskForm, TypeForm
from annotation.models import Assignment, Kind, Project, Queue, Step
from annotation.permissions import own_assignment, project_at
from annotation.presenters.reasoning import types_page
from annotation.views.one_by_one import answer_declined, answer_stored
from core.actions.refusals import Refused
from core.forms.sent import checked, fields_sent
from core.permissions import AuthenticatedRequest, requires
from core.presenters.refusals import refusals_shown

AHEAD = 6  # instances in the page, so that the next one appears at once


@requires("instances.type")
@require_GET
def types(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug, Kind.REWRITING)
    change = request.GET.get("change")
    context = types_page.context(project, request.user, _held(request, project), change=change)
    return render(request, "annotation/reasoning/types.html", context)


@requires("instances.type")
@require_POST
def next_instances(request: AuthenticatedRequest, slug: str) -> JsonResponse:
    """Return the present state to a page that was left open or refused."""
    return JsonResponse(_state(request, project_at(request, slug, Kind.REWRITING)))


@requires("instances.type", is_shown_by_what_is_found=True)
@require_POST
def name(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    own = own_assignment(request, slug, assignment, Step.TYPE)
    try:
        sent = checked(TypeForm(fields_sent(request)))
        made = reasoning.choose(assignment=own, **sent, again="anew" in request.GET, by=request.user)
    except Refused as refused:
        return _declined(request, slug, refused)
    return _done(request, own.slot.queue.project, made.assignment_id)


@requires("instances.type", is_shown_by_what_is_found=True)
@require_POST
def skip(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    own = own_assignment(request, slug, assignment, Step.TYPE)
    try:
        reasoning.skip(assignment=own, **checked(SkipForm.of(request)), by=request.user)
    except Refused as refused:
        return _declined(request, slug, refused)
    return _done(request, own.slot.queue.project, own.pk, message=_("Left to others."))


@requires("instances.type", is_shown_by_what_is_found=True)
@require_POST
def undo_skip(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    own = own_assignment(request, slug, assignment, Step.TYPE)
    try:
        undo_a_skip(assignment=own, by=request.user)
    except Refused as refused:
        return _declined(request, slug, refused)
    return _done(
        request, own.slot.queue.project, own.pk, message=_("The skip is undone. What you skipped is shown again.")
    )


def _state(request: AuthenticatedRequest, project: Project) -> dict[str, Any]:
    return types_page.state_of(project, request.user, _held(request, project))


_done = partial(answer_stored, state=_state, page="types")
_declined = partial(answer_declined, page="types")


def _held(request: AuthenticatedRequest, project: Project) -> list[Assignment]:
    if not Queue.objects.filter(project=project, step=Step.TYPE).exists():
        return []
    return claim_ahead(project=project, step=Step.TYPE, most=AHEAD, by=request.user)


@requires("project.manage")
@require_POST
def ask(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Ask two people about a sample of the accepted instances, or about more of them."""
    project = project_at(request, slug, Kind.REWRITING)
    with refusals_shown(request):
        asked = reasoning.ask_about(project=project, **checked(AskForm(request.POST)), by=request.user)
        said = ngettext(
            "Two people are asked about one more instance.",
            "Two people are asked about %(count)d more instances.",
            asked,
        )
        none = _("Nothing added: two people have already been asked about that many instances.")
        messages.success(request, said % {"count": asked} if asked else none)
    return redirect("board", slug)
