"""Pages of the pairs of a project: search and read."""

from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from annotation.actions.adjudication import adjudication
from annotation.actions.rating.ratings import SKIP_REASONS
from annotation.forms.rating.pairs import PairFilter
from annotation.models import Kind
from annotation.permissions import project_at
from annotation.presenters.projects.guideline_words import type_names
from annotation.presenters.releases.releases import RATING_TYPES, ratings_file
from annotation.selectors.rating.pairs import page_of, pairs_of, sources_of
from core.permissions import AuthenticatedRequest, requires


@requires("project.view")
@require_safe
def pairs(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug, Kind.RATING)
    form = PairFilter(request.GET, sources=sources_of(project))
    wanted = form.wanted()
    context = {
        "project": project,
        "form": form,
        "page": page_of(pairs_of(project, **wanted), **form.position()),
        "query": urlencode(wanted),
        "is_filtered": bool(wanted),
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
