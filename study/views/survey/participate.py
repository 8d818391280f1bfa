"""Pages on which participants take a survey, except its questions (views/survey/questionnaire.py)."""

from contextlib import suppress
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from core.actions.refusals import Refused
from study.actions.survey import participants
from study.domain.survey import clock
from study.domain.survey.phases import ParticipantState, Phase, StudyState, VisitOutcome, phase_of
from study.domain.survey.platforms import is_preview, visitor_of
from study.forms.participants import ConsentForm, DemographicsForm
from study.models import Participant, Presentation
from study.presenters.survey import common, paragraphs, shown
from study.presenters.visit import WITHDRAWN, Visit, in_survey, remember
from study.selectors.survey.plans import CONSENT, INSTRUCTIONS, newest_text
from study.selectors.survey.visits import presentations_of

NOT_BEGUN, CLOSED = "not_open", "closed"  # the codes of the refusal to join
CONFLICT, UNREADABLE = 409, 400


@in_survey
@require_GET
def take(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Show the page that the person has reached."""
    person = visit.participant
    if visit.has_withdrawn:
        return _end(request, visit, VisitOutcome.WITHDRAWN)
    if person is None:
        return _entrance(request, visit)
    if person.group_id != visit.group.pk:
        assert person.group is not None  # those without one were imported and take no part
        return redirect("take", person.group.token)
    match phase(person):
        case Phase.DEMOGRAPHICS:
            return _about(request, visit, DemographicsForm())
        case Phase.PRACTICE:
            return practice_page(request, visit)
        case Phase.QUESTIONS:
            return redirect("take_questions", visit.group.token)
    return _end(request, visit, _outcome(person))


def phase(person: Participant) -> Phase:
    is_time_up = clock.is_over(person.deadline_at, timezone.now())
    state = ParticipantState(person.state)
    return phase_of(state, is_time_up=is_time_up, has_demographics=bool(person.demographics))


def _outcome(person: Participant) -> VisitOutcome:
    """Return the outcome; past the deadline it is timed out, even before the server has stored it."""
    return VisitOutcome.TIMED_OUT if person.state == ParticipantState.ANSWERING else VisitOutcome(person.state)


def _entrance(request: HttpRequest, visit: Visit) -> HttpResponse:
    if visit.study.state == StudyState.DRAFT:
        return _refused(request, visit, NOT_BEGUN, status=200)
    if visit.study.state == StudyState.CLOSED:
        return _refused(request, visit, CLOSED, status=200)
    if participants.is_full(visit.group):
        return _refused(request, visit, VisitOutcome.FULL, status=200)
    return _consent(request, visit, ConsentForm())


def _consent(request: HttpRequest, visit: Visit, form: ConsentForm, *, status: int = 200) -> HttpResponse:
    text = paragraphs(newest_text(visit.study, CONSENT).text)
    is_looking = is_preview(request.GET)
    page = {**common(visit), "text": text, "form": form, "is_preview": is_looking, "query": request.GET.urlencode()}
    return render(request, "study/survey/take/consent.html", page, status=status)


@in_survey
@require_POST
def join(request: HttpRequest, visit: Visit) -> HttpResponse:
    form = ConsentForm(request.POST)
    if visit.participant or visit.has_withdrawn or is_preview(request.GET):
        return redirect("take", visit.group.token)
    if not form.is_valid():
        return _consent(request, visit, form, status=UNREADABLE)
    try:
        _person, secret = participants.join(group=visit.group, visitor=visitor_of(request.GET))
    except Refused as refused:
        return _refused(request, visit, refused.code, status=CONFLICT)
    return remember(request, redirect("take", visit.group.token), visit.study, secret)


@in_survey
@require_POST
def about(request: HttpRequest, visit: Visit) -> HttpResponse:
    form = DemographicsForm(request.POST)
    if visit.participant is None:
        return redirect("take", visit.group.token)
    if not form.is_valid():
        return _about(request, visit, form, status=UNREADABLE)
    with suppress(Refused):  # begun already in another tab: the redirect leads there
        participants.describe(participant=visit.participant, demographics=form.cleaned_data)
    return redirect("take", visit.group.token)


def _about(request: HttpRequest, visit: Visit, form: DemographicsForm, *, status: int = 200) -> HttpResponse:
    return render(request, "study/survey/take/about.html", {**common(visit), "form": form}, status=status)


def practice_of(person: Participant) -> Presentation:
    rows = person.presentations.select_related("question")
    return rows.get(position=participants.PRACTICE_POSITION)


def practice_page(request: HttpRequest, visit: Visit, message: str = "", *, status: int = 200) -> HttpResponse:
    """Show the practice question; once it is answered, also the right line, which no other question reveals."""
    person = visit.participant
    assert person is not None
    presentation, given = practice_of(person), person.practice
    question, instructions = presentation.question, newest_text(visit.study, INSTRUCTIONS).text
    page = {
        **common(visit),
        "question": shown(presentation, given.get("first"), given.get("second")),
        "instructions": paragraphs(instructions),
        "message": message,
        "is_practised": bool(given),
        "is_right": given.get("first") == question.answer,
        "right": question.candidates[question.answer or 0],
        "minutes": visit.study.survey.minutes,
    }
    return render(request, "study/survey/take/practice.html", page, status=status)


@in_survey
@require_POST
def begin(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Start the clock and go to the questions."""
    if visit.participant is None:
        return redirect("take", visit.group.token)
    try:
        participants.start(participant=visit.participant)
    except Refused as refused:
        if refused.code == "not_practised":
            return redirect("take", visit.group.token)
        return _refused(request, visit, refused.code, status=CONFLICT)
    return redirect("take_questions", visit.group.token)


@in_survey
@require_http_methods(["GET", "POST"])
def withdraw(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Ask for confirmation, then withdraw: it cannot be undone."""
    if visit.participant is None:
        return redirect("take", visit.group.token)
    if request.method == "POST":
        participants.withdraw(participant=visit.participant)
        return remember(request, redirect("take", visit.group.token), visit.study, WITHDRAWN)
    page = {**common(visit), "is_under_way": phase(visit.participant) != Phase.END}
    return render(request, "study/survey/take/withdraw.html", page)


def _end(request: HttpRequest, visit: Visit, outcome: VisitOutcome) -> HttpResponse:
    """Show how it ended, with the completion code."""
    person = visit.participant
    asked = list(presentations_of(person)) if person else []
    answered = sum(hasattr(each, "answer") for each in asked)
    identity = getattr(person, "identity", None)
    page: dict[str, Any] = {
        **common(visit),
        "outcome": outcome,
        "code": visit.study.codes.get(outcome, ""),
        "answered": answered,
        "is_complete": answered == len(asked),
        "is_from_prolific": identity is not None and identity.platform == "prolific",
    }
    return render(request, "study/survey/take/end.html", page)


def _refused(request: HttpRequest, visit: Visit, why: str, *, status: int) -> HttpResponse:
    code = visit.study.codes.get(why, "")
    return render(request, "study/survey/take/refused.html", {**common(visit), "why": why, "code": code}, status=status)
