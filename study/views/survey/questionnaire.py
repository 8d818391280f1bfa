"""Questions of a survey and the requests of their page. Without a script it works too, one question at a time."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe

from core.actions.refusals import Refused
from core.forms.sent import Malformed, fields_sent, is_json
from core.presenters.refusals import status_of
from study.actions.survey import answers, participants
from study.domain.survey.behaviour import noted_in
from study.domain.survey.phases import Phase
from study.forms.participants import ParticipantAnswerForm, fields_of
from study.models import Presentation
from study.models.answers import GivenChoices
from study.presenters.survey import finish_context, others_of, question_context, time_left
from study.presenters.visit import Visit, in_survey
from study.selectors.survey.visits import is_whole, presentations_of, reached

FORBIDDEN = 403


@in_survey
@require_safe
def questions(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Redirect to the question at which the person continues."""
    if visit.phase != Phase.QUESTIONS:
        return visit.to("take_on")
    asked = presentations_of(visit.person)
    position = reached(asked, visit.study)
    if position > len(asked):
        return visit.to("take_finish")
    return redirect(visit.address("take_question", position, **({"resumed": "1"} if position > 1 else {})))


@in_survey
@require_safe
def question(request: HttpRequest, visit: Visit, position: int) -> HttpResponse:
    return _page(request, visit, position)


def _page(request: HttpRequest, visit: Visit, position: int, refused: Refused | None = None) -> HttpResponse:
    """Show a question that the person has reached; any other one redirects to where they are."""
    if visit.phase != Phase.QUESTIONS:
        return visit.to("take_on")
    if visit.asked is None or position > visit.asked.shown_count + 1:
        return visit.to("take_questions")
    answers.mark_shown(presentation=visit.asked)
    page = question_context(visit, visit.asked)
    page |= {"message": str(refused or ""), "is_missing": "missing" in request.GET}
    page |= {"is_resumed": "resumed" in request.GET}
    return render(request, "study/survey/take/question.html", page, status=status_of(refused))


@in_survey
@require_GET
def others(request: HttpRequest, visit: Visit, position: int) -> HttpResponse:
    """Give the script of a question's page the other questions, those that come next first."""
    if visit.phase != Phase.QUESTIONS or visit.asked is None:
        return visit.to("take_on")
    return render(request, "study/survey/take/_others.html", {"others": others_of(visit.asked)})


@in_survey
@require_POST
def answer(request: HttpRequest, visit: Visit, position: int) -> HttpResponse:
    """Store the choices at a question: JSON from the script, which stays on its page, or a form, which goes on."""
    fields = fields_sent(request, fields_of)
    if visit.participant is None:
        return _unknown(request, visit)
    if visit.asked is None:
        raise Http404
    try:
        choices, noted = ParticipantAnswerForm(fields).choices(visit.asked), noted_in(fields.get("noted"))
        stored = answers.give(presentation=visit.asked, **choices, noted=noted, participant=visit.participant)
    except Refused as refused:
        return _declined(request, visit, position, refused)
    if is_json(request):
        seconds_left = time_left(visit.participant)["seconds_left"]
        return JsonResponse({"saved_at": timezone.now(), "seconds_left": seconds_left, "whose": visit.whose})
    return _go_on(request, visit, stored, visit.asked)


def _unknown(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Answer a page of a person whom this browser does not keep; where they have withdrawn, lead there."""
    if visit.named and visit.has_withdrawn():
        refused = Refused("withdrawn", _("Not saved: you have withdrawn, and your answers are deleted."))
        return _declined_to(request, visit, refused)
    if is_json(request):
        said = _("Not saved: this browser is no longer recognised. Open your link again.")
        return JsonResponse({"code": "unknown", "message": said}, status=FORBIDDEN)
    return redirect("take", visit.group.token)


def _declined(request: HttpRequest, visit: Visit, position: int, refused: Refused) -> HttpResponse:
    if is_json(request) or isinstance(refused, Malformed):
        return _declined_to(request, visit, refused)
    return _page(request, visit, position, refused)


def _declined_to(request: HttpRequest, visit: Visit, refused: Refused) -> HttpResponse:
    """Return the refusal to the script; lead a form to the page that the person has reached."""
    if is_json(request):
        return JsonResponse({"code": refused.code, "message": str(refused)}, status=status_of(refused))
    return visit.to("take_on")


def _go_on(request: HttpRequest, visit: Visit, stored: GivenChoices | None, asked: Presentation) -> HttpResponse:
    """Redirect to the next question when all choices are given, or when the person confirmed to leave it so.

    Back asks for nothing.
    """
    position = asked.position
    if "back" in request.POST:
        return redirect(visit.address("take_question", max(1, position - 1)))
    is_done = stored is not None and is_whole(stored, asked, visit.study)
    if not is_done and "without" not in request.POST:
        return redirect(visit.address("take_question", position, missing="1"))
    if position == asked.asked_count:
        return visit.to("take_finish")
    return redirect(visit.address("take_question", position + 1))


@in_survey
@require_http_methods(["GET", "HEAD", "POST"])
def finish(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Show what is still empty, with links back to it, and finish the survey on request.

    Where something is empty, it asks once before: no one can come back afterwards.
    """
    if visit.phase != Phase.QUESTIONS:
        return visit.to("take_on")
    page = finish_context(visit, asks="without" in request.GET)
    if request.method != "POST":
        return render(request, "study/survey/take/finish.html", page)
    if not page["may_finish"]:
        return visit.to("take_finish")
    if page["open"] and "without" not in request.POST:
        return redirect(visit.address("take_finish", without="1"))
    participants.finish(participant=visit.person)
    return visit.to("take_on")
