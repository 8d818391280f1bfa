"""The quality board: how each rater works, for the people who supervise them."""

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.actions.projects.boards import QUALITY
from annotation.forms.payable import PeriodForm, this_month
from annotation.models import Kind
from annotation.permissions import project_at
from annotation.presenters.agreement import axis_of
from annotation.presenters.projects.board import top_share
from annotation.presenters.projects.guideline_words import type_names
from annotation.presenters.quality import HEADER, csv_rows, drift_words
from annotation.selectors.projects.board import QualityBoard
from annotation.selectors.projects.stored_boards import unpacked
from annotation.selectors.qualification.qualification import paused_in
from annotation.selectors.quality.quality import described_quality
from core.permissions import AuthenticatedRequest, may, requires
from core.presenters.files import csv_download
from core.presenters.stored_figures import answer_without_figures, look_at, look_for_file, state_of
from core.views.jobs import answer_of_progress


@requires("raters.judge")
@require_safe
def quality(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug, Kind.RATING)
    look = look_at(request, QUALITY, project)
    if answer := answer_of_progress(request, look, project, _("Quality")):
        return answer
    board = unpacked(QualityBoard, project, look.content)
    found = board.quality
    types = found.types()
    names = type_names(project)
    context = {
        "project": project,
        "settings": project.rating,
        "board": board,
        "quality": found,
        "people": [(person, drift_words(person.drift)) for person in found.people],
        "types": [names.get(kind, kind) for kind in types],
        "type_rows": [
            (person.progress.label, [person.types[kind] for kind in types], person.types.total())
            for person in found.people
            if person.types
        ],
        "top_share": top_share([person.progress for person in found.people]),
        "pairs": [([found.raters[position] for position in pair.raters], pair) for pair in found.pairs],
        "pairs_axis": axis_of(pair.kappa_quadratic for pair in found.pairs),
        "period": PeriodForm(initial=this_month()) if may(request.user, "project.manage", within=project) else None,
        "paused": paused_in([project]),
        "may_view": may(request.user, "project.view", within=project),
        **state_of(request, look, project),
    }
    return render(request, "annotation/quality/quality.html", context)


@requires("raters.judge")
@require_safe
def quality_csv(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug, Kind.RATING)
    look = look_for_file(request, QUALITY, project)
    if not look.is_there:
        return answer_without_figures(request, reverse("quality", args=[slug]))
    report = described_quality(unpacked(QualityBoard, project, look.content).quality)
    return csv_download(f"{project.slug}-quality", HEADER, csv_rows(report))
