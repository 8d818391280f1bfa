"""Who may do what: one table. A role opens a door; a membership says for which projects (see projects_of)."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.models import Corpus, Job, Project, Role, User

ANNOTATOR, INSPECTOR, EXPERT = Role.ANNOTATOR, Role.INSPECTOR, Role.EXPERT
RESEARCHER, ADMINISTRATOR = Role.RESEARCHER, Role.ADMINISTRATOR
EVERYBODY = frozenset(Role)

PERMISSIONS: dict[str, frozenset[Role]] = {
    "home": EVERYBODY,
    "account": EVERYBODY,
    "pairs.rate": frozenset({ANNOTATOR}),
    "pairs.clean": frozenset({ANNOTATOR, INSPECTOR, RESEARCHER, ADMINISTRATOR}),
    "cleaning.oversee": frozenset({INSPECTOR, RESEARCHER, ADMINISTRATOR}),  # everybody's decisions, and undoing them
    "transcripts.correct": frozenset({ANNOTATOR}),
    "instances.write": frozenset({ANNOTATOR}),
    "pairs.adjudicate": frozenset({INSPECTOR}),
    "instances.inspect": frozenset({INSPECTOR}),
    "instances.reopen": frozenset({RESEARCHER, ADMINISTRATOR}),  # those that inspectors accepted
    "instances.type": frozenset({ANNOTATOR, INSPECTOR}),
    "project.create": frozenset({RESEARCHER, ADMINISTRATOR}),
    "project.view": frozenset({RESEARCHER, ADMINISTRATOR}),  # board, agreement, pairs with their grades
    "project.manage": frozenset({RESEARCHER, ADMINISTRATOR}),  # settings, guideline, members
    "raters.judge": frozenset({INSPECTOR, RESEARCHER, ADMINISTRATOR}),  # their gold, letting them go on, voiding work
    "pairs.import": frozenset({RESEARCHER, ADMINISTRATOR}),
    "items.import": frozenset({RESEARCHER, ADMINISTRATOR}),
    "release.freeze": frozenset({RESEARCHER, ADMINISTRATOR}),
    "release.read": frozenset({RESEARCHER, ADMINISTRATOR}),
    "corpus.import": frozenset({RESEARCHER, ADMINISTRATOR}),
    "corpus.read": frozenset({RESEARCHER, ADMINISTRATOR}),
    "questions.build": frozenset({RESEARCHER, ADMINISTRATOR}),
    "questions.read": frozenset({RESEARCHER, ADMINISTRATOR}),
    "study.create": frozenset({RESEARCHER, ADMINISTRATOR}),
    "study.view": frozenset({RESEARCHER, ADMINISTRATOR}),  # plan, fieldwork, results
    "study.manage": frozenset({RESEARCHER, ADMINISTRATOR}),
    "run.start": frozenset({RESEARCHER, ADMINISTRATOR}),
    "people.invite": frozenset({RESEARCHER, ADMINISTRATOR}),
    "people.administer": frozenset({ADMINISTRATOR}),
    "api.read": frozenset({RESEARCHER, ADMINISTRATOR}),
    "demo.load": frozenset({RESEARCHER, ADMINISTRATOR}),
}

# A researcher may invite those who work for a project; only an administrator makes researchers and administrators.
MAY_INVITE: dict[Role, frozenset[Role]] = {
    RESEARCHER: frozenset({ANNOTATOR, INSPECTOR, EXPERT}),
    ADMINISTRATOR: EVERYBODY,
}


def may(person: User, permission: str) -> bool:
    return person.is_authenticated and person.is_active and person.role in PERMISSIONS[permission]


def projects_of(person: User) -> QuerySet[Project]:
    """The projects a person has a right to. Every view and API answer loads its objects through this."""
    if person.role == ADMINISTRATOR:
        return Project.objects.all()
    return Project.objects.filter(memberships__person=person)


def jobs_of(person: User) -> QuerySet[Job]:
    """Those of a person's projects, and those without a project that the person asked for; to an administrator all."""
    if person.role == ADMINISTRATOR:
        return Job.objects.all()
    return Job.objects.filter(Q(project__in=projects_of(person)) | Q(project=None, created_by=person))


def corpora_of(person: User) -> QuerySet[Corpus]:
    """Corpora are published material: who may read one may read all (docs/adr/0006)."""
    return Corpus.objects.all() if may(person, "corpus.read") else Corpus.objects.none()


View = Callable[..., HttpResponseBase]


def requires(permission: str) -> Callable[[View], View]:
    """Guard a view; the guard's name stands on the view, so that a test can walk them all."""
    PERMISSIONS[permission]  # a mistyped name fails at import

    def guard(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return _sign_in_first(request)
            if not may(request.user, permission):
                raise PermissionDenied
            return view(request, *args, **kwargs)

        entrance: Any = guarded
        entrance.permission = permission
        return entrance

    return guard


def wants_json(request: HttpRequest) -> bool:
    """True for the API and for scripts on pages that ask for JSON."""
    html_or_json = request.get_preferred_type(["text/html", "application/json"])
    return request.path.startswith("/api/") or html_or_json == "application/json"


def _sign_in_first(request: HttpRequest) -> HttpResponse:
    """To the sign-in page and back. What was sent is not sent again: a script is told so, a form's page opens anew."""
    if wants_json(request):
        return JsonResponse({"detail": _("Not saved: you are signed out. Sign in and send it again.")}, status=401)
    return redirect_to_login(request.get_full_path() if request.method == "GET" else reverse("home"))
