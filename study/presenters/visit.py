"""Visit to a survey: the group of its link, and the participant. The survey is in the study's language."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import translation
from django.views.decorators.cache import never_cache

from study.actions.survey.participants import participant_with
from study.models import Participant, Study
from study.models.people import StudyGroup

COOKIE_DAYS = 180
WITHDRAWN = "withdrawn"  # value of the cookie after a withdrawal: it leads to no row


@dataclass(frozen=True)
class Visit:
    group: StudyGroup
    participant: Participant | None
    has_withdrawn: bool

    @property
    def study(self) -> Study:
        return self.group.study


def in_survey(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Wrap a view behind a group's token: `view(request, visit, …)`."""

    @wraps(view)
    @never_cache  # a cached page would show old answers and minutes
    def entrance(request: HttpRequest, token: str, **arguments: Any) -> HttpResponse:
        groups = StudyGroup.objects.select_related("study").filter(study__is_imported=False)
        group = get_object_or_404(groups, token=token)
        with translation.override(group.study.language):
            response = view(request, _visit(request, group), **arguments)
            response.headers["Content-Language"] = group.study.language
            return response

    return entrance


def _visit(request: HttpRequest, group: StudyGroup) -> Visit:
    secret = request.COOKIES.get(_cookie(group.study), "")
    return Visit(group, participant_with(secret, study=group.study), has_withdrawn=secret == WITHDRAWN)


def remember(request: HttpRequest, response: HttpResponse, study: Study, secret: str) -> HttpResponse:
    """Set the cookie that identifies the participant; scripts and other pages cannot read it."""
    response.set_cookie(
        _cookie(study),
        secret,
        max_age=COOKIE_DAYS * 86_400,
        path="/take/",
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )
    return response


def _cookie(study: Study) -> str:
    return f"survey-{study.pk}"
