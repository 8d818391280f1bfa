"""Pages of releases: what would go in now, freezing it, and the frozen ones."""

from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotation.actions.releases import releases as actions
from annotation.models import Kind, Release
from annotation.permissions import project_at
from annotation.presenters.releases import release_tables, rewriting_release
from annotation.presenters.releases.releases import prospect_page, release_zip
from annotation.selectors.releases.releases import equal_before, formats_of
from core.actions.refusals import Refused
from core.permissions import AuthenticatedRequest, requires
from core.tasks import dispatch

UNPROCESSABLE = 422


@requires("release.read")
@require_safe
def releases(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug)
    return render(request, "annotation/releases/releases.html", prospect_page(project))


@requires("release.freeze")
@require_POST
def freeze(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug)
    context = prospect_page(project, request.POST)
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
    return render(request, "annotation/releases/release.html", context | release_tables.context(found))


@requires("release.read")
@require_safe
def export(request: AuthenticatedRequest, slug: str, number: int, format: str) -> FileResponse:
    found = _release(request, slug, number)
    variant = request.GET.get("variant", "")
    if format not in formats_of(found.project) or (variant and variant not in found.variants):
        raise Http404
    return release_zip(found, format, variant)


def _release(request: AuthenticatedRequest, slug: str, number: int) -> Release:
    found = Release.objects.select_related("project", "frozen_by").filter(project=project_at(request, slug))
    return get_object_or_404(found, number=number)
