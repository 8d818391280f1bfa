"""Page on which an adjudicator decides about pairs with too wide a gap, without seeing their grades. Without JavaScript
it works too, one pair at a time.
"""

from functools import partial
from typing import Any

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotation.actions.adjudication import adjudication
from annotation.actions.queue.ahead import claim_ahead
from annotation.actions.queue.skips import undo_skip as undo_a_skip
from annotation.forms.adjudication import DecisionForm, LeaveForm
from annotation.forms.assignments import SkipForm
from annotation.models import Assignment, Kind, Project, Step
from annotation.permissions import own_assignment, project_at
from annotation.presenters import adjudication as presenters
from annotation.views.one_by_one import answer_declined, answer_stored
from core.actions.refusals import Refused
from core.forms.sent import checked, fields_sent, is_json
from core.permissions import AuthenticatedRequest, requires

AHEAD = 6  # pairs in the page, so that the next one appears at once
NOT_FOUND = 404


@requires("pairs.adjudicate")
@require_GET
def adjudicate(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug, Kind.RATING)
    context = presenters.context(project, request.user, _held(request, project), change=request.GET.get("change"))
    is_there = project.rating.adjudicate or context["last"]  # switched off, one's last decisions can still be changed
    return render(request, "annotation/adjudication/adjudication.html", context, status=200 if is_there else NOT_FOUND)


@requires("pairs.adjudicate")
@require_POST
def next_pairs(request: AuthenticatedRequest, slug: str) -> JsonResponse:
    """Return the present state to a page that was left open or refused."""
    return JsonResponse(_state(request, project_at(request, slug, Kind.RATING)))


@requires("pairs.adjudicate", is_shown_by_what_is_found=True)
@require_POST
def decide(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    own = own_assignment(request, slug, assignment, Step.ADJUDICATE)
    try:
        decision = DecisionForm(fields_sent(request)).decision()
        made = adjudication.decide(assignment=own, decision=decision, again="anew" in request.GET, by=request.user)
    except Refused as refused:
        return _declined(request, slug, refused)
    return _done(request, own.slot.queue.project, made.assignment_id)


@requires("pairs.adjudicate", is_shown_by_what_is_found=True)
@require_POST
def skip(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    own = own_assignment(request, slug, assignment, Step.ADJUDICATE)
    try:
        adjudication.skip(assignment=own, reason=_reason_sent(request), by=request.user)
    except Refused as refused:
        return _declined(request, slug, refused)
    return _done(request, own.slot.queue.project, own.pk, message=_("Left to others."))


def _reason_sent(request: AuthenticatedRequest) -> str:
    """Return the reason to skip. In the plain form `reason` is that of a grade."""
    form, name = (SkipForm.of(request), "reason") if is_json(request) else (LeaveForm(fields_sent(request)), "skip")
    return str(checked(form)[name])


@requires("pairs.adjudicate", is_shown_by_what_is_found=True)
@require_POST
def undo_skip(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    own = own_assignment(request, slug, assignment, Step.ADJUDICATE)
    try:
        undo_a_skip(assignment=own, by=request.user)
    except Refused as refused:
        return _declined(request, slug, refused)
    return _done(
        request, own.slot.queue.project, own.pk, message=_("The skip is undone. What you skipped is shown again.")
    )


def _state(request: AuthenticatedRequest, project: Project) -> dict[str, Any]:
    return presenters.state_of(project, request.user, _held(request, project))


_done = partial(answer_stored, state=_state, page="adjudicate")
_declined = partial(answer_declined, page="adjudicate")


def _held(request: AuthenticatedRequest, project: Project) -> list[Assignment]:
    if not project.rating.adjudicate:
        return []
    return claim_ahead(project=project, step=Step.ADJUDICATE, most=AHEAD, by=request.user)
