"""A rater's own progress in a project. Nobody else's work stands here."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.actions.ratings import SKIP_REASONS
from annotation.models import Kind
from annotation.permissions import projects_of, requires
from annotation.selectors import own_progress as selectors
from annotation.views.pairs import type_names


@requires("pairs.rate")
@never_cache
@require_safe
def own_progress(request: HttpRequest, slug: str) -> HttpResponse:
    project = get_object_or_404(projects_of(request.user), slug=slug, kind=Kind.RATING)
    own = selectors.own_progress(project, request.user)
    context = {
        "project": project, "own": own, "type_names": type_names(project), "skip_reasons": SKIP_REASONS,
        "given": sum(times for _kind, times in own.types),
    }  # fmt: skip
    return render(request, "annotation/own_progress.html", context)
