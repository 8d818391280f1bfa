"""Page of a project's gold pairs, and to import them."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotation.actions.imports.refused_rows import RowsRefused
from annotation.actions.qualification.gold import import_gold
from annotation.forms.imports import GoldForm
from annotation.importers.rows import BadRow
from annotation.models import Kind, Project
from annotation.permissions import project_at
from annotation.presenters.projects.guideline_words import type_names
from annotation.presenters.qualification import imported_gold
from annotation.selectors.imports import refusal_of
from annotation.selectors.qualification.gold import gold_of
from core.permissions import AuthenticatedRequest, requires

PAGE = 50
LISTED = 100  # refused rows


@requires("pairs.import")
@require_http_methods(["GET", "HEAD", "POST"])
def gold(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """List the pairs and import a file of further ones; list the rows of a refused file."""
    project = project_at(request, slug, Kind.RATING)
    form = GoldForm(request.POST or None, request.FILES or None)
    refused: list[BadRow] = []
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        try:
            outcome = import_gold(
                project=project,
                source=file,
                file_name=file.name,
                corrects=form.cleaned_data["corrects"],
                by=request.user,
            )
        except RowsRefused as rows:
            refused = rows.rows
        else:
            messages.success(request, imported_gold(*outcome))
            return redirect("gold", slug)
    return render(request, "annotation/qualification/gold.html", _page(request, project, refused) | {"form": form})


def _page(request: HttpRequest, project: Project, refused: list[BadRow]) -> dict[str, Any]:
    pairs = gold_of(project).select_related("gold").order_by("-position")
    return {
        "project": project,
        "page": Paginator(pairs, PAGE).get_page(request.GET.get("page", "1")),
        "types": type_names(project),
        "refused": [refusal_of(row) for row in refused[:LISTED]],
        "refused_count": len(refused),
        "listed": LISTED,
    }
