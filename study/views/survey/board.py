"""Board of a study: who came, by group and form, and what of the plan is not met yet; it is extended and closed."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from core.actions.refusals import Refused
from core.permissions import AuthenticatedRequest, requires
from core.presenters import polls
from core.presenters.refusals import refusals_shown
from study.actions.survey import deviations
from study.actions.survey import studies as actions
from study.domain.survey.phases import StudyState
from study.forms.extending import ExtendPlanForm
from study.forms.studies import CloseForm
from study.models import Study
from study.permissions import own_study
from study.presenters.board import board_of

UNPROCESSABLE = 422


@requires("study.view")
@require_safe
def board(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    study = own_study(request, slug)
    if study.is_imported:
        raise Http404
    return render(request, "study/survey/board.html", _page_of(study))


def _page_of(study: Study, **forms: Any) -> dict[str, Any]:
    return board_of(study) | {"closing": CloseForm(), "extending": ExtendPlanForm(study=study)} | forms


@requires("study.view")
@require_safe
def counts(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Return the parts of the board for a page that polls; it loads again when the study is no longer open."""
    study = own_study(request, slug)
    if study.state != StudyState.OPEN:
        return polls.lead_to(reverse("study" if study.is_imported else "study_board", args=[slug]))
    return polls.parts(render_to_string("study/survey/_board.html", board_of(study), request))


@requires("study.manage")
@require_POST
def close(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    study, form = own_study(request, slug), CloseForm(request.POST)
    if not form.is_valid():
        return render(request, "study/survey/board.html", _page_of(study, closing=form), status=UNPROCESSABLE)
    with refusals_shown(request):
        actions.close(study=study, why=form.cleaned_data["why"], by=request.user)
        messages.success(request, _("The study is closed: no one can join now."))
    return redirect("study_board", slug)


@requires("study.manage")
@require_POST
def extend(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Let more people into an open study, or let them join longer."""
    study = own_study(request, slug)
    form = ExtendPlanForm(request.POST, study=study)
    if form.is_valid():
        try:
            deviations.extend_plan(study=study, **form.wanted, by=request.user)
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("The study is extended, and the plan lists it."))
            return redirect("study_board", slug)
    return render(request, "study/survey/board.html", _page_of(study, extending=form), status=UNPROCESSABLE)
