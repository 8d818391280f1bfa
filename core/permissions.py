"""Table of permissions, to which each app adds its rows.

What a person may do follows from the role they have in a project or study; an administrator has theirs everywhere.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast

from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db import models
from django.db.models import F, Q, QuerySet, Value
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from core.models.jobs import Job
from core.models.people import Account, Role, User

ANNOTATOR, INSPECTOR, EXPERT = Role.ANNOTATOR, Role.INSPECTOR, Role.EXPERT
RESEARCHER, ADMINISTRATOR = Role.RESEARCHER, Role.ADMINISTRATOR
EVERYONE = frozenset(Role)

# Each permission with the roles that have it; what is done in no project or study, such as creating one, by account.
PERMISSIONS: dict[str, frozenset[str]] = {
    "home": EVERYONE,
    "account": EVERYONE,
    "jobs.watch": frozenset({RESEARCHER, ADMINISTRATOR}),
    "people.invite": frozenset({RESEARCHER, ADMINISTRATOR}),
    "people.administer": frozenset({ADMINISTRATOR}),
    "installation.keep": frozenset({ADMINISTRATOR}),
    "api.read": frozenset({RESEARCHER, ADMINISTRATOR}),
}


def register(permissions: Mapping[str, frozenset[str]]) -> None:
    """Add an app's permissions."""
    PERMISSIONS.update(permissions)


@dataclass(frozen=True)
class MemberScope:
    """A kind of thing that people are members of, such as a project. Jobs, events and invitations name one by its kind.

    `membership` is the table that gives a person a role in one of them, `join` writes it, and `frame` is the template
    that their pages extend.
    """

    model: type[models.Model]
    membership: type[models.Model]
    join: Callable[..., None]
    frame: str

    @property
    def kind(self) -> str:
        return self.model._meta.label_lower

    @property
    def name(self) -> str:
        return str(self.model._meta.model_name)

    def roles_of(self, person: User) -> QuerySet[Any, tuple[str, int, str]]:
        """Return kind, id and role of each that the person is a member of."""
        rows = self.membership._default_manager.filter(person=person).order_by()
        return rows.values_list(Value(self.kind), F(f"{self.name}_id"), F("role"))


SCOPES: dict[str, MemberScope] = {}


def register_scope(scope: MemberScope) -> None:
    """Add a kind of thing that people are members of."""
    SCOPES[scope.kind] = scope


def jobs_of(person: User) -> QuerySet[Job]:
    """Return the jobs of all projects and studies where a person may watch them, and the person's own of neither.

    An administrator gets all jobs.
    """
    if person.is_administrator:
        return Job.objects.all()
    own = Q(scope_kind="", created_by=person)
    for kind, scope in SCOPES.items():
        watched = scope.roles_of(person).filter(role__in=sorted(PERMISSIONS["jobs.watch"]))
        own |= Q(scope_kind=kind, scope_id__in=watched.values(f"{scope.name}_id"))
    return Job.objects.filter(own)


# A researcher may give people work in a project; only an administrator makes researchers and administrators.
MAY_GIVE: dict[Role, frozenset[Role]] = {
    RESEARCHER: frozenset({ANNOTATOR, INSPECTOR, EXPERT}),
    ADMINISTRATOR: EVERYONE,
}
OFFERED = (ANNOTATOR, INSPECTOR, RESEARCHER, ADMINISTRATOR)  # experts are added to a study, not to a project


def roles_of(person: User) -> frozenset[Role]:
    """Return the roles that a person has anywhere. One who may create projects and studies is a researcher."""
    if person.is_administrator:
        return frozenset({ADMINISTRATOR})
    by_account = {RESEARCHER} if person.account == Account.CREATOR else set()
    return frozenset(by_account.union(_memberships(person).values()))


def researchers() -> QuerySet[User]:
    """Return the people whom `roles_of` calls researchers."""
    found = Q(account=Account.CREATOR)
    for scope in SCOPES.values():
        found |= Q(pk__in=scope.membership._default_manager.filter(role=RESEARCHER).values("person"))
    return User.objects.filter(found).exclude(account=Account.ADMINISTRATOR)


def may_give(person: User, role: str, within: models.Model | None = None) -> bool:
    """Return whether a person may let others have a role in a project or study, or as soon as they are in one."""
    held = roles_of(person)
    if within is not None and not person.is_administrator:
        held &= {_memberships(person).get((within._meta.label_lower, within.pk))}
    return person.is_active and any(role in MAY_GIVE.get(own, ()) for own in held)


def may(person: User | AnonymousUser, permission: str, within: models.Model | None = None) -> bool:
    """Return whether a person has a permission in a project or study; without one, whether they have it anywhere."""
    if not (person.is_authenticated and person.is_active):
        return False
    allowed = PERMISSIONS[permission]
    if person.is_administrator or within is None:
        return allowed == EVERYONE or not allowed.isdisjoint({person.account, *roles_of(person)})
    return _memberships(person).get((within._meta.label_lower, within.pk)) in allowed


def is_member(person: User, scope: models.Model) -> bool:
    return person.is_administrator or (scope._meta.label_lower, scope.pk) in _memberships(person)


def _memberships(person: User) -> Mapping[tuple[str, int], Role]:
    """Return the person's role in each project and study, by kind and id. Read once for each loaded person."""
    if person.roles_held is None:
        first, *others = (scope.roles_of(person) for scope in SCOPES.values())
        rows = first.union(*others, all=True)
        person.roles_held = {(kind, pk): Role(role) for kind, pk, role in rows}
    return person.roles_held


class RoleEnded(PermissionDenied):
    """The work at this address is the person's own, but they no longer have the role for it there."""


class AuthenticatedRequest(HttpRequest):
    """Request of a view behind `requires`: its person is signed in, and `permission` is the one that it needs."""

    user: User
    permission: str


Arguments = ParamSpec("Arguments")
GuardedView = Callable[Concatenate[AuthenticatedRequest, Arguments], HttpResponseBase]
View = Callable[Concatenate[HttpRequest, Arguments], HttpResponseBase]


def requires(
    permission: str, *, is_shown_by_what_is_found: bool = False
) -> Callable[[GuardedView[Arguments]], View[Arguments]]:
    """Guard a view: the person has the permission somewhere. What it shows is loaded through their right to that.

    Where the view does nothing before it has found that, the permission `is_shown_by_what_is_found`: only when nothing
    is found it is asked whether the person has it at all. The permission is stored on the view, so that a test can
    check all views.
    """
    PERMISSIONS[permission]  # a mistyped name fails at import

    def guard(view: GuardedView[Arguments]) -> View[Arguments]:
        @wraps(view)
        def guarded(request: HttpRequest, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return sign_in_first(request)
            if not is_shown_by_what_is_found:
                _must_have(request.user, permission, has_slug="slug" in kwargs)
            asked = cast(AuthenticatedRequest, request)
            asked.permission = permission
            try:
                return view(asked, *args, **kwargs)
            except Http404:
                _must_have(request.user, permission, has_slug="slug" in kwargs)
                raise

        guarded.permission = permission  # type: ignore[attr-defined]  # a function has no attribute of this name yet
        return guarded

    return guard


def _must_have(person: User, permission: str, *, has_slug: bool) -> None:
    """Raise PermissionDenied; Http404 for a stranger to all projects and studies at the address of one."""
    if not may(person, permission):
        raise Http404 if has_slug and not roles_of(person) else PermissionDenied


def wants_json(request: HttpRequest) -> bool:
    """Return whether a request is of the API, or of a script that asks for JSON."""
    html_or_json = request.get_preferred_type(["text/html", "application/json"])
    return request.path.startswith("/api/") or html_or_json == "application/json"


def sign_in_first(request: HttpRequest) -> HttpResponse:
    """Redirect to the sign-in page and back; a POST goes to the home page instead, because its data are not sent again.

    A script gets status 401.
    """
    if wants_json(request):
        return JsonResponse({"detail": _("Not saved: you are signed out. Sign in and send it again.")}, status=401)
    return redirect_to_login(request.get_full_path() if request.method == "GET" else reverse("home"))
