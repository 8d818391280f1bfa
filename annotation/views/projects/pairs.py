"""Page of the pairs of a project: find, sort and read; and all their grades as a file."""

from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.actions.adjudication import adjudication
from annotation.actions.rating.ratings import SKIP_REASONS
from annotation.forms.rating.pairs import PairFilter
from annotation.models import Kind
from annotation.permissions import project_at
from annotation.presenters.projects.bulk import acts_of
from annotation.presenters.projects.guideline_words import type_names
from annotation.presenters.releases.releases import RATING_TYPES, ratings_file
from annotation.selectors.rating.pairs import PAGE, pairs_of, rows_of, sorted_pairs
from core.permissions import AuthenticatedRequest, requires
from core.presenters.lists import ShownList


@requires("project.view")
@require_safe
def pairs(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug, Kind.RATING)
    form = PairFilter(request.GET, project=project)
    found = sorted_pairs(pairs_of(project, **form.wanted()), project, form.sorting())
    context = {
        "project": project,
        "list": ShownList(form, found, size=PAGE, number=request.GET.get("page"), rows=rows_of),
        "acts": acts_of(project),
        "types": type_names(project),
        "skip_reasons": {**SKIP_REASONS, **adjudication.SKIP_REASONS},
        "removal_reasons": adjudication.REMOVAL_REASONS,
        "rating_formats": list(RATING_TYPES),
    }
    return render(request, "annotation/projects/pairs.html", context)


@requires("project.view")
@require_safe
def ratings(request: AuthenticatedRequest, slug: str, format: str) -> StreamingHttpResponse:
    """Download every grade of the project as a stream."""
    project = project_at(request, slug, Kind.RATING)
    if format not in RATING_TYPES:
        raise Http404
    return ratings_file(project, format)
