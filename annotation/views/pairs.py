"""The pairs of a project, to search and to look at."""

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.http import urlencode
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from annotation.actions import adjudication
from annotation.actions.ratings import SKIP_REASONS
from annotation.forms.pairs import PairFilter
from annotation.models import Kind, Project
from annotation.permissions import projects_of, requires
from annotation.selectors.pairs import page_of, pairs_of, sources_of
from annotation.selectors.rating_rows import written

CONTENT_TYPES = {"csv": "text/csv; charset=utf-8", "jsonl": "application/jsonl"}


@requires("project.view")
@require_safe
def pairs(request: HttpRequest, slug: str) -> HttpResponse:
    project = get_object_or_404(projects_of(request.user), slug=slug, kind=Kind.RATING)
    form = PairFilter(request.GET, sources=sources_of(project))
    wanted = form.wanted()
    context = {
        "project": project,
        "form": form,
        "page": page_of(pairs_of(project, **wanted), **form.place()),
        "query": urlencode(wanted),
        "is_filtered": bool(wanted),
        "types": type_names(project),
        "skip_reasons": {**SKIP_REASONS, **adjudication.SKIP_REASONS},
        "removal_reasons": adjudication.REMOVAL_REASONS,
        "rating_formats": list(CONTENT_TYPES),
    }
    return render(request, "annotation/pairs.html", context)


@requires("project.view")
@require_safe
def ratings(request: HttpRequest, slug: str, format: str) -> StreamingHttpResponse:
    """Every grade of the project, streamed."""
    project = get_object_or_404(projects_of(request.user), slug=slug, kind=Kind.RATING)
    if format not in CONTENT_TYPES:
        raise Http404
    return StreamingHttpResponse(
        written(project, format=format),
        content_type=CONTENT_TYPES[format],
        headers={"Content-Disposition": f'attachment; filename="{slug}-ratings.{format}"'},
    )


def type_names(project: Project) -> dict[str, str]:
    """What the types of responses are called in the reader's language, by key."""
    language = "zh" if get_language() == "zh-hans" else "en"
    guideline = project.guidelines.first()
    grades = guideline.content["grades"] if guideline else []
    return {kind["key"]: kind["name"][language] for grade in grades for kind in grade["types"]}
