"""Page of an annotator's own progress in a project; it shows no other person's work."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.actions.rating.ratings import SKIP_REASONS
from annotation.models import Kind
from annotation.permissions import project_at
from annotation.presenters.projects.guideline_words import type_names
from annotation.presenters.qualification import why_not
from annotation.selectors.qualification.qualification import annotator_of
from annotation.selectors.rating import own_progress as selectors
from core.permissions import AuthenticatedRequest, requires


@requires("pairs.rate")
@require_safe
def own_progress(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug, Kind.RATING)
    own = selectors.own_progress(project, request.user)
    context = {
        "project": project,
        "own": own,
        "type_names": type_names(project),
        "skip_reasons": SKIP_REASONS,
        "stopped": why_not(project, annotator_of(project, request.user)),
        "given": sum(times for _kind, times in own.types),
    }
    return render(request, "annotation/rating/own_progress.html", context)
