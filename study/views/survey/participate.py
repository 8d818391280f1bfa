"""Pages on which participants take a survey, except its questions (views/survey/questionnaire.py)."""

from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, cast

from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe

from core.actions.refusals import Refused
from study.actions.survey import behaviour, joining, keys, participants
from study.domain.survey.phases import Phase, VisitOutcome
from study.domain.survey.platforms import Visitor, is_doubled, is_preview, visitor_of
from study.forms.participants import ConsentForm, DemographicsForm, ParticipantAnswerForm
from study.presenters.sittings import rest_context
from study.presenters.survey import again_context, common, paragraphs, practice_context
from study.presenters.survey_ends import end_context, refused_context, resume_link
from study.presenters.visit import UNKNOWN, WITHDRAWN, Visit, in_survey, remember
from study.selectors.survey.demographics import demographics_of
from study.selectors.survey.plans import CONSENT, newest_text
from study.selectors.survey.visits import outcome_of, practice_of

CONFLICT, UNREADABLE = 409, 400
TRAP = "homepage"  # a field of the page about oneself that people do not see


@in_survey
@require_GET
def take(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Open the survey by its link.

    The platform's id in the link names the person. Without an id, a browser in which a person took part before asks
    whether it is the same person, so that no one sees another person's questions, code or withdrawal.
    """
    visitor = _visitor(request, visit)
    if visit.account and visit.participant:
        return visit.to("take_on")
    if visitor is None and (visit.is_known or (visit.people and "again" in request.GET)):
        return render(request, "study/survey/take/again.html", again_context(visit))
    person = visitor and keys.returning(visitor, study=visit.study, secrets=visit.secrets)
    if person:
        secret = visit.secret_of(person) or keys.give(participant=person)
        return remember(visit.by_person(person).to("take_on"), visit, secret, is_secure=request.is_secure())
    return _entrance(request, visit.by_stranger(), visitor)


def _visitor(request: HttpRequest, visit: Visit) -> Visitor | None:
    """Return the person by their account, or by the id of a platform in the address; None without either."""
    if visit.study.survey.is_signed_in:
        return visit.account
    visitor = visitor_of(request.GET)
    return visitor and replace(visitor, is_doubled=is_doubled(request.GET.lists()))


@in_survey
@require_safe
def go_on(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Show the page that the person has reached."""
    if visit.has_withdrawn():
        return _end(request, visit, VisitOutcome.WITHDRAWN)
    if visit.participant is None:
        return redirect("take", visit.group.token)
    person = visit.participant
    if person.group_id != visit.group.pk:
        assert person.group is not None  # those without one were imported and take no part
        return redirect(reverse("take_on", args=[person.group.token]) + visit.whose)
    match visit.phase:
        case Phase.DEMOGRAPHICS:
            return _about(request, visit, DemographicsForm(demographics_of(visit.study)))
        case Phase.PRACTICE:
            return _practice(request, visit)
        case Phase.QUESTIONS:
            return visit.to("take_questions")
    return _end(request, visit, outcome_of(person))


@in_survey
@require_POST
def own(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Go on as the person of this browser who says "That is me"; their form makes them the present one."""
    return visit.to("take_on")


@in_survey
@require_POST
def another(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Let another person begin in this browser; the one before is no longer shown."""
    return remember(redirect("take", visit.group.token), visit, UNKNOWN, is_secure=request.is_secure())


def _entrance(request: HttpRequest, visit: Visit, visitor: Visitor | None) -> HttpResponse:
    try:
        joining.check_open(visit.study)
        joining.check_not_paused(visit.study)
        if not is_preview(request.GET):
            joining.check_visitor(visit.group, visitor)
        joining.check_room(visit.group)
    except Refused as refused:
        return _refused(request, visit, refused.code, status=200)
    return _consent(request, visit, ConsentForm())


def _consent(request: HttpRequest, visit: Visit, form: ConsentForm, *, status: int = 200) -> HttpResponse:
    text = paragraphs(newest_text(visit.study, CONSENT).text)
    is_looking = is_preview(request.GET)
    page = {**common(visit), "text": text, "form": form, "is_preview": is_looking, "query": request.GET.urlencode()}
    page["asks_about"] = bool(demographics_of(visit.study))
    page["keeps_others"] = bool(visit.people) and _visitor(request, visit) is None
    return render(request, "study/survey/take/consent.html", page, status=status)


@in_survey
@require_POST
def join(request: HttpRequest, visit: Visit) -> HttpResponse:
    visitor, link = _visitor(request, visit), reverse("take", args=[visit.group.token])
    if (visit.account and visit.participant) or (visitor is None and visit.is_known):
        return visit.to("take_on")
    if is_preview(request.GET) or (visitor and keys.returning(visitor, study=visit.study, secrets=visit.secrets)):
        return redirect(f"{link}?{request.GET.urlencode()}")
    stranger, form = visit.by_stranger(), ConsentForm(request.POST)
    if not form.is_valid():
        return _consent(request, stranger, form, status=UNREADABLE)
    try:
        person, secret = participants.join(group=visit.group, visitor=visitor, browser=visit.secrets)
    except Refused as refused:
        return _refused(request, stranger, refused.code, status=CONFLICT)
    return remember(visit.by_person(person).to("take_on"), visit, secret, is_secure=request.is_secure())


@in_survey
@require_POST
def about(request: HttpRequest, visit: Visit) -> HttpResponse:
    if visit.participant is None:
        return redirect("take", visit.group.token)
    form = DemographicsForm(demographics_of(visit.study), request.POST)
    if not form.is_valid():
        return _about(request, visit, form, status=UNREADABLE)
    if request.POST.get(TRAP):
        behaviour.note_trap(participant=visit.participant)
    with suppress(Refused):  # begun already in another tab: the redirect leads there
        participants.describe(participant=visit.participant, demographics=form.cleaned_data)
    return visit.to("take_on")


def _about(request: HttpRequest, visit: Visit, form: DemographicsForm, *, status: int = 200) -> HttpResponse:
    page = {**common(visit), "form": form, "trap": TRAP, **resume_link(visit, request.build_absolute_uri)}
    return render(request, "study/survey/take/about.html", page, status=status)


@in_survey
@require_POST
def practice(request: HttpRequest, visit: Visit) -> HttpResponse:
    if visit.phase != Phase.PRACTICE:
        return visit.to("take_on")
    try:
        form, asked = ParticipantAnswerForm(request.POST), practice_of(visit.person)
        first, second, *_rest = [*form.whole(asked, visit.study.survey.answer), None]
        participants.practise(participant=visit.person, first=first, second=second)
    except Refused as refused:
        return _practice(request, visit, str(refused), status=CONFLICT)
    return visit.to("take_on")


def _practice(request: HttpRequest, visit: Visit, message: str = "", *, status: int = 200) -> HttpResponse:
    page = {**practice_context(visit, message), **resume_link(visit, request.build_absolute_uri)}
    return render(request, "study/survey/take/practice.html", page, status=status)


@in_survey
@require_POST
def begin(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Go to the next practice question; after the last one start the clock and go to the questions."""
    if visit.participant is None:
        return redirect("take", visit.group.token)
    try:
        participants.start(participant=visit.participant)
    except Refused as refused:
        if refused.code == "more_practice":
            participants.practise_next(participant=visit.participant)
        if refused.code in {"more_practice", "not_practised"}:
            return visit.to("take_on")
        return _refused(request, visit, refused.code, status=CONFLICT)
    return visit.to("take_questions")


@in_survey
@require_http_methods(["GET", "HEAD", "POST"])
def withdraw(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Ask for confirmation, then withdraw: it cannot be undone."""
    if visit.participant is None:
        return redirect("take", visit.group.token)
    if request.method == "POST":
        participants.withdraw(participant=visit.participant)
        return remember(visit.to("take_on"), visit, WITHDRAWN, is_secure=request.is_secure())
    page = {**common(visit), "is_under_way": visit.phase != Phase.END}
    return render(request, "study/survey/take/withdraw.html", page)


@in_survey
@require_safe
def rest(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Show a signed-in person what is saved, and where they go on."""
    if visit.account is None or visit.phase != Phase.QUESTIONS:
        return visit.to("take_on")
    return render(request, "study/survey/take/rest.html", rest_context(visit))


def _end(request: HttpRequest, visit: Visit, outcome: VisitOutcome) -> HttpResponse:
    page = {**end_context(visit, outcome), **resume_link(visit, request.build_absolute_uri)}
    return _leading_back(request, "study/survey/take/end.html", page)


def _refused(request: HttpRequest, visit: Visit, why: str, *, status: int) -> HttpResponse:
    page = refused_context(visit, why, _visitor(request, visit))
    return _leading_back(request, "study/survey/take/refused.html", page, status=status)


def _leading_back(request: HttpRequest, template: str, page: dict[str, Any], *, status: int = 200) -> HttpResponse:
    """Render a page that may have a form for the person's platform: the policy lets it be sent there alone."""
    shown = partial(render, template_name=template, context=page, status=status)
    if page["back"] and page["back"].fields:
        return cast(HttpResponse, csp_update({"form-action": [page["back"].origin]})(shown)(request))
    return shown(request)
