"""Pages of releases: what would go in now, freezing it, and the frozen ones."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import get_language
from django.views.decorators.http import require_POST, require_safe

from annotation.actions.releases import releases as actions
from annotation.forms.releases import FreezeForm
from annotation.models import Kind, Project, Release
from annotation.permissions import project_at
from annotation.presenters.releases import rewriting_release
from annotation.presenters.releases.downloads import release_zip
from annotation.presenters.releases.release_tables import (
    agreement_axis,
    agreement_rows,
    is_on_the_study_s_scale,
    statistics_rows,
    type_rows,
)
from annotation.selectors.releases.releases import (
    equal_before,
    formats_of,
    freezing_job,
    prospect_of,
    releases_of,
    safe_replies,
    unchanged_since,
)
from annotation.views.releases.distributions import distributions_of
from core.actions.refusals import Refused
from core.permissions import AuthenticatedRequest, requires
from core.presenters.drawings import FORMATS
from core.presenters.jobs import watch
from core.tasks import dispatch

UNPROCESSABLE = 422


@requires("release.read")
@require_safe
def releases(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug)
    return render(request, "annotation/releases/releases.html", _prospect(project))


@requires("release.freeze")
@require_POST
def freeze(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug)
    context = _prospect(project, request.POST)
    form = context["form"]
    if not form.is_valid():
        return render(request, "annotation/releases/releases.html", context, status=UNPROCESSABLE)
    wanted = {name: form.cleaned_data[name] for name in ("number", "seed", "safe_replies")}
    try:
        dispatch(actions.ask_for_freeze(project=project, **wanted, by=request.user))
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("releases", slug)


@requires("release.read")
@require_safe
def release(request: AuthenticatedRequest, slug: str, number: int) -> HttpResponse:
    found = _release(request, slug, number)
    context = {
        "project": found.project,
        "release": found,
        "equal": equal_before(found),
        "formats": formats_of(found.project),
    }
    if found.project.kind == Kind.REWRITING:
        return render(request, "annotation/releases/rewriting_release.html", context | rewriting_release.context(found))
    return render(request, "annotation/releases/release.html", context | _tables(found))


def _tables(found: Release) -> dict[str, Any]:
    """Return what the page of rated pairs shows in addition."""
    rows = agreement_rows(found)
    return {
        "statistics": statistics_rows(found),
        "with_study": is_on_the_study_s_scale(found),
        "distributions": distributions_of(found).values(),
        "figure_formats": list(FORMATS),
        # The language is in the address, because browsers cache the figures.
        "figure_query": urlencode({"lang": get_language()}),
        "types": type_rows(found),
        "agreement": found.agreement,
        "figures": rows,
        "axis": agreement_axis(rows),
    }


@requires("release.read")
@require_safe
def export(request: AuthenticatedRequest, slug: str, number: int, format: str) -> FileResponse:
    found = _release(request, slug, number)
    variant = request.GET.get("variant", "")
    if format not in formats_of(found.project) or (variant and variant not in found.variants):
        raise Http404
    return release_zip(found, format, variant)


def _prospect(project: Project, typed: Any = None) -> dict[str, Any]:
    job = freezing_job(project)  # first, so that the release of a job that ends in between is not missed
    prospect = prospect_of(project)
    newest = project.releases.first()
    replies = safe_replies(project) if project.kind == Kind.REWRITING else ()
    is_recent = job is not None and (newest is None or job.created_at > newest.frozen_at)
    return {
        "project": project,
        "prospect": prospect,
        "form": FreezeForm(typed, next_number=prospect.number, replies=replies),
        "releases": releases_of(project),
        "unchanged": unchanged_since(newest, prospect) if newest else None,
        "watch": watch(job) if job and not job.is_over else None,
        "ended": watch(job) if job and is_recent and job.came_to_nothing else None,
    }


def _release(request: AuthenticatedRequest, slug: str, number: int) -> Release:
    found = Release.objects.select_related("project", "frozen_by").filter(project=project_at(request, slug))
    return get_object_or_404(found, number=number)
