"""Questions of a study: what is asked, and once it is closed, what people and models chose; decisions about them."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from core.actions.refusals import Refused
from core.permissions import AuthenticatedRequest, requires
from core.presenters.stored_figures import look_at, state_of
from core.views.jobs import answer_of_progress
from study.actions.results import CHOICES
from study.actions.survey import validity
from study.domain.survey.phases import StudyState
from study.domain.survey.validity import Validity
from study.forms.decisions import ValidityForm
from study.models import Study
from study.permissions import own_study
from study.presenters.study_question import question_context
from study.presenters.study_questions import QuestionRow, list_context, rows_of
from study.selectors.runs.runs import runs_to_open
from study.selectors.survey.asked import asked_questions

UNPROCESSABLE = 422


@requires("study.view")
@require_safe
def questions(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    study = own_study(request, slug)
    if study.state != StudyState.CLOSED:
        rows = rows_of(study, asked_questions(study), None)
        return render(request, "study/survey/questions.html", list_context(study, rows, None, request.GET))
    look = look_at(request, CHOICES, study)
    if answer := answer_of_progress(request, look, study, _("Questions")):
        return answer
    rows = rows_of(study, asked_questions(study), look.content)
    context = list_context(study, rows, look.content, request.GET) | state_of(request, look, study)
    return render(request, "study/survey/questions.html", context)


@requires("study.view")
@require_safe
def question(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    study = own_study(request, slug)
    return render(request, "study/survey/question.html", _one(request, study, pk))


@requires("study.manage")
@require_POST
def decide(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """Record whether another line may be right, too."""
    study, form = own_study(request, slug), ValidityForm(request.POST)
    context = _one(request, study, pk)
    if form.is_valid():
        try:
            asked = {"question": context["question"], "decision": Validity(form.cleaned_data["decision"])}
            validity.decide(study=study, **asked, why=form.cleaned_data["why"], by=request.user)
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("The decision is recorded. Nothing is rescored."))
            return redirect("study_question", slug, pk)
    return render(request, "study/survey/question.html", context | {"form": form}, status=UNPROCESSABLE)


def _one(request: AuthenticatedRequest, study: Study, pk: int) -> dict[str, Any]:
    """Return the context of a question's page, or raise 404."""
    choices = look_at(request, CHOICES, study).content if study.state == StudyState.CLOSED else None
    rows = rows_of(study, asked_questions(study), choices)
    at = next((number for number, row in enumerate(rows) if _is(row, pk)), None)
    if at is None:
        raise Http404
    context = question_context(study, rows, at, choices)
    runs = [model.run for model in context.get("models", ())]
    return context | {"runs_to_open": runs_to_open(runs, by=request.user)}


def _is(row: QuestionRow, pk: int) -> bool:
    return pk in row.asked.conditions
