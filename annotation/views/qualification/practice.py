"""Practice before rating: pairs with a known grade, one by one, each followed by that grade."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.actions.qualification import qualification
from annotation.domain.qualification.qualification import QualificationStatus
from annotation.forms.rating.rating import GradeForm
from annotation.models import Kind, PracticeGrade, Project
from annotation.permissions import project_at
from annotation.presenters.projects.guideline_words import type_names
from annotation.presenters.qualification import reached, why_not
from annotation.presenters.rating import scale_of
from annotation.selectors.qualification.qualification import QualifiedAnnotator, annotator_of, next_practice
from core.actions.refusals import Refused
from core.permissions import AuthenticatedRequest, requires
from core.templatetags.page import language_of


@requires("pairs.rate")
@never_cache
@require_safe
def practice(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Show the pair to grade next, a graded one with its known grade (`?shown=`), or the state of the practice."""
    project = project_at(request, slug, Kind.RATING)
    annotator = annotator_of(project, request.user)
    shown = _graded(annotator, request.GET.get("shown", ""))
    upcoming = next_practice(annotator.attempts[-1]) if annotator.status == QualificationStatus.UNDER_WAY else None
    if pair := shown or upcoming:
        return render(request, "annotation/qualification/practice.html", _pair(project, annotator, pair))
    attempt = annotator.last_attempt
    context = {
        "project": project,
        "annotator": annotator,
        "why_not": why_not(project, annotator),
        "settings": project.rating,
        "least_kappa": f"{project.rating.least_kappa:.2f}",
        "reached": reached(attempt, project) if attempt else "",
    }
    return render(request, "annotation/qualification/practice_standing.html", context)


@requires("pairs.rate")
@require_POST
def begin(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    try:
        qualification.begin(project=project_at(request, slug, Kind.RATING), by=request.user)
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("practice", slug)


@requires("pairs.rate")
@require_POST
def answer(request: AuthenticatedRequest, slug: str, position: int) -> HttpResponse:
    project = project_at(request, slug, Kind.RATING)
    form = GradeForm(request.POST)
    if not form.is_valid():
        messages.error(request, str(next(iter(form.errors.values()))[0]))
        return redirect("practice", slug)
    grade, reason = form.cleaned_data["grade"], form.cleaned_data["reason"]
    try:
        qualification.practise(project=project, position=position, grade=grade, reason=reason, by=request.user)
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("practice", slug)
    return redirect(f"{reverse('practice', args=[slug])}?shown={position}")


def _graded(annotator: QualifiedAnnotator, position: str) -> PracticeGrade | None:
    """Return the pair at this position of the last attempt if it is graded; its known grade is hidden before."""
    if not position.isascii() or not position.isdigit() or len(position) > 4 or not annotator.attempts:
        return None
    graded = annotator.attempts[-1].grades.filter(position=int(position), grade__isnull=False)
    return graded.select_related("item__gold").first()


def _pair(project: Project, annotator: QualifiedAnnotator, current: PracticeGrade) -> dict[str, Any]:
    grades = list(annotator.attempts[-1].grades.select_related("item__gold"))
    given = [each for each in grades if each.grade is not None]
    known = current.item.gold if current.grade is not None else None
    texts = current.item.content
    return {
        "project": project,
        "annotator": annotator,
        **scale_of(project.guidelines.all()[:1].get()),
        "position": current.position,
        "of": len(grades),
        "share": len(given) / len(grades),
        "is_last": len(given) == len(grades),
        "right": sum(each.grade == each.item.gold.grade for each in given),
        "graded": len(given),
        "pair": {name: {"text": texts[name], "lang": language_of(texts[name])} for name in ("prompt", "response")},
        "known": known,
        "changing": known,
        "given": current,
        "types": type_names(project),
        "apart": abs(known.grade - (current.grade or 0)) if known else 0,
    }
