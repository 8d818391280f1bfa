"""Visit to a survey: the group of its link, and the participant. The survey is in the study's language."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import translation
from django.views.decorators.cache import never_cache

from study.actions.survey.participants import participant_with
from study.domain.survey.phases import Phase
from study.models import Participant, Study
from study.models.people import StudyGroup
from study.selectors.survey import visits

COOKIE_DAYS = 180
MOST_PEOPLE = 20  # of one browser; the first ones are forgotten
UNKNOWN, WITHDRAWN = "", "withdrawn"  # in the place of a secret: they lead to no row


@dataclass(frozen=True)
class Visit:
    """A request by one of the people of a browser.

    `secrets` are those of all whom the browser keeps, the present one first.
    """

    group: StudyGroup
    participant: Participant | None
    secrets: tuple[str, ...]

    @property
    def study(self) -> Study:
        return self.group.study

    @property
    def person(self) -> Participant:
        """The participant, of a visit whose phase is known."""
        assert self.participant is not None
        return self.participant

    @property
    def has_withdrawn(self) -> bool:
        return self.secrets[0] == WITHDRAWN

    @property
    def is_known(self) -> bool:
        """True when a person has taken part in this browser, and no one has said since to be another person."""
        return self.participant is not None or self.has_withdrawn

    @property
    def phase(self) -> Phase | None:
        """The page that the participant has reached; None before they join."""
        return visits.phase(self.participant) if self.participant else None

    def by_stranger(self) -> "Visit":
        """Return the visit as one by a person who has not joined."""
        return replace(self, participant=None)

    def is_for(self, public_id: str) -> bool:
        """Return whether a page that was made for the person of this id, "" for none, belongs to this visit."""
        return not public_id or (self.participant is not None and public_id == str(self.participant.public_id))


def in_survey(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Wrap a view behind a group's token: `view(request, visit, …)`.

    What a form sends that was made for another person of this browser is a stranger's.
    """

    @wraps(view)
    @never_cache  # a cached page would show old answers and minutes
    def entrance(request: HttpRequest, token: str, **arguments: Any) -> HttpResponse:
        groups = StudyGroup.objects.select_related("study").filter(study__is_imported=False)
        group = get_object_or_404(groups, token=token)
        visit = _visit(request, group)
        if not visit.is_for(request.POST.get("person", "")):
            visit = visit.by_stranger()
        request.LANGUAGE_CODE = group.study.language  # also of an error page
        with translation.override(group.study.language):
            response = view(request, visit, **arguments)
            response.headers["Content-Language"] = group.study.language
            return response

    return entrance


def _visit(request: HttpRequest, group: StudyGroup) -> Visit:
    secrets = tuple(request.COOKIES.get(_cookie(group.study), UNKNOWN).split("."))
    return Visit(group, participant_with(secrets[0], study=group.study), secrets)


def remember(response: HttpResponse, visit: Visit, secret: str, *, is_secure: bool) -> HttpResponse:
    """Make a person the present one of the browser, known by a secret in a cookie that no script or other page reads.

    The secrets of others are kept: by a platform's id they find their way back.
    """
    others = [each for each in visit.secrets if each not in {secret, UNKNOWN, WITHDRAWN}]
    response.set_cookie(
        _cookie(visit.study),
        ".".join([secret, *others][:MOST_PEOPLE]),
        max_age=COOKIE_DAYS * 86_400,
        path="/take/",
        httponly=True,
        samesite="Lax",
        secure=is_secure,
    )
    return response


def _cookie(study: Study) -> str:
    return f"survey-{study.pk}"
