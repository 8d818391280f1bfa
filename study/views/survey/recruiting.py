"""Recruiting of an open study, changed from its board: joining paused and resumed."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from core.permissions import AuthenticatedRequest, requires
from core.presenters.refusals import refusals_shown
from study.actions.survey import recruiting
from study.permissions import own_study


@requires("study.manage")
@require_POST
def pause(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    with refusals_shown(request):
        recruiting.pause(study=own_study(request, slug), by=request.user)
        messages.success(request, _("Joining is paused. Participants under way may finish."))
    return redirect("study_board", slug)


@requires("study.manage")
@require_POST
def resume(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    with refusals_shown(request):
        recruiting.resume(study=own_study(request, slug), by=request.user)
        messages.success(request, _("Participants can join again."))
    return redirect("study_board", slug)
