"""Participants of a study: the list, exclusions by hand, and what their platform says of them."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from core.actions.refusals import Refused
from core.forms.lists import MOST
from core.permissions import AuthenticatedRequest, requires
from core.presenters.files import csv_download
from core.presenters.refusals import refusals_shown
from study.actions.survey import exclusions, reconciling
from study.domain.survey.phases import ParticipantState
from study.forms.people import ReasonForm, SubmissionsForm
from study.models import Study
from study.permissions import own_study
from study.presenters.pay_files import decisions_file, decisions_of, filled_list, to_approve
from study.presenters.people import people_of
from study.presenters.people_file import people_file
from study.presenters.people_list import list_of
from study.selectors.survey.pay import newest_lists, of_platform, pay_rows

UNPROCESSABLE = 422


@requires("study.view")
@require_safe
def participants(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    return render(request, "study/survey/participants.html", people_of(_study(request, slug), request.GET))


@requires("study.view")
@require_safe
def participants_csv(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Return the list as the filters in the address leave it, all its pages."""
    return people_file(_study(request, slug), request.GET)


@requires("study.manage")
@require_POST
def exclude(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Leave the chosen people out of the figures, or take that back: the button that was pressed says which."""
    study, form = _study(request, slug), ReasonForm(request.POST)
    chosen = _chosen(request, study)
    if form.is_valid():
        try:
            messages.success(request, _changed(request, study, chosen, form.cleaned_data["why"]))
        except Refused as refused:
            form.add_error("why", str(refused))
        else:
            return redirect(reverse("study_participants", args=[slug], query=request.GET))
    return _shown_again(request, study, reason_form=form, chosen=set(chosen))


@requires("study.manage")
@require_POST
def approve(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Record that the chosen people are to be paid, or take back what is recorded: the button pressed says which."""
    study = _study(request, slug)
    chosen = _chosen(request, study)
    people = list(study.participants.filter(pk__in=chosen))
    try:
        if "take_back" in request.POST:
            count = reconciling.take_back(study=study, people=people, by=request.user)
            said = ngettext("%(count)d decision is taken back.", "%(count)d decisions are taken back.", count)
        else:
            count = reconciling.approve(study=study, people=people, by=request.user)
            said = ngettext("%(count)d participant is approved.", "%(count)d participants are approved.", count)
    except Refused as refused:
        messages.error(request, str(refused))
        return _shown_again(request, study, chosen=set(chosen))
    messages.success(request, said % {"count": count})
    return redirect(reverse("study_participants", args=[slug], query=request.GET))


def _chosen(request: AuthenticatedRequest, study: Study) -> list[int]:
    """Return the keys of the chosen people: those ticked, or as many as one act is for of those the filters leave."""
    if "all" in request.POST:
        shown = (person.pay.person for person in list_of(study, request.GET).shown)
        return [person.pk for person in shown if person.state != ParticipantState.WITHDRAWN][:MOST]
    return [int(each) for each in request.POST.getlist("row")[:MOST] if _is_number(each)]


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19  # more digits than a key has


def _changed(request: AuthenticatedRequest, study: Study, chosen: list[int], why: str) -> str:
    people = list(study.participants.filter(pk__in=chosen))
    if "take_back" in request.POST:
        count = exclusions.take_back(study=study, people=people, why=why, by=request.user)
        said = ngettext("%(count)d participant counts again.", "%(count)d participants count again.", count)
    else:
        count = exclusions.exclude(study=study, people=people, why=why, by=request.user)
        said = ngettext("%(count)d person is excluded.", "%(count)d people are excluded.", count)
    return said % {"count": count}


@requires("study.manage")
@require_POST
def reconcile(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Read a platform's list."""
    study, form = _study(request, slug), SubmissionsForm(request.POST, request.FILES)
    if form.is_valid():
        file = form.cleaned_data["file"]
        try:
            reconciling.read_list(study=study, file=file, name=file.name, by=request.user)
        except Refused as refused:
            form.add_error("file", str(refused))
        else:
            messages.success(request, _("The list is read. Nothing is decided yet."))
            return redirect("study_participants", slug)
    return _shown_again(request, study, list_form=form)


@requires("study.manage")
@require_POST
def decide(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Record the proposed decisions and return them as a file for the platform: of MTurk its own, filled in."""
    study = _study(request, slug)
    platform = _platform(study, request.POST)
    if platform == "mturk":
        return _fill_in(request, study)
    with refusals_shown(request):
        rows = reconciling.record_decisions(study=study, platform=platform, by=request.user)
        return decisions_file(study, platform, rows)
    return redirect("study_participants", slug)


def _fill_in(request: AuthenticatedRequest, study: Study) -> HttpResponse:
    """Return the batch results that were sent with the decisions filled in, and record those that are open."""
    form, rows = SubmissionsForm(request.POST, request.FILES), of_platform("mturk", pay_rows(study))
    if form.is_valid():
        file, decisions = form.cleaned_data["file"], decisions_of(rows)
        try:
            header, *filled = filled_list(study, reconciling.batch_results(file, file.name, decisions), decisions)
        except Refused as refused:
            form.add_error("file", str(refused))
        else:
            if any(row.is_open or row.changed_after for row in rows):
                reconciling.record_decisions(study=study, platform="mturk", by=request.user)
            return csv_download(f"{study.slug}-batch", header, filled)
    return _shown_again(request, study, batch_form=form)


@requires("study.manage")
@require_safe
def approvals(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Return the ids of the people whom to approve is recorded and who are not approved yet, for a bulk approval."""
    study = _study(request, slug)
    rows = of_platform("prolific", pay_rows(study))
    waiting = [row for row in rows if row.record and row.record.decision == row.owed.decision]
    named = {"Content-Disposition": f'attachment; filename="{study.slug}-approve.txt"'}
    return HttpResponse(to_approve(decisions_of(waiting)), content_type="text/plain; charset=utf-8", headers=named)


@requires("study.manage")
@require_safe
def decisions_csv(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Return the recorded decisions as a file for the platform once more."""
    study = _study(request, slug)
    return decisions_file(study, _platform(study, request.GET), pay_rows(study))


def _platform(study: Study, sent: QueryDict) -> str:
    """Return the platform that a page names, else that of the newest list."""
    return sent.get("platform") or next(reversed(newest_lists(study)), "")


def _shown_again(request: AuthenticatedRequest, study: Study, **forms: Any) -> HttpResponse:
    context = people_of(study, request.GET, chose_all="all" in request.POST, **forms)
    return render(request, "study/survey/participants.html", context, status=UNPROCESSABLE)


def _study(request: AuthenticatedRequest, slug: str) -> Study:
    study = own_study(request, slug)
    if study.is_imported:
        raise Http404
    return study
