"""An answer as the shortest Django view stores it: the person by their cookie, the question, and the rows.

It asks nothing else: not whether the time is over, whether it was sent before, or whether another request is under way.
"""

import json
from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from study.domain.survey.keys import digest_of
from study.models import Answer, Participant, Presentation

QUESTIONS = 40  # as benchmarks/serving/rows_of_survey.py puts to each person


@require_GET
def questions(request: HttpRequest, token: str) -> HttpResponse:
    """Lead to the first question without an answer."""
    left = _person(request).presentations.filter(position__gt=0, answer=None).order_by("position").first()
    return HttpResponseRedirect(f"/take/{token}/questions/{left.position}/" if left else f"/take/{token}/finish/")


@require_GET
def question(request: HttpRequest, token: str, position: int) -> HttpResponse:
    return HttpResponse(_lines(_asked(request, position)))


@require_GET
def others(request: HttpRequest, token: str, position: int) -> HttpResponse:
    asked = _person(request).presentations.filter(position__gt=0).exclude(position=position)
    return HttpResponse("\n".join(map(_lines, asked.select_related("question"))))


def _lines(asked: Presentation) -> str:
    return "\n".join(f"{line}" for line in asked.question.candidates)


@require_POST
def answer(request: HttpRequest, token: str, position: int) -> HttpResponse:
    is_form = request.content_type != "application/json"
    sent: dict[str, Any] = request.POST.dict() if is_form else json.loads(request.body)
    asked = _asked(request, position)
    numbers = dict(zip(asked.tokens, asked.order, strict=True))
    first, second = (numbers.get(sent[name]) for name in ("first", "second"))
    with transaction.atomic():
        asked.shown_at = timezone.now()
        asked.save(update_fields=["shown_at"])
        facts = {"milliseconds": sent.get("milliseconds"), "submission_key": sent.get("key")}
        facts |= {"first": first, "second": second, "depth": 1 if second is None else 2}
        before = getattr(asked, "answer", None)
        Answer(pk=before and before.pk, presentation=asked, **facts).save(force_insert=not before)
    if is_form:
        return HttpResponseRedirect(f"/take/{token}/questions/{min(position + 1, QUESTIONS)}/")
    return JsonResponse({"saved_at": timezone.now(), "seconds_left": 2000})


def _asked(request: HttpRequest, position: int) -> Presentation:
    own = Presentation.objects.select_related("question", "answer")
    return own.get(participant=_person(request), position=position)


def _person(request: HttpRequest) -> Participant:
    secret = next(value for name, value in request.COOKIES.items() if name.startswith("survey-"))
    return Participant.objects.get(keys__digest=digest_of(secret))
