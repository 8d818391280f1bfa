"""The people of a project and their work in it; all accounts and open invitations."""

from collections.abc import Collection
from datetime import datetime

from django.db.models import Exists, F, OuterRef, Prefetch, Q, QuerySet
from django.utils import timezone

from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment, Membership, Project, Step
from annotation.models.work import AssignmentQuerySet
from annotation.permissions import projects_of
from core.domain.text import fold_name
from core.models import Invitation, User

# Without cleaning, whose decisions are undone one by one.
VOIDABLE = (Step.RATE, Step.ADJUDICATE, Step.TRANSCRIBE, Step.CHECK, Step.WRITE, Step.INSPECT, Step.TYPE)


def members_of(project: Project) -> QuerySet[User]:
    """Return the members with `role`, `joined_at`, and `has_work`: whether there is something to void."""
    people = User.objects.filter(memberships__project=project).order_by("name", "username")
    return people.annotate(
        role=F("memberships__role"), joined_at=F("memberships__joined_at"), has_work=_has_work(project)
    )


def people_with_work(project: Project) -> QuerySet[User]:
    """Return the people whose work counts in the project, members or not."""
    return User.objects.filter(_has_work(project)).order_by("name", "username")


def people_of(project: Project) -> QuerySet[User]:
    """Return the members, and people who have left but whose work counts."""
    return User.objects.filter(Exists(project.memberships.filter(person=OuterRef("pk"))) | _has_work(project))


def people_at_work(project: Project) -> QuerySet[User]:
    """Return the people who hold work of the project now."""
    held = Assignment.objects.filter(slot__queue__project=project, state=AssignmentState.HELD, person=OuterRef("pk"))
    return User.objects.filter(Exists(held)).order_by("name", "username")


def people_named(project: Project, name: str) -> QuerySet[User]:
    """Return the people with this name or user name whose work counts in the project, or who may work in it."""
    called = Q(name__iexact=name) | Q(username__iexact=name) | Q(username__iexact=f"{project.slug}/{name}")
    return people_of(project).filter(called).filter(Q(is_active=True) | _has_work(project))


def members_named(project: Project, names: Collection[str]) -> dict[str, User]:
    """Return the active members who sign in by one of these names, by the name as given."""
    members = User.objects.filter(memberships__project=project, is_active=True)
    by_name = {fold_name(member.username): member for member in members}
    return {name: by_name[fold_name(name)] for name in names if fold_name(name) in by_name}


def work_since(project: Project, person: User, since: datetime) -> QuerySet[Assignment]:
    """Return the person's submitted assignments from `since` on that count: those on gold do not."""
    return _done(project).of_work().filter(person=person, ended_at__gte=since)


def assignments_since(project: Project, person: User, since: datetime) -> QuerySet[Assignment]:
    """Return the person's submitted assignments from `since` on, including those on gold."""
    return _done(project).filter(person=person, ended_at__gte=since)


def _has_work(project: Project) -> Exists:
    return Exists(_done(project).of_work().filter(person=OuterRef("pk")))


def _done(project: Project) -> AssignmentQuerySet:
    return Assignment.objects.filter(
        slot__queue__project=project, slot__queue__step__in=VOIDABLE, state=AssignmentState.SUBMITTED
    )


def people_for(viewer: User, search: str = "") -> QuerySet[User]:
    """Return all accounts; `own_memberships` holds only those in projects that the viewer may use."""
    seen = Membership.objects.filter(project__in=projects_of(viewer, "project.view")).order_by("project__title")
    seen = seen.select_related("project")
    people = User.objects.prefetch_related(Prefetch("memberships", seen, to_attr="own_memberships"))
    if search:
        people = people.filter(Q(name__icontains=search) | Q(username__icontains=search))
    return people.order_by("-is_active", "name", "username")


def open_invitations(viewer: User) -> QuerySet[Invitation]:
    """Return the invitations that can still be accepted: an administrator sees all, others their own."""
    waiting = Invitation.objects.filter(accepted_at=None, withdrawn_at=None, expires_at__gt=timezone.now())
    own = waiting if viewer.is_administrator else waiting.filter(created_by=viewer)
    return own.select_related("created_by")
