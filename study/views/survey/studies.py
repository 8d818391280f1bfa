"""Pages of studies: the list, a new study, one study with its plan and fieldwork; opening and closing."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.actions.refusals import Refused
from core.permissions import AuthenticatedRequest, requires
from core.presenters import polls
from study.actions.survey import studies as actions
from study.domain.survey.phases import StudyState
from study.forms.studies import CloseForm, NewStudyForm, OpenForm
from study.models import Study
from study.permissions import question_sets_of, studies_of
from study.presenters.studies import own_study, page_of, shown_again
from study.selectors.survey.fieldwork import fieldwork_of, rows_of
from study.selectors.survey.plans import questions_by_set

UNPROCESSABLE = 422


@requires("study.view")
@require_safe
def studies(request: AuthenticatedRequest) -> HttpResponse:
    context = {"rows": rows_of(studies_of(request.user)), "question_sets": question_sets_of(request.user)}
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
    return render(request, "study/survey/study.html", page_of(request, own_study(request, slug)))


@requires("study.view")
@require_safe
def fieldwork(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Return the counts for a page that polls; it loads again when the study is no longer open."""
    found = own_study(request, slug)
    if found.state != StudyState.OPEN:
        return polls.lead_to(reverse("study", args=[slug]))
    context = {"study": found, "fieldwork": fieldwork_of(found)}
    return polls.parts(request, "study/survey/_fieldwork_counts.html", context)


@requires("study.manage")
@require_POST
def open_(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    return _confirmed(request, slug, "opening", OpenForm, actions.open_, _("The study is open. Send the links."))


@requires("study.manage")
@require_POST
def close(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    said = _("The study is closed: nobody joins any more.")
    return _confirmed(request, slug, "closing", CloseForm, actions.close, said)


def _confirmed(
    request: AuthenticatedRequest,
    slug: str,
    name: str,
    form_class: type[OpenForm | CloseForm],
    act: Callable[..., Study],
    said: str,
) -> HttpResponse:
    """Do what cannot be undone once its box is ticked; else show the page again with the form `name`."""
    found = own_study(request, slug)
    form = form_class(request.POST)
    if not form.is_valid():
        return shown_again(request, found, **{name: form})
    try:
        act(study=found, by=request.user)
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, said)
    return redirect("study", found.slug)
