"""Participants of a study: the list, exclusions by hand, and what their platform says of them."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from core.actions.refusals import Refused
from core.permissions import AuthenticatedRequest, requires
from core.presenters.files import csv_download
from core.presenters.refusals import refusals_shown
from study.actions.survey import exclusions, reconciling
from study.forms.people import ReasonForm, SubmissionsForm
from study.models import Study
from study.permissions import own_study
from study.presenters.pay_files import decisions_file, decisions_of, filled_list, to_approve
from study.presenters.people import people_of
from study.selectors.survey.pay import is_of_mturk, pay_rows

UNPROCESSABLE = 422
MOST_CHOSEN = 200


@requires("study.view")
@require_safe
def participants(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    return render(request, "study/survey/participants.html", people_of(_study(request, slug), request.GET))


@requires("study.manage")
@require_POST
def exclude(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Leave the chosen people out of the figures, or take that back: the button that was pressed says which."""
    study, form = _study(request, slug), ReasonForm(request.POST)
    chosen = [each for each in request.POST.getlist("person")[:MOST_CHOSEN] if each.isdigit()]
    if not form.is_valid():
        context = people_of(study, request.GET, reason_form=form, chosen=set(map(int, chosen)))
        return render(request, "study/survey/participants.html", context, status=UNPROCESSABLE)
    people = list(study.participants.filter(pk__in=chosen))
    with refusals_shown(request):
        if "take_back" in request.POST:
            count = exclusions.take_back(study=study, people=people, **form.cleaned_data, by=request.user)
            said = ngettext("%(count)d person counts again.", "%(count)d people count again.", count)
        else:
            count = exclusions.exclude(study=study, people=people, **form.cleaned_data, by=request.user)
            said = ngettext("%(count)d person is excluded.", "%(count)d people are excluded.", count)
        messages.success(request, said % {"count": count})
    return redirect("study_participants", slug)


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
    context = people_of(study, request.GET, list_form=form)
    return render(request, "study/survey/participants.html", context, status=UNPROCESSABLE)


@requires("study.manage")
@require_POST
def decide(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Record the proposed decisions and return them as a file for the platform: of MTurk its own, filled in."""
    study = _study(request, slug)
    if is_of_mturk(study):
        return _fill_in(request, study)
    with refusals_shown(request):
        return decisions_file(study, reconciling.record_decisions(study=study, by=request.user))
    return redirect("study_participants", slug)


def _fill_in(request: AuthenticatedRequest, study: Study) -> HttpResponse:
    """Return the batch results that were sent with the decisions filled in, and record those that are open."""
    form, rows = SubmissionsForm(request.POST, request.FILES), pay_rows(study)
    if form.is_valid():
        file, decisions = form.cleaned_data["file"], decisions_of(rows)
        try:
            header, *filled = filled_list(study, reconciling.batch_results(file, file.name, decisions), decisions)
        except Refused as refused:
            form.add_error("file", str(refused))
        else:
            if any(row.is_open or row.changed_after for row in rows):
                reconciling.record_decisions(study=study, by=request.user)
            return csv_download(f"{study.slug}-batch", header, filled)
    context = people_of(study, request.GET, batch_form=form)
    return render(request, "study/survey/participants.html", context, status=UNPROCESSABLE)


@requires("study.manage")
@require_safe
def approvals(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Return the ids of the people whom to approve is recorded and who are not approved yet, for a bulk approval."""
    study = _study(request, slug)
    rows = [row for row in pay_rows(study) if row.submission and row.submission.decision == row.owed.decision]
    named = {"Content-Disposition": f'attachment; filename="{study.slug}-approve.txt"'}
    return HttpResponse(to_approve(decisions_of(rows)), content_type="text/plain; charset=utf-8", headers=named)


@requires("study.manage")
@require_safe
def decisions_csv(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Return the recorded decisions as a file for the platform once more."""
    study = _study(request, slug)
    return decisions_file(study, [row for row in pay_rows(study) if row.submission and row.submission.decision])


def _study(request: AuthenticatedRequest, slug: str) -> Study:
    study = own_study(request, slug)
    if study.is_imported:
        raise Http404
    return study
