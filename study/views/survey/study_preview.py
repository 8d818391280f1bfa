"""Preview of a survey as participants will see it, in its own language. Choices made there are not stored."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.http import require_safe

from core.permissions import AuthenticatedRequest, requires
from study.forms.participants import ConsentForm, DemographicsForm
from study.models import QuestionPurpose, Study
from study.presenters.studies import own_study
from study.presenters.survey import as_drawn, paragraphs
from study.selectors.survey import plans
from study.selectors.survey.plans import CONSENT, INSTRUCTIONS


@requires("study.view")
@require_safe
def preview(request: AuthenticatedRequest, slug: str, step: str) -> HttpResponse:
    """Show one page of the survey: consent, about, practice, or the number of a question in the order of the sets."""
    study = own_study(request, slug)
    if study.is_imported:
        raise Http404
    with translation.override(study.language):
        shown = _PAGES[step](study) if step in _PAGES else _question(study, step)
        return render(request, "study/survey/preview.html", {"study": study, "step": step, **shown})


def _consent(study: Study) -> dict[str, Any]:
    text = plans.newest_text(study, CONSENT).text
    return {"text": paragraphs(text), "form": ConsentForm(), "after": "about"}


def _about(study: Study) -> dict[str, Any]:
    return {"form": DemographicsForm(), "after": "practice"}


def _practice(study: Study) -> dict[str, Any]:
    question = study.own_questions.get(purpose=QuestionPurpose.PRACTICE)
    told = paragraphs(plans.newest_text(study, INSTRUCTIONS).text)
    return {"question": as_drawn(question, study.seed), "instructions": told, "after": "1"}


def _question(study: Study, step: str) -> dict[str, Any]:
    questions = plans.counting_questions(study).order_by("question_set__name", "position")
    count = questions.count()
    number = int(step) if step.isascii() and step.isdigit() and len(step) < 7 else 0
    if not 0 < number <= count:
        raise Http404
    after = str(number + 1) if number < count else ""
    return {"question": as_drawn(questions[number - 1], study.seed), "after": after, "number": number, "count": count}


_PAGES = {"consent": _consent, "about": _about, "practice": _practice}
