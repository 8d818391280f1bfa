"""Requests that take back a text or a verdict of the last minutes."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from annotation.actions.inspection.taking_back import take_back_verdict
from annotation.actions.rewriting.taking_back import take_back_text
from annotation.models import Step
from annotation.permissions import own_assignment
from core.permissions import AuthenticatedRequest, requires
from core.presenters.refusals import refusals_shown


@requires("instances.write")
@require_POST
def rewriting(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    own = own_assignment(request, slug, assignment, Step.WRITE)
    next_page = reverse("own_work", args=[slug])
    with refusals_shown(request):
        take_back_text(assignment=own, by=request.user)
        messages.success(request, _("Taken back. It is your draft again."))
        next_page = reverse("write", args=[slug], query={"assignment": assignment})
    return redirect(next_page)


@requires("instances.inspect")
@require_POST
def inspection(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    own = own_assignment(request, slug, assignment, Step.INSPECT)
    next_page = reverse("own_work", args=[slug])
    with refusals_shown(request):
        take_back_verdict(assignment=own, by=request.user)
        messages.success(request, _("Taken back. Your comments are kept: judge it again."))
        next_page = reverse("inspect", args=[slug])
    return redirect(next_page)
