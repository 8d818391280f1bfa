"""Recruiting of an open study, changed from its page: joining paused and resumed, a quota extended."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from core.permissions import AuthenticatedRequest, requires
from core.presenters.refusals import refusals_shown
from study.actions.survey import recruiting
from study.forms.studies import ExtendForm
from study.permissions import own_study
from study.presenters.studies import section_of


@requires("study.manage")
@require_POST
def pause(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    with refusals_shown(request):
        recruiting.pause(study=own_study(request, slug), by=request.user)
        messages.success(request, _("Joining is paused. Participants under way may finish."))
    return redirect("study", slug)


@requires("study.manage")
@require_POST
def resume(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    with refusals_shown(request):
        recruiting.resume(study=own_study(request, slug), by=request.user)
        messages.success(request, _("People can join again."))
    return redirect("study", slug)


@requires("study.manage")
@require_POST
def extend(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    study = own_study(request, slug)
    group = get_object_or_404(study.groups.all(), pk=pk)
    form = ExtendForm(request.POST)
    if form.is_valid():
        with refusals_shown(request):
            recruiting.extend(group=group, **form.cleaned_data, by=request.user)
            messages.success(request, _("The group “%(group)s” is changed.") % {"group": group})
    else:
        messages.error(request, " ".join(str(each) for errors in form.errors.values() for each in errors))
    return redirect(section_of(study, "groups"))
