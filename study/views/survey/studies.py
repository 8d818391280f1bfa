"""Pages of studies: the list, a new study, one study with its plan, preview and fieldwork; opening and closing."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.actions.refusals import Refused
from core.permissions import AuthenticatedRequest, may, requires
from core.presenters import polls
from core.presenters.refusals import refusals_shown
from study.actions.survey import studies as actions
from study.domain.survey.phases import StudyState
from study.forms.studies import CloseForm, NewStudyForm, OpenForm
from study.models import Study
from study.permissions import own_study, question_sets_of, studies_of
from study.presenters.studies import page_of
from study.presenters.survey import preview_of
from study.selectors.survey.fieldwork import fieldwork_of, rows_of
from study.selectors.survey.plans import questions_by_set

UNPROCESSABLE = 422


@requires("study.view")
@require_safe
def studies(request: AuthenticatedRequest) -> HttpResponse:
    context = {
        "rows": rows_of(studies_of(request.user)),
        "question_sets": question_sets_of(request.user),
        "may_create": may(request.user, "study.create"),
    }
    return render(request, "study/survey/studies.html", context)


@requires("study.create")
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: AuthenticatedRequest) -> HttpResponse:
    sets = questions_by_set(question_sets_of(request.user))
    chosen = {"question_sets": request.GET.getlist("questions")}
    form = NewStudyForm(request.POST or None, question_sets=sets, initial=chosen)
    if request.method == "POST" and form.is_valid():
        try:
            study = actions.create(**form.described, by=request.user)
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("The study is there. Look it through, then open it."))
            return redirect("study", study.slug)
    status = UNPROCESSABLE if form.errors else None
    return render(request, "study/survey/new_study.html", {"form": form, "has_sets": bool(sets)}, status=status)


@requires("study.view")
@require_safe
def study(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Show the plan and, after opening, the progress of fieldwork; never answers or results."""
    found = own_study(request, slug)
    return render(request, _page(found), page_of(found, request.user, request.build_absolute_uri))


def _page(study: Study) -> str:
    is_draft = study.state == StudyState.DRAFT and not study.is_imported
    return "study/survey/plan.html" if is_draft else "study/survey/study.html"


def shown_again(request: AuthenticatedRequest, study: Study, **forms: Any) -> HttpResponse:
    """Render the page of a form again with its errors: that of fieldwork, or the plan."""
    context = page_of(study, request.user, request.build_absolute_uri) | forms
    page = _page(study) if "closing" in forms else "study/survey/plan.html"
    return render(request, page, context, status=UNPROCESSABLE)


@requires("study.view")
@require_safe
def fieldwork(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Return the counts for a page that polls; it loads again when the study is no longer open."""
    found = own_study(request, slug)
    if found.state != StudyState.OPEN:
        return polls.lead_to(reverse("study", args=[slug]))
    context = {"study": found, "fieldwork": fieldwork_of(found)}
    return polls.parts(render_to_string("study/survey/_fieldwork_counts.html", context, request))


@requires("study.view")
@require_safe
def preview(request: AuthenticatedRequest, slug: str, step: str) -> HttpResponse:
    """Show one page of the survey as participants will see it, in its own language; choices made there are not stored.

    A step is consent, about, practice, or the number of a question in the order of the sets.
    """
    study = own_study(request, slug)
    if study.is_imported:
        raise Http404
    with translation.override(study.language):
        shown = preview_of(study, step)
        if shown is None:
            raise Http404
        return render(request, "study/survey/preview.html", {"study": study, "step": step, **shown})


@requires("study.manage")
@require_POST
def open_(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    found, form = own_study(request, slug), OpenForm(request.POST)
    if not form.is_valid():
        return shown_again(request, found, opening=form)
    with refusals_shown(request):
        actions.open_(study=found, reason=form.cleaned_data["reason"], by=request.user)
        messages.success(request, _("The study is open. Send the links."))
    return redirect("study", slug)


@requires("study.manage")
@require_POST
def close(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    found, form = own_study(request, slug), CloseForm(request.POST)
    if not form.is_valid():
        return shown_again(request, found, closing=form)
    with refusals_shown(request):
        actions.close(study=found, why=form.cleaned_data["why"], by=request.user)
        messages.success(request, _("The study is closed: no one can join now."))
    return redirect("study", slug)
