"""Visit to a survey: the group of its link, and the participant. The survey is in the study's language."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import translation
from django.views.decorators.cache import never_cache

from study.actions.survey.joining import digest_of
from study.domain.survey.phases import Phase
from study.models import Participant, Presentation, Study
from study.models.people import StudyGroup
from study.selectors.survey import visits

COOKIE = "survey-"  # and the number of the study
COOKIE_DAYS = 180
MOST_PEOPLE = 20  # of one browser; the first ones are forgotten
POSITIONS = range(1, 32_768)  # of questions: what the column holds
UNKNOWN, WITHDRAWN = "", "withdrawn"  # in the place of a secret: they lead to no row


@dataclass(frozen=True)
class Visit:
    """A request by one of the people of a browser.

    `secrets` are those of all whom the browser keeps, the present one first. `asked` is the question that the address
    names, where it was put to this person.
    """

    group: StudyGroup
    participant: Participant | None
    secrets: tuple[str, ...]
    asked: Presentation | None = None

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
        return replace(self, participant=None, asked=None)

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
        visit = _visit(request, token, arguments.get("position"))
        if not visit.is_for(request.POST.get("person", "")):
            visit = visit.by_stranger()
        language = request.LANGUAGE_CODE = visit.study.language  # also of an error page
        with translation.override(language):
            response = view(request, visit, **arguments)
            response.headers["Content-Language"] = language
            return response

    return entrance


def _visit(request: HttpRequest, link: str, position: int | None) -> Visit:
    kept = {name: tuple(value.split(".")) for name, value in request.COOKIES.items() if name.startswith(COOKIE)}
    present = {digest_of(secrets[0]): name for name, secrets in kept.items() if secrets[0] not in {UNKNOWN, WITHDRAWN}}
    held = {"link": link, "digests": tuple(present)}
    is_position = position is not None and position in POSITIONS  # a range looks for what is no number one by one
    asked = visits.asked_at(position=position, **held) if is_position else []
    people = [each.participant for each in asked] or visits.people_at(**held)
    person = next((each for each in people if present[each.token_digest] == _cookie(each.study_id)), None)
    if person and person.group and person.group.token == link:
        group, group.study = person.group, person.study
    else:
        groups = StudyGroup.objects.select_related("study").defer("study__plan").filter(study__is_imported=False)
        group = get_object_or_404(groups, token=link)
    own = next((each for each in asked if each.participant is person), None)
    return Visit(group, person, kept.get(_cookie(group.study_id), (UNKNOWN,)), own)


def remember(response: HttpResponse, visit: Visit, secret: str, *, is_secure: bool) -> HttpResponse:
    """Make a person the present one of the browser, known by a secret in a cookie that no script or other page reads.

    The secrets of others are kept: by a platform's id they find their way back.
    """
    others = [each for each in visit.secrets if each not in {secret, UNKNOWN, WITHDRAWN}]
    response.set_cookie(
        _cookie(visit.study.pk),
        ".".join([secret, *others][:MOST_PEOPLE]),
        max_age=COOKIE_DAYS * 86_400,
        path="/take/",
        httponly=True,
        samesite="Lax",
        secure=is_secure,
    )
    return response


def _cookie(study: int) -> str:
    return f"{COOKIE}{study}"
