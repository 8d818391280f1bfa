"""Table of permissions, to which each app adds its rows.

A role opens a page; a membership decides for which projects or studies.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast

from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db import models
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from core.models.jobs import Job
from core.models.people import Role, User

ANNOTATOR, INSPECTOR, EXPERT = Role.ANNOTATOR, Role.INSPECTOR, Role.EXPERT
RESEARCHER, ADMINISTRATOR = Role.RESEARCHER, Role.ADMINISTRATOR
EVERYONE = frozenset(Role)

PERMISSIONS: dict[str, frozenset[Role]] = {
    "home": EVERYONE,
    "account": EVERYONE,
    "jobs.watch": frozenset({RESEARCHER, ADMINISTRATOR}),
    "people.invite": frozenset({RESEARCHER, ADMINISTRATOR}),
    "people.administer": frozenset({ADMINISTRATOR}),
    "api.read": frozenset({RESEARCHER, ADMINISTRATOR}),
}


def register(permissions: Mapping[str, frozenset[Role]]) -> None:
    """Add an app's permissions, each with the roles that have it."""
    PERMISSIONS.update(permissions)


@dataclass(frozen=True)
class MemberScope:
    """A kind of thing that people are members of, such as a project: rows of jobs, events and invitations name it.

    `visible_to` returns those that a person may see, `join` makes a person a member, and `frame` is the template that
    its pages extend.
    """

    model: type[models.Model]
    visible_to: Callable[[User], QuerySet[Any]]
    join: Callable[..., None]
    frame: str

    @property
    def kind(self) -> str:
        return self.model._meta.label_lower

    @property
    def name(self) -> str:
        return str(self.model._meta.model_name)


SCOPES: dict[str, MemberScope] = {}


def register_scope(scope: MemberScope) -> None:
    """Add a kind of thing that people are members of."""
    SCOPES[scope.kind] = scope


def jobs_of(person: User) -> QuerySet[Job]:
    """Return the jobs of all that a person is a member of, and the person's own without a scope.

    An administrator gets all jobs.
    """
    if person.role == ADMINISTRATOR:
        return Job.objects.all()
    own = Q(scope_kind="", created_by=person)
    for kind, scope in SCOPES.items():
        own |= Q(scope_kind=kind, scope_id__in=scope.visible_to(person).order_by().values("pk"))
    return Job.objects.filter(own)


# A researcher may invite people to work on a project; only an administrator invites researchers and administrators.
MAY_INVITE: dict[Role, frozenset[Role]] = {
    RESEARCHER: frozenset({ANNOTATOR, INSPECTOR, EXPERT}),
    ADMINISTRATOR: EVERYONE,
}


def may(person: User | AnonymousUser, permission: str) -> bool:
    return person.is_authenticated and person.is_active and person.role in PERMISSIONS[permission]


class AuthenticatedRequest(HttpRequest):
    """Request of a view behind `requires`: its person is signed in."""

    user: User


Arguments = ParamSpec("Arguments")
GuardedView = Callable[Concatenate[AuthenticatedRequest, Arguments], HttpResponseBase]
View = Callable[Concatenate[HttpRequest, Arguments], HttpResponseBase]


def requires(permission: str) -> Callable[[GuardedView[Arguments]], View[Arguments]]:
    """Guard a view; the permission is stored on the view, so that a test can check all views."""
    PERMISSIONS[permission]  # a mistyped name fails at import

    def guard(view: GuardedView[Arguments]) -> View[Arguments]:
        @wraps(view)
        def guarded(request: HttpRequest, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return _sign_in_first(request)
            if not may(request.user, permission):
                raise PermissionDenied
            return view(cast(AuthenticatedRequest, request), *args, **kwargs)

        guarded.permission = permission  # type: ignore[attr-defined]  # a function has no attribute of this name yet
        return guarded

    return guard


def wants_json(request: HttpRequest) -> bool:
    """Return whether a request is of the API, or of a script that asks for JSON."""
    html_or_json = request.get_preferred_type(["text/html", "application/json"])
    return request.path.startswith("/api/") or html_or_json == "application/json"


def _sign_in_first(request: HttpRequest) -> HttpResponse:
    """Redirect to the sign-in page and back; a POST goes to the home page instead, because its data are not sent again.

    A script gets status 401.
    """
    if wants_json(request):
        return JsonResponse({"detail": _("Not saved: you are signed out. Sign in and send it again.")}, status=401)
    return redirect_to_login(request.get_full_path() if request.method == "GET" else reverse("home"))
