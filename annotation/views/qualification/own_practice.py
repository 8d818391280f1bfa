"""Page of an author's practice: its state, and the inspectors' comments. Drafts are written on the writing page."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.models import Kind
from annotation.permissions import project_at
from annotation.presenters.qualification import shown_drafts, why_not_writing
from annotation.selectors.qualification.practice_drafts import practice_of
from core.permissions import AuthenticatedRequest, requires


@requires("instances.write")
@require_safe
def own_practice(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug, Kind.REWRITING)
    practice = practice_of(project, request.user)
    context = {
        "project": project,
        "practice": practice,
        "annotator": practice.annotator,
        "settings": project.rewriting,
        "why_not": why_not_writing(practice),
        "drafts": shown_drafts(project, request.user),
    }
    return render(request, "annotation/qualification/own_practice.html", context)
