"""The items of a rewriting project, to search and to look at."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from annotation.actions import inspections, rewrites
from annotation.domain.rewriting import CANDIDATES, CONTEXT, CUT, LETTERS
from annotation.forms.items import ItemFilter
from annotation.models import Kind
from annotation.permissions import requires
from annotation.selectors.items import item_page, items_of
from annotation.views.loading import project_at

LETTER_OF = dict(zip(CANDIDATES, LETTERS, strict=True))


@requires("project.view")
@require_safe
def items(request: HttpRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug, Kind.REWRITING)
    form = ItemFilter(request.GET)
    wanted = form.wanted()
    context = {
        "project": project,
        "form": form,
        "page": item_page(items_of(project, **wanted), **form.place()),
        "query": urlencode(wanted),
        "is_filtered": bool(wanted),
        "fields": {CUT: pgettext("comment on", "the cut"), CONTEXT: pgettext("comment on", "the context"), **LETTER_OF},
        "skip_reasons": inspections.SKIP_REASONS | rewrites.SKIP_REASONS,
    }
    return render(request, "annotation/items.html", context)
