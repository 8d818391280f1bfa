"""Pages of agreement: figures before and after the filter, each two raters, parts, models; and to void a model."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from annotation.actions.projects.boards import AGREEMENT
from annotation.actions.rating.model_grades import void_model
from annotation.forms.agreement import VoidModelForm
from annotation.models import Kind
from annotation.permissions import project_at
from annotation.presenters.agreement import HEADER, axis_of, csv_rows, figure_rows, matrix_rows, names_of
from annotation.presenters.models_beside_people import beside_page
from annotation.presenters.projects.guideline_words import type_names
from annotation.selectors.projects.board import AgreementBoard
from annotation.selectors.projects.stored_boards import unpacked
from core.domain.statistics import DRAWS_OF_ITEMS
from core.permissions import AuthenticatedRequest, requires
from core.presenters.files import csv_download
from core.presenters.stored_figures import answer_without_figures, look_at, look_for_file, state_of
from core.views.jobs import answer_of_progress


@requires("project.view")
@require_safe
def agreement(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug, Kind.RATING)
    found = look_at(request, AGREEMENT, project)
    if answer := answer_of_progress(request, found, project, _("Agreement")):
        return answer
    board = unpacked(AgreementBoard, project, found.content)
    parts = board.parts
    rows = figure_rows(board.agreement)
    context = {
        "project": project,
        "settings": project.rating,
        "board": board,
        "agreement": board.agreement,
        "draws": DRAWS_OF_ITEMS,
        "figures": rows,
        "axis": axis_of([*(row.before for row in rows), *(row.after for row in rows)]),
        "pairs": [(names_of(pair, board.agreement), pair) for pair in board.agreement.pairs],
        "pairs_axis": axis_of(pair.kappa_quadratic for pair in board.agreement.pairs),
        "heat": matrix_rows(board.agreement, project.rating),
        "parts": parts,
        "parts_axis": axis_of(
            part.block.figures["kappa_quadratic"] for part in (*parts.sources, *parts.topics, *parts.stretches)
        ),
        "widest_gap": project.rating.gap,
        "types": type_names(project),
        "beside": beside_page(board.models, request.GET.get("model", "")),
        "guideline": project.guidelines.all()[:1].get().number,
        **state_of(request, found, project),
    }
    return render(request, "annotation/agreement/agreement.html", context)


@requires("project.view")
@require_safe
def agreement_csv(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug, Kind.RATING)
    found = look_for_file(request, AGREEMENT, project)
    if not found.is_there:
        return answer_without_figures(request, reverse("agreement", args=[slug]))
    board = unpacked(AgreementBoard, project, found.content)
    return csv_download(f"{project.slug}-agreement", HEADER, csv_rows(board))


@requires("pairs.import")
@require_http_methods(["GET", "HEAD", "POST"])
def void(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """Show how many grades of a model would be voided, then void them with a reason."""
    project = project_at(request, slug, Kind.RATING)
    model = get_object_or_404(project.grading_models.filter(voided_at=None), pk=pk)
    form = VoidModelForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        voided = void_model(model=model, why=form.cleaned_data["why"], by=request.user)
        said = ngettext("%(count)s grade was voided.", "%(count)s grades were voided.", voided)
        messages.success(request, said % {"count": voided})
        return redirect("agreement", slug)
    context = {"project": project, "model": model, "form": form, "count": model.grades.count()}
    return render(request, "annotation/agreement/void_model.html", context)
