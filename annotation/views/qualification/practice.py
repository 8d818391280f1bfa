"""Practice before rating: pairs with a known grade, one by one, each followed by that grade."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from annotation.actions.qualification import qualification
from annotation.domain.qualification.qualification import QualificationStatus
from annotation.forms.rating.rating import GradeForm
from annotation.models import Kind
from annotation.permissions import project_at
from annotation.presenters.qualification import practice_context, standing_context
from annotation.selectors.projects.guidelines import last_known
from annotation.selectors.qualification.qualification import annotator_of, graded_at, next_practice
from core.actions.refusals import Refused
from core.forms.sent import checked
from core.permissions import AuthenticatedRequest, requires
from core.presenters.refusals import refusals_shown


@requires("pairs.rate")
@require_safe
def practice(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Show the pair to grade next, a graded one with its known grade (`?shown=`), or the state of the practice."""
    project = project_at(request, slug, Kind.RATING)
    annotator = annotator_of(project, request.user)
    shown = graded_at(annotator, request.GET.get("shown", ""))
    if not shown and last_known(project, request.user):
        return redirect("guideline_news", slug)
    upcoming = next_practice(annotator.attempts[-1]) if annotator.status == QualificationStatus.UNDER_WAY else None
    if pair := shown or upcoming:
        return render(request, "annotation/qualification/practice.html", practice_context(project, annotator, pair))
    return render(request, "annotation/qualification/practice_standing.html", standing_context(project, annotator))


@requires("pairs.rate")
@require_POST
def begin(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    with refusals_shown(request):
        qualification.begin(project=project_at(request, slug, Kind.RATING), by=request.user)
    return redirect("practice", slug)


@requires("pairs.rate")
@require_POST
def answer(request: AuthenticatedRequest, slug: str, position: int) -> HttpResponse:
    project = project_at(request, slug, Kind.RATING)
    try:
        sent = checked(GradeForm(request.POST))
        grade, reason = sent["grade"], sent["reason"]
        qualification.practise(project=project, position=position, grade=grade, reason=reason, by=request.user)
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("practice", slug)
    return redirect(f"{reverse('practice', args=[slug])}?shown={position}")
