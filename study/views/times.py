"""Times of the people in a study: at a question and in the whole survey; not while people still answer."""

from functools import lru_cache, partial
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.permissions import AuthenticatedRequest, requires
from core.presenters.files import FORMATS, csv_download, drawing
from core.presenters.stored_figures import figures_as_drawing, figures_as_file, look_at, look_for_file, state_of
from core.views.jobs import answer_of_progress
from study.actions.results import TIMES
from study.figures import draw_times
from study.models import Study
from study.permissions import own_study
from study.presenters.results.plots import plots_of
from study.presenters.results.times import (
    HEADER,
    csv_rows,
    figure_rows,
    rows_of_questions,
    rows_of_survey,
    too_fast,
)
from study.selectors.results.results import is_readable
from study.views.results import readable

DRAWINGS_KEPT = 16  # by a process: to draw one takes longer than all else on the page
_drawn = lru_cache(DRAWINGS_KEPT)(draw_times)


@requires("study.view")
@require_safe
def times(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    study = own_study(request, slug)
    if not is_readable(study):
        return render(request, "study/results/not_yet.html", {"study": study, "title": _("Times")})
    look = look_at(request, TIMES, study)
    if answer := answer_of_progress(request, look, study, _("Times")):
        return answer
    questions, survey = rows_of_questions(look.content), rows_of_survey(look.content)
    context = {
        "study": study,
        "survey": study.survey,
        "questions": questions,
        "whole": survey,
        "all_questions": questions[0],
        "all_surveys": survey[0] if survey else None,
        "ratios": look.content["ratios"],
        "without_time": look.content["without_time"],
        "rule": look.content["too_fast"],
        "too_fast": too_fast(study, look.content),
        "plots": plots_of(study, look.content),
        "has_figure": bool(figure_rows(look.content)),
        "figure_query": f"lang={get_language() or ''}",
        "formats": list(FORMATS),
        **state_of(request, look, study),
    }
    return render(request, "study/results/times.html", context)


@requires("study.view")
@require_safe
def times_csv(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    study = readable(request, slug)

    def file_of(content: Any) -> HttpResponse:
        return csv_download(f"{study.slug}-times", HEADER, csv_rows(content))

    return figures_as_file(request, look_for_file(request, TIMES, study), _page(study), file_of)


@requires("study.view")
@require_safe
def times_figure(request: AuthenticatedRequest, slug: str, format: str) -> HttpResponse:
    """Return the figure in a theme and a size."""
    study = readable(request, slug)

    def file_of(content: Any) -> HttpResponse:
        rows = figure_rows(content)
        if not rows:
            raise Http404
        draw = partial(_drawn, rows, axis=_("Seconds per question"))
        return drawing(request.GET, draw, name=f"{study.slug}-times", format=format)

    return figures_as_drawing(request, look_at(request, TIMES, study), _page(study), file_of)


def _page(study: Study) -> str:
    return reverse("study_times", args=[study.slug])
