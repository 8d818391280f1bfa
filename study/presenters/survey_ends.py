"""Ends of a survey, and ways out of it and back: to the platform, and by the resume link."""

from collections.abc import Callable
from typing import Any

from django.urls import reverse
from django.utils.translation import get_language

from study.domain.survey.keys import resume_secret
from study.domain.survey.pay import owed_to
from study.domain.survey.phases import ParticipantState, VisitOutcome
from study.domain.survey.platforms import Visitor
from study.domain.survey.returns import WayToPlatform, way_back
from study.models import Participant
from study.presenters.survey import common, outbox_state
from study.presenters.survey_words import words
from study.presenters.visit import Visit
from study.selectors.survey.visits import has_link, presentations_of

# The page says neither that these are paid nor that they are not: what is proposed to the researchers is no decision.
PAY_IS_OPEN = (VisitOutcome.TOO_FEW_ANSWERS, VisitOutcome.UNANSWERED_CHECK)


def end_context(visit: Visit, outcome: VisitOutcome) -> dict[str, Any]:
    """Return the context of study/survey/take/end.html: how it ended, with the completion code."""
    asked = presentations_of(visit.participant) if visit.participant else []
    answered = sum(hasattr(each, "answer") for each in asked)
    code = "" if visit.account else visit.study.codes.get(outcome, "")
    return {
        **common(visit),
        "outcome": outcome,
        "code": code,
        "owed": _owed_to(visit.participant, outcome),
        "is_about_pay": _is_about_pay(visit),
        "is_pay_open": outcome in PAY_IS_OPEN and _is_about_pay(visit),
        "answered": answered,
        "late": sum(hasattr(each, "late_answer") for each in asked),
        "minimum": visit.study.survey.minimum_answers,
        "page_state": visit.participant
        and {
            **outbox_state(visit.participant),
            "onTheWay": words(get_language(), has_deadline=False)["onTheWay"],
        },
        "is_complete": answered == len(asked),
        "back": _back_of(visit, code),
    }


def _is_about_pay(visit: Visit) -> bool:
    """Return whether a person may expect pay: a platform sent them, or the study says what it pays."""
    return (hasattr(visit.participant, "identity") and not visit.account) or bool(visit.study.survey.pay_in_words)


def _owed_to(person: Participant | None, outcome: VisitOutcome) -> str:
    """Return what a person who failed checks is owed; it is told on the page, and proposed to the researchers."""
    if person is None or outcome != VisitOutcome.FAILED_CHECKS:
        return ""
    failed = person.presentations.failed_checks().count()
    return str(owed_to(ParticipantState.FAILED_CHECKS, failed_checks=failed).decision)


def _back_of(visit: Visit, code: str) -> WayToPlatform | None:
    identity = getattr(visit.participant, "identity", None)
    platform, details = (identity.platform, identity.details) if identity else ("", {})
    return way_back(visit.group.return_url, platform, details, code) if code else None


def refused_context(visit: Visit, why: str, visitor: Visitor | None) -> dict[str, Any]:
    """Return the context of study/survey/take/refused.html; who finds no place is led back with the code for it."""
    code = visit.study.codes.get(why, "")
    platform, details = (visitor.platform, visitor.details) if visitor else ("", {})
    back = way_back(visit.group.return_url, platform, details, code) if code else None
    return {**common(visit), "why": why, "code": code, "back": back}


def resume_link(visit: Visit, absolute: Callable[[str], str]) -> dict[str, Any]:
    """Return the person's resume link; none in a browser that came by it and was given no own.

    `absolute` makes of a path an address to keep.
    """
    secret = visit.secret_of(visit.participant)
    if not secret or not has_link(secret):
        return {}
    return {"resume_link": absolute(reverse("take_back_by", args=[visit.group.token, resume_secret(secret)]))}
