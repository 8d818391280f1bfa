"""Page on which an adjudicator decides about pairs with too wide a gap, without seeing their grades."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation.actions.adjudication import adjudication
from annotation.actions.adjudication.adjudication import REMOVAL_REASONS, SKIP_REASONS, Decision
from annotation.actions.queue import assignments
from annotation.forms.adjudication import DecisionForm, LeaveForm
from annotation.models import Assignment, Kind, Project, Step
from annotation.permissions import own_assignment, project_at
from annotation.presenters.rating import json_of, scale_of
from annotation.selectors.adjudication import Decided, last_decided, waiting_in
from annotation.selectors.rating.annotator_page import Pair, pairs_on
from core.actions.refusals import Refused
from core.forms.sent import fields_sent, is_json
from core.models import User
from core.permissions import AuthenticatedRequest, requires


@requires("pairs.adjudicate")
@never_cache  # a page from the cache would offer pairs that are decided
@require_GET
def adjudicate(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug, Kind.RATING)
    decided = last_decided(project, request.user)
    changing = next((each for each in decided if str(each.pair.assignment) == request.GET.get("change")), None)
    pair = changing.pair if changing else _next_pair(project, request.user)
    context = {
        "project": project,
        "pair": pair and json_of(pair),
        "left": waiting_in(project, request.user),
        "changing": changing,
        "earlier": _earlier(decided, changing),
        **scale_of(project.guidelines.all()[:1].get()),
        "removal_reasons": list(REMOVAL_REASONS.items()),
        "skip_reasons": list(SKIP_REASONS.items()),
        "removed_for": REMOVAL_REASONS,
        "page_keys": _page_keys(),
    }
    return render(request, "annotation/adjudication/adjudication.html", context)


def _next_pair(project: Project, person: User) -> Pair | None:
    if not project.rating.adjudicate:
        return None
    return next(iter(pairs_on(project, assignments.claim(project=project, step=Step.ADJUDICATE, by=person))), None)


def _earlier(decided: list[Decided], changing: Decided | None) -> Decided | None:
    """Return the decision that "undo" leads to: one step further back in the last decisions."""
    position = decided.index(changing) + 1 if changing else 0
    return decided[position] if position < len(decided) else None


def _page_keys() -> list[tuple[str, str]]:
    return [
        ("1 – 9", _("grade")),
        ("A S D", _("reason: saves and goes on")),
        ("R", _("remove with a reason")),
        ("Z", _("go back to your last decisions, one by one")),
        ("X", _("skip with a reason")),
        ("G", _("guideline")),
    ]


@requires("pairs.adjudicate")
@require_POST
def decide(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    def act(assignment: Assignment, sent: dict[str, Any]) -> None:
        decision = Decision(None, sent["remove"]) if sent["remove"] else Decision(sent["grade"], sent["reason"])
        adjudication.decide(assignment=assignment, decision=decision, again="anew" in request.GET, by=request.user)

    return _act(request, slug, assignment, DecisionForm, act)


@requires("pairs.adjudicate")
@require_POST
def skip(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    def act(assignment: Assignment, sent: dict[str, Any]) -> None:
        adjudication.skip(assignment=assignment, reason=sent["skip"], by=request.user)

    return _act(request, slug, assignment, LeaveForm, act)


def _act(
    request: AuthenticatedRequest,
    slug: str,
    assignment: int,
    kind_of_form: type[forms.Form],
    act: Callable[[Assignment, dict[str, Any]], None],
) -> HttpResponse:
    found = own_assignment(request, slug, assignment, Step.ADJUDICATE)
    form = kind_of_form(fields_sent(request))
    if not form.is_valid():
        return _declined(request, slug, str(next(iter(form.errors.values()))[0]), status=400)
    try:
        act(found, form.cleaned_data)
    except Refused as refused:
        return _declined(request, slug, str(refused), status=409)
    if is_json(request):
        return JsonResponse({"next": reverse("adjudicate", args=[slug])})
    return redirect("adjudicate", slug)


def _declined(request: HttpRequest, slug: str, message: str, *, status: int) -> HttpResponse:
    if is_json(request):
        return JsonResponse({"message": message}, status=status)
    messages.error(request, message)
    return redirect("adjudicate", slug)
