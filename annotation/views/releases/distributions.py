"""The two figures of a release of rated pairs, as drawings and as tables to download."""

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from annotation.models import Kind, Release
from annotation.permissions import project_at
from annotation.presenters.releases.distributions import Distribution, distributions_of
from core.permissions import AuthenticatedRequest, requires
from core.presenters.files import csv_download, drawing


@requires("release.read")
@require_safe
def figure(request: AuthenticatedRequest, slug: str, number: int, name: str, format: str) -> HttpResponse:
    found = _distribution(request, slug, number, name)
    return drawing(request.GET, found.draw, name=f"{slug}-{number}-{name}", format=format)


@requires("release.read")
@require_safe
def table(request: AuthenticatedRequest, slug: str, number: int, name: str) -> HttpResponse:
    found = _distribution(request, slug, number, name)
    rows = [(bar.number, bar.count, bar.share) for bar in found.bars]
    return csv_download(f"{slug}-{number}-{name}", ("number", "count", "share"), rows)


def _distribution(request: AuthenticatedRequest, slug: str, number: int, name: str) -> Distribution:
    project = project_at(request, slug, Kind.RATING)
    release = get_object_or_404(Release, project=project, number=number)
    try:
        return distributions_of(release)[name]
    except KeyError:
        raise Http404 from None
