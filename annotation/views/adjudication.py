"""Page on which an adjudicator decides about pairs with too wide a gap, without seeing their grades."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotation.actions.adjudication import adjudication
from annotation.actions.queue import assignments
from annotation.forms.adjudication import DecisionForm, LeaveForm
from annotation.models import Kind, Project, Step
from annotation.permissions import own_assignment, project_at
from annotation.presenters import adjudication as presenters
from annotation.presenters.skips import last_skip
from annotation.selectors.adjudication import last_decided, waiting_in
from annotation.selectors.rating.annotator_page import Pair, pairs_on
from core.actions.refusals import Refused
from core.forms.sent import checked, fields_sent, is_json
from core.permissions import AuthenticatedRequest, requires
from core.presenters.refusals import status_of

NOT_FOUND = 404


@requires("pairs.adjudicate")
@require_GET
def adjudicate(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug, Kind.RATING)
    last = last_decided(project, request.user)
    changing = next((each for each in last if str(each.pair.assignment) == request.GET.get("change")), None)
    pair = changing.pair if changing else _next_pair(request, project)
    left = waiting_in(project, request.user)
    skipped = last_skip(project, Step.ADJUDICATE, request.user)
    context = presenters.context(project, pair, left=left, last=last, changing=changing, skipped=skipped)
    is_there = project.rating.adjudicate or bool(last)  # switched off, one's last decisions can still be changed
    return render(request, "annotation/adjudication/adjudication.html", context, status=200 if is_there else NOT_FOUND)


def _next_pair(request: AuthenticatedRequest, project: Project) -> Pair | None:
    if not project.rating.adjudicate:
        return None
    claimed = assignments.claim(project=project, step=Step.ADJUDICATE, by=request.user)
    return next(iter(pairs_on(project, claimed)), None)


@requires("pairs.adjudicate", is_shown_by_what_is_found=True)
@require_POST
def decide(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    own = own_assignment(request, slug, assignment, Step.ADJUDICATE)
    try:
        decision = DecisionForm(fields_sent(request)).decision()
        adjudication.decide(assignment=own, decision=decision, again="anew" in request.GET, by=request.user)
    except Refused as refused:
        return _declined(request, slug, refused)
    return _go_on(request, slug)


@requires("pairs.adjudicate", is_shown_by_what_is_found=True)
@require_POST
def skip(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    own = own_assignment(request, slug, assignment, Step.ADJUDICATE)
    try:
        adjudication.skip(assignment=own, reason=checked(LeaveForm(fields_sent(request)))["skip"], by=request.user)
    except Refused as refused:
        return _declined(request, slug, refused)
    messages.success(request, _("Left to others. Here is the next one."))
    return _go_on(request, slug)


def _go_on(request: HttpRequest, slug: str) -> HttpResponse:
    if is_json(request):
        return JsonResponse({"next": reverse("adjudicate", args=[slug])})
    return redirect("adjudicate", slug)


def _declined(request: HttpRequest, slug: str, refused: Refused) -> HttpResponse:
    if is_json(request):
        return JsonResponse({"message": str(refused)}, status=status_of(refused))
    messages.error(request, str(refused))
    return redirect("adjudicate", slug)
