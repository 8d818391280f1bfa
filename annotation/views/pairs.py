"""The pairs of a project, to search and to look at."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.http import urlencode
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from annotation.actions.ratings import SKIP_REASONS
from annotation.forms.pairs import PairFilter
from annotation.models import Kind, Project
from annotation.permissions import projects_of, requires
from annotation.selectors.pairs import page_of, pairs_of, sources_of


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
        "types": _type_names(project),
        "skip_reasons": SKIP_REASONS,
    }
    return render(request, "annotation/pairs.html", context)


def _type_names(project: Project) -> dict[str, str]:
    """What the types of responses are called in the reader's language, by key."""
    language = "zh" if get_language() == "zh-hans" else "en"
    guideline = project.guidelines.first()
    grades = guideline.content["grades"] if guideline else []
    return {kind["key"]: kind["name"][language] for grade in grades for kind in grade["types"]}
