"""Questions of a survey and the requests of their page. Without a script it works too, one question at a time."""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from core.actions.refusals import Refused
from core.forms.sent import fields_sent, is_json
from study.actions.survey import answers, participants
from study.domain.survey.phases import Phase
from study.forms.participants import ParticipantAnswerForm, fields_of
from study.models import Answer, Participant, Presentation
from study.presenters.survey import common, question_context, time_left
from study.presenters.visit import Visit, in_survey
from study.selectors.survey.visits import is_complete, is_open, presentations_of, reached
from study.views.survey.participate import CONFLICT, UNREADABLE, phase, practice_of, practice_page

FORBIDDEN = 403
MALFORMED = _("Not saved: what this page sent cannot be read. Load the page again.")
UNKNOWN = _("Not saved: this browser is not known here any more. Open the link that you came by again.")
NO_LINE = _("Not saved: this is none of the lines. Choose one of those shown.")


@in_survey
@require_GET
def questions(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Redirect to the question at which the person continues."""
    person = visit.participant
    if person is None or phase(person) != Phase.QUESTIONS:
        return redirect("take", visit.group.token)
    asked = presentations_of(person)
    position = reached(asked)
    if position > len(asked):
        return redirect("take_finish", visit.group.token)
    return redirect(_address(visit, position, "?resumed=1" if position > 1 else ""))


@in_survey
@require_GET
def question(request: HttpRequest, visit: Visit, position: int) -> HttpResponse:
    """Show a question that the person has reached; a later one redirects to where they are."""
    person = visit.participant
    if person is None or phase(person) != Phase.QUESTIONS:
        return redirect("take", visit.group.token)
    asked = presentations_of(person)
    if not is_open(asked, position):
        return redirect("take_questions", visit.group.token)
    return _page(request, visit, asked, position, is_missing="missing" in request.GET)


def _page(
    request: HttpRequest,
    visit: Visit,
    asked: list[Presentation],
    position: int,
    *,
    message: str = "",
    is_missing: bool = False,
    status: int = 200,
) -> HttpResponse:
    answers.mark_shown(presentation=asked[position - 1])
    page = question_context(visit, asked, position)
    page |= {"message": message, "is_missing": is_missing, "is_resumed": "resumed" in request.GET}
    return render(request, "study/survey/take/question.html", page, status=status)


@in_survey
@require_POST
def answer(request: HttpRequest, visit: Visit, position: int) -> HttpResponse:
    """Store the choices at a question: JSON from the script, which stays on its page, or a form, which goes on."""
    person = visit.participant
    if person is None:
        return _declined(request, visit, "unknown", str(UNKNOWN), status=FORBIDDEN)
    asked = person.presentations.select_related("question").filter(position__gte=1)
    presentation = get_object_or_404(asked, position=position)
    form = ParticipantAnswerForm(fields_sent(request, fields_of))
    if not form.is_valid() or (is_json(request) and not form.cleaned_data["key"]):
        return _declined(request, visit, "malformed", str(MALFORMED), status=UNREADABLE)
    try:
        stored = answers.give(presentation=presentation, **_choices(presentation, form), participant=person)
    except Refused as refused:
        return _declined(request, visit, refused.code, str(refused), status=CONFLICT, position=position)
    if is_json(request):
        return JsonResponse({"saved_at": timezone.now(), "seconds_left": time_left(person)["seconds_left"]})
    return _go_on(request, visit, stored, presentation, person)


def _go_on(
    request: HttpRequest, visit: Visit, stored: Answer | None, presentation: Presentation, person: Participant
) -> HttpResponse:
    """Redirect to the next question when both choices are given, or when the person confirmed to leave it so."""
    position = presentation.position
    is_done = stored is not None and stored.depth > 1
    if not is_done and "without" not in request.POST:
        return redirect(_address(visit, position, "?missing=1"))
    last = person.presentations.order_by("position").last()
    if last is not None and position == last.position:
        return redirect("take_finish", visit.group.token)
    return redirect(_address(visit, position + 1))


def _address(visit: Visit, position: int, query: str = "") -> str:
    return redirect("take_question", visit.group.token, position).url + query


def _choices(presentation: Presentation, form: ParticipantAnswerForm) -> dict[str, Any]:
    """Return tokens as numbers of candidates. Raises Refused for an unknown token."""
    numbers = dict(zip(presentation.tokens, presentation.order, strict=True))
    chosen = {name: form.cleaned_data[name] for name in ("first", "second")}
    if not set(chosen.values()) - {""} <= numbers.keys():
        raise Refused("no_choice", NO_LINE)
    rest = {name: form.cleaned_data[name] for name in ("milliseconds", "key") if name in form.cleaned_data}
    return {name: numbers.get(token) for name, token in chosen.items()} | rest


def _declined(
    request: HttpRequest, visit: Visit, code: str, message: str, *, status: int, position: int = 0
) -> HttpResponse:
    if is_json(request):
        return JsonResponse({"code": code, "message": message}, status=status)
    person = visit.participant
    if person is None or not position or phase(person) != Phase.QUESTIONS:
        return redirect("take", visit.group.token)
    asked = presentations_of(person)
    if not is_open(asked, position):
        return redirect("take_questions", visit.group.token)
    return _page(request, visit, asked, position, message=message, status=status)


@in_survey
@require_POST
def practice(request: HttpRequest, visit: Visit) -> HttpResponse:
    person = visit.participant
    if person is None or phase(person) != Phase.PRACTICE:
        return redirect("take", visit.group.token)
    form = ParticipantAnswerForm(request.POST)
    try:
        choices = _choices(practice_of(person), form) if form.is_valid() else {"first": None}
        if choices["first"] is None or choices["second"] is None:
            raise Refused("missing", _("Choose a first and a second line."))
        participants.practise(participant=person, first=choices["first"], second=choices["second"])
    except Refused as refused:
        return practice_page(request, visit, str(refused), status=CONFLICT)
    return redirect("take", visit.group.token)


@in_survey
@require_http_methods(["GET", "POST"])
def finish(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Show what is still empty, with links back to it, and finish the survey on request."""
    person = visit.participant
    if person is None or phase(person) != Phase.QUESTIONS:
        return redirect("take", visit.group.token)
    if request.method == "POST":
        participants.finish(participant=person)
        return redirect("take", visit.group.token)
    asked = presentations_of(person)
    open_ = [each.position for each in asked if not is_complete(each)]
    page = {
        **common(visit),
        "open": open_,
        "count": len(asked),
        "done": len(asked) - len(open_),
        **time_left(person),
        "outbox": f"survey/{person.public_id}",
    }
    return render(request, "study/survey/take/finish.html", page)
