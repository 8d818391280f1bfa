"""Board of a study: who came, by group and form, and what of the plan is not met yet; closing the study."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from core.permissions import AuthenticatedRequest, requires
from core.presenters import polls
from core.presenters.refusals import refusals_shown
from study.actions.survey import studies as actions
from study.domain.survey.phases import StudyState
from study.forms.studies import CloseForm
from study.permissions import own_study
from study.presenters.board import board_of

UNPROCESSABLE = 422


@requires("study.view")
@require_safe
def board(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    study = own_study(request, slug)
    if study.is_imported:
        raise Http404
    return render(request, "study/survey/board.html", board_of(study) | {"closing": CloseForm()})


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
        context = board_of(study) | {"closing": form}
        return render(request, "study/survey/board.html", context, status=UNPROCESSABLE)
    with refusals_shown(request):
        actions.close(study=study, why=form.cleaned_data["why"], by=request.user)
        messages.success(request, _("The study is closed: no one can join now."))
    return redirect("study_board", slug)
