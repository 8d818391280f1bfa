"""Page on which inspectors answer blind and then judge. Without JavaScript both steps are plain forms."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotation.actions.inspection import inspections
from annotation.forms.assignments import SkipForm
from annotation.forms.inspection import BlindAnswerForm, InspectionCommentsForm, InspectionVerdictForm, shown_field
from annotation.models import Inspection, Kind, Step
from annotation.permissions import must_still_work_in, project_at
from annotation.presenters import inspection as presenters
from annotation.presenters.skips import last_skip
from annotation.selectors.inspection.inspector_work import waiting_in
from annotation.views.one_by_one import claimed_for
from core.actions.refusals import Refused
from core.forms.sent import checked, fields_sent, is_json
from core.permissions import AuthenticatedRequest, requires
from core.presenters.refusals import status_of


@requires("instances.inspect")
@require_GET
def inspect(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug, Kind.REWRITING)
    claimed = claimed_for(request, project, Step.INSPECT)
    if not claimed:
        skipped = last_skip(project, Step.INSPECT, request.user)
        return render(request, "annotation/inspection/none.html", {"project": project, "skipped": skipped})
    return _page(request, inspections.open_assignment(assignment=claimed[0], by=request.user))


@requires("instances.inspect", is_shown_by_what_is_found=True)
@require_POST
def answer(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    inspection = _inspection(request, slug, assignment)
    try:
        form = BlindAnswerForm(fields_sent(request))
        candidate = form.candidate(inspection.order)
        took = form.cleaned_data["milliseconds"]
        inspections.answer(inspection=inspection, candidate=candidate, milliseconds=took, by=request.user)
    except Refused as refused:
        return _declined(request, inspection, refused)
    return _go_on(request, slug)


@requires("instances.inspect", is_shown_by_what_is_found=True)
@require_POST
def decide(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    inspection = _inspection(request, slug, assignment)
    sent = fields_sent(request)
    form = InspectionVerdictForm(sent)
    try:
        comments = form.comments(inspection.order)
        decided = inspections.decide(inspection=inspection, comments=comments, **form.verdict(), by=request.user)
    except Refused as refused:
        return _declined(request, inspection, refused)
    said = presenters.verdict_message(decided)
    if is_json(request) and sent.get("goes_on"):  # the next item is shown already
        return JsonResponse({"said": said, "saved_at": decided.decided_at})
    messages.success(request, said)
    return _go_on(request, slug)


@requires("instances.inspect", is_shown_by_what_is_found=True)
@require_POST
def skip(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    inspection = _inspection(request, slug, assignment)
    sent = fields_sent(request)
    try:
        comments = InspectionCommentsForm(sent).comments(inspection.order)
        inspections.skip(inspection=inspection, **checked(SkipForm(sent)), comments=comments, by=request.user)
    except Refused as refused:
        return _declined(request, inspection, refused)
    messages.success(request, _("Left to others."))
    return _go_on(request, slug)


def _go_on(request: HttpRequest, slug: str) -> HttpResponse:
    if is_json(request):
        return JsonResponse({"next": reverse("inspect", args=[slug])})
    return redirect("inspect", slug)


def _declined(request: AuthenticatedRequest, inspection: Inspection, refused: Refused) -> HttpResponse:
    """Return the refusal and the field it is about; re-render a plain page with what was chosen and written."""
    if is_json(request):
        field = shown_field(refused.field, inspection.order)
        return JsonResponse({"message": str(refused), "field": field}, status=status_of(refused))
    inspection.refresh_from_db()
    return _page(request, inspection, refused)


def _page(request: AuthenticatedRequest, inspection: Inspection, refused: Refused | None = None) -> HttpResponse:
    left = waiting_in(inspection.assignment.slot.queue, request.user)
    context = presenters.context(inspection, left=left, given=request.POST.dict(), refused=refused)
    return render(request, "annotation/inspection/inspection.html", context, status=status_of(refused))


def _inspection(request: AuthenticatedRequest, slug: str, assignment: int) -> Inspection:
    own = Inspection.objects.select_related("assignment__slot__item", "assignment__slot__queue__project", "rewrite")
    inspection = get_object_or_404(
        own.filter(assignment__person=request.user, assignment__slot__queue__project__slug=slug), assignment=assignment
    )
    must_still_work_in(request, inspection.assignment.slot.queue.project)
    return inspection
