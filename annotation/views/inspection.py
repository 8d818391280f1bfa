"""Page on which inspectors answer blind and then judge. Without JavaScript both steps are plain forms."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation.actions.inspection import inspections
from annotation.actions.queue import assignments
from annotation.domain.rewriting.rewriting import InspectionVerdict
from annotation.forms.inspection import BlindAnswerForm, InspectionVerdictForm, shown_field
from annotation.forms.rewriting import ItemSkipForm
from annotation.models import Inspection, Kind, Step
from annotation.permissions import project_at, projects_of
from annotation.presenters import inspection as presenters
from annotation.selectors.inspection.inspector_work import waiting_in
from core.actions.refusals import Refused
from core.forms.sent import fields_sent, is_json
from core.permissions import AuthenticatedRequest, requires

DONE = {
    InspectionVerdict.ACCEPT: gettext_lazy("Your verdict is stored: accept. Here is the next one."),
    InspectionVerdict.RETURN: gettext_lazy("Your verdict is stored: send back. Here is the next one."),
    InspectionVerdict.DISCARD: gettext_lazy("Your verdict is stored: discard. Here is the next one."),
}
GRADED = {
    InspectionVerdict.ACCEPT: gettext_lazy("The practice draft is graded: accepted. Here is the next one."),
    InspectionVerdict.DISCARD: gettext_lazy("The practice draft is graded: not accepted. Here is the next one."),
}


@requires("instances.inspect")
@never_cache  # a page from the cache would show a key, or ask for an answer already stored
@require_GET
def inspect(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug, Kind.REWRITING)
    claimed = assignments.claim(project=project, step=Step.INSPECT, by=request.user)
    if not claimed:
        return render(request, "annotation/inspection/none.html", {"project": project})
    return _page(request, inspections.open_assignment(assignment=claimed[0], by=request.user))


@requires("instances.inspect")
@require_POST
def answer(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    def act(inspection: Inspection, form: BlindAnswerForm) -> None:
        inspections.answer(inspection=inspection, candidate=form.candidate(inspection.order), by=request.user)

    return _act(request, slug, assignment, BlindAnswerForm, act)


@requires("instances.inspect")
@require_POST
def decide(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    def act(inspection: Inspection, form: InspectionVerdictForm) -> None:
        comments = form.comments(inspection.order)
        decided = inspections.decide(inspection=inspection, comments=comments, **form.verdict(), by=request.user)
        done = GRADED if inspection.assignment.slot.item.is_practice else DONE
        messages.success(request, done[InspectionVerdict(decided.verdict)])

    return _act(request, slug, assignment, InspectionVerdictForm, act)


@requires("instances.inspect")
@require_POST
def skip(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    def act(inspection: Inspection, form: ItemSkipForm) -> None:
        inspections.skip(inspection=inspection, reason=form.cleaned_data["reason"], by=request.user)
        messages.success(request, _("Left to others. Here is the next one."))

    return _act(request, slug, assignment, ItemSkipForm, act)


def _act(
    request: AuthenticatedRequest,
    slug: str,
    assignment: int,
    kind_of_form: type[forms.Form],
    act: Callable[[Inspection, Any], None],
) -> HttpResponse:
    inspection = _inspection(request, slug, assignment)
    form = kind_of_form(fields_sent(request))
    if not form.is_valid():
        field, errors = next(iter(form.errors.items()))
        return _declined(request, inspection, form, str(errors[0]), field, status=400)
    try:
        act(inspection, form)
    except Refused as refused:
        field = shown_field(refused.field, inspection.order)
        return _declined(request, inspection, form, str(refused), field, status=409)
    if is_json(request):
        return JsonResponse({"next": reverse("inspect", args=[slug])})
    return redirect("inspect", slug)


def _declined(
    request: AuthenticatedRequest, inspection: Inspection, form: forms.Form, message: str, field: str, *, status: int
) -> HttpResponse:
    """Return the refusal and the field it is about; re-render a plain page with what was chosen and written."""
    if is_json(request):
        return JsonResponse({"message": message, "field": field}, status=status)
    inspection.refresh_from_db()
    return _page(request, inspection, given=form.data, refusal=message, wrong=field, status=status)


def _page(request: AuthenticatedRequest, inspection: Inspection, *, status: int = 200, **more: Any) -> HttpResponse:
    left = waiting_in(inspection.assignment.slot.queue, request.user)
    context = presenters.context(inspection, left=left, **more)
    return render(request, "annotation/inspection/inspection.html", context, status=status)


def _inspection(request: AuthenticatedRequest, slug: str, assignment: int) -> Inspection:
    own = Inspection.objects.select_related("assignment__slot__item", "assignment__slot__queue__project", "rewrite")
    projects = projects_of(request.user).filter(slug=slug)
    return get_object_or_404(
        own.filter(assignment__person=request.user),
        assignment=assignment,
        assignment__slot__queue__project__in=projects,
    )
