"""Pages to set up a study: texts for participants, groups, researchers."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.actions.refusals import Refused
from core.models.people import Role
from core.permissions import AuthenticatedRequest, requires
from core.presenters.refusals import refusals_shown
from study.actions.survey import drafts, groups, members, recruiting, retention
from study.domain.survey.phases import StudyState
from study.forms.extending import ClosingDayForm
from study.forms.people import RetentionForm
from study.forms.studies import ExpertForm, GroupForm, GroupSettingsForm, MemberForm, TextForm
from study.models import Study
from study.permissions import own_study
from study.presenters.plan_parts import section_of
from study.presenters.studies import group_settings_form, groups_page, people_page, settings_form
from study.presenters.survey import paragraphs
from study.selectors.survey.experts import experts_of
from study.selectors.survey.pay import identities_of
from study.selectors.survey.plans import TEXTS, members_of
from study.views.survey.studies import shown_again

UNPROCESSABLE = 422


@requires("study.manage")
@require_http_methods(["GET", "HEAD", "POST"])
def text(request: AuthenticatedRequest, slug: str, kind: str) -> HttpResponse:
    """Show a text for participants with its versions and, until the study is opened, a form for a new one."""
    study = own_study(request, slug)
    if kind not in TEXTS or study.is_imported:
        raise Http404
    versions = list(study.texts.filter(kind=kind).select_related("created_by"))
    form = TextForm(request.POST or None, initial={"text": versions[0].text}, language=study.language)
    if request.method == "POST" and form.is_valid():
        try:
            written = drafts.write_text(study=study, kind=kind, text=form.cleaned_data["text"], by=request.user)
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("Version %(number)s is saved.") % {"number": written.number})
            return redirect("study_text", study.slug, kind)
    number = request.GET.get("version", "")
    shown = next((each for each in versions if str(each.number) == number), versions[0])
    page = {
        "study": study,
        "kind": kind,
        "form": form,
        "versions": versions,
        "shown": shown,
        "newest": versions[0],
        "text": paragraphs(shown.text),
        "is_draft": study.state == StudyState.DRAFT,
    }
    return render(request, "study/survey/text.html", page, status=UNPROCESSABLE if form.errors else None)


@requires("study.manage")
@require_POST
def change(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    study = own_study(request, slug)
    form = settings_form(request.user, study, request.POST)
    if form.is_valid():
        try:
            drafts.change(study=study, **form.described, by=request.user)
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("The study is changed."))
            return redirect(section_of(study, "settings"))
    return shown_again(request, study, settings_form=form)


@requires("study.view")
@require_safe
def groups_and_links(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    return groups_again(request, _with_people(request, slug))


def groups_again(
    request: AuthenticatedRequest, study: Study, refused: Mapping[int, GroupSettingsForm] | None = None, /, **forms: Any
) -> HttpResponse:
    """Render the page of the groups, again with the errors of a form; `refused` is that of one group, by its key."""
    context = groups_page(study, request.build_absolute_uri, refused or {}) | forms
    return render(request, "study/survey/groups.html", context, status=UNPROCESSABLE if refused or forms else None)


def _with_people(request: AuthenticatedRequest, slug: str) -> Study:
    """Return a study that people can take part in, or raise 404."""
    study = own_study(request, slug)
    if study.is_imported:
        raise Http404
    return study


@requires("study.manage")
@require_POST
def add_group(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    study = own_study(request, slug)
    form = GroupForm(request.POST)
    if form.is_valid():
        try:
            group = groups.add(study=study, **form.cleaned_data, by=request.user)
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("The group “%(group)s” now has its own link.") % {"group": group})
            return redirect("study_groups", slug)
    return groups_again(request, study, group_form=form)


@requires("study.manage")
@require_POST
def change_quota(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    study = own_study(request, slug)
    group = get_object_or_404(study.groups.all(), pk=pk)
    form = group_settings_form(group, request.POST)
    if form.is_valid():
        typed = form.cleaned_data
        if study.survey.is_signed_in:  # the form does not ask them about platforms
            typed |= {"requires_id": group.requires_id, "return_url": group.return_url}
        try:
            groups.change(group=group, **typed, by=request.user)
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("The group “%(group)s” is changed.") % {"group": group})
            return redirect("study_groups", slug)
    return groups_again(request, study, {group.pk: form})


@requires("study.manage")
@require_POST
def remove_group(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    study = own_study(request, slug)
    group = get_object_or_404(study.groups.all(), pk=pk)
    with refusals_shown(request):
        groups.remove(group=group, by=request.user)
        messages.success(request, _("The group “%(group)s” and its link have been removed.") % {"group": group})
    return redirect("study_groups", slug)


@requires("study.manage")
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Show the days of a study, and set that on which what is personal is deleted."""
    study = _with_people(request, slug)
    form = _retention_form(study, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            retention.keep_until(study=study, **form.cleaned_data, by=request.user)
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("Saved."))
            return redirect("study_settings", slug)
    return _settings_page(request, study, form=form)


@requires("study.manage")
@require_POST
def closing_day(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Set the day on which a draft will close by itself."""
    study, form = _with_people(request, slug), ClosingDayForm(request.POST)
    if form.is_valid():
        try:
            recruiting.close_after(study=study, day=form.cleaned_data["closes_on"], by=request.user)
        except Refused as refused:
            form.add_error("closes_on", str(refused))
        else:
            messages.success(request, _("Saved."))
            return redirect("study_settings", slug)
    return _settings_page(request, study, closing_form=form)


def _retention_form(study: Study, sent: QueryDict | None = None) -> RetentionForm:
    return RetentionForm(sent, initial={"day": study.forgets_on, "with_demographics": study.forgets_demographics})


def _settings_page(request: AuthenticatedRequest, study: Study, **forms: forms.Form) -> HttpResponse:
    context = {
        "study": study,
        "form": _retention_form(study),
        "closing_form": ClosingDayForm(initial={"closes_on": study.closes_on}),
        "identities": identities_of(study),
        **forms,
    }
    is_refused = any(form.errors for form in forms.values())
    return render(request, "study/survey/settings.html", context, status=UNPROCESSABLE if is_refused else None)


@requires("study.view")
@require_safe
def people(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    return render(request, "study/survey/people.html", people_page(own_study(request, slug)))


@requires("study.manage")
@require_POST
def add_member(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    study = own_study(request, slug)
    form = MemberForm(request.POST, study=study)
    if not form.is_valid():
        context = people_page(study) | {"member_form": form}
        return render(request, "study/survey/people.html", context, status=UNPROCESSABLE)
    person = form.cleaned_data["person"]
    members.add(study=study, person=person, by=request.user)
    messages.success(request, _("%(name)s has joined the study.") % {"name": person})
    return redirect("study_people", slug)


@requires("study.manage")
@require_POST
def remove_member(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    study = own_study(request, slug)
    person = get_object_or_404(members_of(study), pk=pk)
    members.remove(study=study, person=person, by=request.user)
    messages.success(request, _("%(name)s is no longer in the study.") % {"name": person})
    is_shut_out = person == request.user and not person.is_administrator
    return redirect("studies") if is_shut_out else redirect("study_people", slug)


@requires("study.manage")
@require_POST
def add_expert(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    study = own_study(request, slug)
    form = ExpertForm(request.POST, study=study)
    if not form.is_valid():
        context = people_page(study) | {"expert_form": form}
        return render(request, "study/survey/people.html", context, status=UNPROCESSABLE)
    person = form.cleaned_data["person"]
    with refusals_shown(request):
        members.add(study=study, person=person, role=Role.EXPERT, by=request.user)
        messages.success(
            request, _("%(name)s will find the study on their home page once it is open.") % {"name": person}
        )
    return redirect("study_people", slug)


@requires("study.manage")
@require_POST
def remove_expert(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    study = own_study(request, slug)
    person = get_object_or_404(experts_of(study), pk=pk)
    members.remove(study=study, person=person, by=request.user)
    messages.success(request, _("%(name)s no longer takes the study. Their answers are kept.") % {"name": person})
    return redirect("study_people", slug)
