"""Pages of studies: the list, a new study, the plan of one and its preview; opening it."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.actions.refusals import Refused
from core.permissions import AuthenticatedRequest, may, requires
from core.presenters.lists import ShownList
from study.actions.survey import studies as actions
from study.forms.studies import NewStudyForm, OpenForm, StudyFilter
from study.models import Study
from study.permissions import own_study, question_sets_of, studies_of
from study.presenters.studies import page_of
from study.presenters.survey import preview_of
from study.selectors.questions.audits import stored_findings
from study.selectors.survey.fieldwork import matching_studies, rows_of, sorted_studies
from study.selectors.survey.plans import questions_by_set

UNPROCESSABLE = 422
PAGE = 50


@requires("study.view")
@require_safe
def studies(request: AuthenticatedRequest) -> HttpResponse:
    own = studies_of(request.user)
    form = StudyFilter(request.GET)
    found = sorted_studies(matching_studies(own.filter(archived_at=None), **form.wanted()), form.sorting())
    shown = ShownList(form, found, size=PAGE, number=request.GET.get("page"), rows=rows_of)
    context = {
        "list": shown,
        "rows": shown.rows,
        "archived": own.exclude(archived_at=None).count(),
        "question_sets": question_sets_of(request.user).filter(archived_at=None),
        "may_create": may(request.user, "study.create"),
    }
    return render(request, "study/survey/studies.html", context)


@requires("study.create")
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: AuthenticatedRequest) -> HttpResponse:
    sets = questions_by_set(question_sets_of(request.user).filter(archived_at=None))
    chosen = {"question_sets": request.GET.getlist("questions")}
    form = NewStudyForm(request.POST or None, question_sets=sets, initial=chosen)
    if request.method == "POST" and form.is_valid():
        try:
            study = actions.create(**form.described, by=request.user)
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("Study created. Review it, then open it."))
            return redirect("study", study.slug)
    status = UNPROCESSABLE if form.errors else None
    has_archived = not sets and question_sets_of(request.user).exists()
    context = {"form": form, "has_sets": bool(sets), "has_archived": has_archived}
    return render(request, "study/survey/new_study.html", context, status=status)


@requires("study.view")
@require_safe
def study(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Show the plan: forms in a draft, read-only once it is frozen."""
    found = own_study(request, slug)
    return render(request, "study/survey/study.html", page_of(found, request.user, request.GET))


def shown_again(request: AuthenticatedRequest, study: Study, **forms: Any) -> HttpResponse:
    """Render the plan again with the errors of a form."""
    context = page_of(study, request.user) | forms
    return render(request, "study/survey/study.html", context, status=UNPROCESSABLE)


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
    found = own_study(request, slug)
    form = OpenForm(request.POST, has_findings=bool(stored_findings(found)))
    if form.is_valid():
        try:
            actions.open_(study=found, reason=form.cleaned_data["reason"], by=request.user)
        except Refused as refused:
            if not refused.field:
                messages.error(request, str(refused))
                return redirect("study", slug)
            form.fields[refused.field].required = True  # an audit made for this opening may be the first with findings
            form.add_error(refused.field, str(refused))
        else:
            messages.success(request, _("The study is open. Send the links."))
            return redirect("study_groups", slug)
    return shown_again(request, found, opening=form)
