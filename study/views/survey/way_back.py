"""The way back to a survey from another browser, by a resume link, and the end of links that others may have."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from study.actions.survey import keys
from study.domain.survey.keys import resume_typed
from study.presenters.survey import common
from study.presenters.visit import Visit, in_survey, remember
from study.selectors.survey.visits import holder_of_link

UNKNOWN_LINK = 404


@in_survey
@require_http_methods(["GET", "HEAD", "POST"])
def back(request: HttpRequest, visit: Visit, key: str = "") -> HttpResponse:
    """Let the person of a resume link go on, or withdraw, in this browser.

    Opening the link changes nothing: programs that look at links in messages do not come back as the person.
    """
    typed = resume_typed(request.POST.get("link", key))
    person = holder_of_link(visit.study, typed) if typed else None
    if request.method != "POST" or person is None:
        is_wrong = bool(typed) and person is None
        page = {**common(visit.by_stranger()), "link": typed, "is_known": person is not None, "is_wrong": is_wrong}
        return render(request, "study/survey/take/back.html", page, status=UNKNOWN_LINK if is_wrong else 200)
    own = visit.by_person(person)
    secret = visit.secret_of(person) or keys.give(participant=person)
    address = own.to("take_withdraw" if "withdraw" in request.POST else "take_on")
    return remember(address, visit, secret, is_secure=request.is_secure())


@in_survey
@require_POST
def renew(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Make the resume link and every other browser of the person useless, and give this one a new link."""
    if visit.participant is None:
        return redirect("take", visit.group.token)
    before = visit.secret_of(visit.participant)
    secret = keys.renew(participant=visit.participant)
    response = visit.to("take_on")
    return remember(response, visit.without(before), secret, is_secure=request.is_secure())
