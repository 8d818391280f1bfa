"""Visit to a survey: the group of its link, and the participant. The survey is in the study's language."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import translation
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache

from core.forms.sent import fields_sent, is_json
from core.permissions import may, sign_in_first
from study.domain.survey.keys import digest_of
from study.domain.survey.phases import Phase
from study.domain.survey.platforms import Visitor
from study.forms.participants import fields_of
from study.models import Participant, Presentation, Study
from study.models.people import StudyGroup
from study.selectors.survey import experts, visits

COOKIE = "survey-"  # and the number of the study
COOKIE_DAYS = 180
MOST_PEOPLE = 20  # of one browser; the first ones are forgotten
POSITIONS = range(1, 32_768)  # of questions: what the column holds
MARKS = UNKNOWN, WITHDRAWN = "", "withdrawn"  # in the place of a secret: they lead to no row
READS = ("GET", "HEAD")


@dataclass(frozen=True)
class Visit:
    """A request by one of the people of a browser.

    `secrets` are those of everyone the browser has kept, the present person first; `people` are those of them who have
    not withdrawn. `named` is the public id of the person whose page it comes from, "" where it names none. `asked` is
    the question that the address names, where it was put to this person. `account` is the person who is signed in,
    where the study is for people with an account: no cookie of the browser says then who takes it.
    """

    group: StudyGroup
    participant: Participant | None
    secrets: tuple[str, ...]
    people: tuple[Participant, ...] = ()
    named: str = ""
    asked: Presentation | None = None
    account: Visitor | None = None

    @property
    def study(self) -> Study:
        return self.group.study

    @property
    def person(self) -> Participant:
        """The participant, of a visit whose phase is known."""
        assert self.participant is not None
        return self.participant

    @property
    def is_known(self) -> bool:
        """True when a person has taken part in this browser, unless another person has announced themselves since."""
        return self.secrets[0] == WITHDRAWN or (self.secrets[0] != UNKNOWN and bool(self.people))

    @property
    def is_shared(self) -> bool:
        """True where several people used the browser, those who are about to join or withdrew included."""
        return _is_shared(self.secrets, self.people)

    @property
    def phase(self) -> Phase | None:
        """The page that the participant has reached; None before they join."""
        return visits.phase(self.participant) if self.participant else None

    @property
    def whose(self) -> str:
        """Query that names the person of a page; empty unless several people use the browser."""
        return f"?{urlencode(self._whose())}" if self._whose() else ""

    def _whose(self) -> dict[str, str]:
        public_id = str(self.participant.public_id) if self.participant else self.named
        return {"person": public_id} if public_id and self.is_shared else {}

    def address(self, name: str, *position: int, **query: str) -> str:
        """Return the address of a page of this person."""
        asked = urlencode({**self._whose(), **query})
        return reverse(name, args=[self.group.token, *position]) + (f"?{asked}" if asked else "")

    def to(self, name: str) -> HttpResponseRedirect:
        """Return a redirect to a page of this person."""
        return HttpResponseRedirect(self.address(name))

    def has_withdrawn(self) -> bool:
        """Return whether this is a page of the person who withdrew last."""
        if self.participant is not None or self.secrets[0] != WITHDRAWN:
            return False
        return visits.has_withdrawn(self.study, self.named) if self.named else not self.is_shared

    def by_stranger(self) -> "Visit":
        """Return the visit as one by a person who has not joined."""
        return replace(self, participant=None, named="", asked=None)

    def secret_of(self, person: Participant | None) -> str:
        """Return the secret by which the browser knows a person; "" where it does not."""
        kept = next((each for each in self.people if each == person), None)
        return next((secret for secret in self.secrets if _is_of(kept, secret)), UNKNOWN)

    def without(self, secret: str) -> "Visit":
        """Return the visit as one of a browser that does not keep this secret."""
        return replace(self, secrets=tuple(each for each in self.secrets if each != secret) or (UNKNOWN,))

    def secrets_after(self, secret: str) -> tuple[str, ...]:
        """Return the secrets that the browser keeps once this one, or a mark, is the present one."""
        others = [each for each in self.secrets if each not in {secret, *MARKS}]
        return (secret, *others)[:MOST_PEOPLE]

    def by_person(self, person: Participant) -> "Visit":
        """Return the visit as one by this person, whom the browser may not keep yet."""
        return replace(self, participant=person, people=(*(each for each in self.people if each != person), person))


def in_survey(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Wrap a view behind a group's token: `view(request, visit, …)`."""

    @wraps(view)
    @never_cache  # a cached page would show old answers and minutes
    def entrance(request: HttpRequest, token: str, **arguments: Any) -> HttpResponse:
        visit = _visit(request, token, arguments.get("position"))
        if visit.study.survey.is_signed_in and not request.user.is_authenticated:
            return sign_in_first(request)
        if visit.study.survey.is_signed_in and not may(request.user, "study.take", within=visit.study):
            raise Http404
        language = request.LANGUAGE_CODE = visit.study.language  # also of an error page
        with translation.override(language):
            response = view(request, visit, **arguments)
            response.headers["Content-Language"] = language
            return _made_present(response, request, visit)

    return entrance


def _made_present(response: HttpResponse, request: HttpRequest, visit: Visit) -> HttpResponse:
    """Make the person of a form the present one, unless the view has set who that is: they sit at the browser now."""
    is_form = request.method not in READS and not is_json(request)
    secret = visit.secret_of(visit.participant)
    if is_form and secret not in {UNKNOWN, visit.secrets[0]} and _cookie(visit.study.pk) not in response.cookies:
        remember(response, visit, secret, is_secure=request.is_secure())
    return response


def _visit(request: HttpRequest, link: str, position: int | None) -> Visit:
    cookies = {name: value for name, value in request.COOKIES.items() if name.startswith(COOKIE)}
    kept = {name: tuple(value.split(".")[:MOST_PEOPLE]) for name, value in cookies.items()}
    cookie_of = {digest_of(each): name for name, secrets in kept.items() for each in secrets if each not in MARKS}
    asked, people = _found(link, position, cookie_of)
    of_link = next((each.group for each in people if each.group and each.group.token == link), None)
    if of_link:
        group, group.study = of_link, people[0].study
    else:
        groups = StudyGroup.objects.select_related("study").defer("study__plan").filter(study__is_imported=False)
        group = get_object_or_404(groups, token=link)
    if group.study.survey.is_signed_in:
        return _visit_by_account(request, group, position)
    secrets, named = kept.get(_cookie(group.study_id), (UNKNOWN,)), _named(request)
    person = _chosen(people, secrets, named, is_read=request.method in READS)
    own = next((each for each in asked if each.participant is person), None)
    return Visit(group, person, secrets, tuple(people), named, own)


def _visit_by_account(request: HttpRequest, group: StudyGroup, position: int | None) -> Visit:
    """Return the visit of a signed-in person. A page of another one, who used the browser before, is no one's."""
    if not request.user.is_authenticated:
        return Visit(group, None, (UNKNOWN,))
    person, named = experts.participant_of(request.user, group.study), _named(request)
    if person and named not in {"", str(person.public_id)}:
        person = None
    is_position = position is not None and position in POSITIONS
    asked = experts.asked_of(person, position or 0) if person and is_position else None
    return Visit(group, person, (UNKNOWN,), named=named, asked=asked, account=experts.account_of(request.user))


def _found(link: str, position: int | None, cookie_of: dict[str, str]) -> tuple[list[Presentation], list[Participant]]:
    """Return the people of the link's study whom the browser keeps, and the question as it is put to them.

    The question comes with the person to whom it is put; others are read only where more secrets are kept.
    """
    held = {"link": link, "digests": tuple(cookie_of)}
    is_position = position is not None and position in POSITIONS  # a range looks for what is no number one by one
    asked = visits.asked_at(position=position, **held) if is_position else []
    people = [each.participant for each in asked]
    for each in asked:
        each.participant.digest = each.digest
    if not people or len(people) < list(cookie_of.values()).count(_cookie(people[0].study_id)):
        people += [each for each in visits.people_at(**held) if each not in people]
    return asked, [each for each in people if cookie_of[each.digest] == _cookie(each.study_id)]


def _named(request: HttpRequest) -> str:
    """Return the public id of the person whose page a request comes from; "" where it says none."""
    sent = request.GET if request.method in READS else fields_sent(request, fields_of)
    return str(sent.get("person", ""))


def _chosen(people: list[Participant], secrets: tuple[str, ...], named: str, *, is_read: bool) -> Participant | None:
    """Return the person as whom a request is answered.

    What a page sends belongs to the person of this browser whom it names, else to the present one. What is read is
    shown to the person it names only while they are the present one: Back must not show the pages of another. Where
    the browser keeps one person alone, both are theirs.
    """
    of_name = next((each for each in people if str(each.public_id) == named), None)
    if not _is_shared(secrets, people):
        return of_name if named else next(iter(people), None)
    present = next((each for each in people if _is_of(each, secrets[0])), None)
    if is_read:
        return of_name if of_name is present else None
    return of_name if named else present


def _is_of(person: Participant | None, secret: str) -> bool:
    return person is not None and person.digest == digest_of(secret)


def _is_shared(secrets: tuple[str, ...], people: Collection[Participant]) -> bool:
    return bool(people) and len(secrets) > 1


def remember(response: HttpResponse, visit: Visit, secret: str, *, is_secure: bool) -> HttpResponse:
    """Make a person the present one of the browser, known by a secret in a cookie that no script or other page reads.

    The secrets of others are kept: their open pages go on, and by a platform's id they find their way back. A person
    who is signed in is known by their account.
    """
    if visit.account:
        return response
    response.set_cookie(
        _cookie(visit.study.pk),
        ".".join(visit.secrets_after(secret)),
        max_age=COOKIE_DAYS * 86_400,
        path="/take/",
        httponly=True,
        samesite="Lax",
        secure=is_secure,
    )
    return response


def _cookie(study: int) -> str:
    return f"{COOKIE}{study}"
