"""Accounts and invitations for their page."""

from django.db.models import Prefetch, Q, QuerySet
from django.utils import timezone

from annotation.models import Membership
from annotation.permissions import projects_of
from core.models import Invitation, Role, User


def people_for(viewer: User, search: str = "") -> QuerySet[User]:
    """Return all accounts; `own_memberships` holds only those in projects that the viewer may use."""
    seen = Membership.objects.filter(project__in=projects_of(viewer)).order_by("project__title")
    seen = seen.select_related("project")
    people = User.objects.prefetch_related(Prefetch("memberships", seen, to_attr="own_memberships"))
    if search:
        people = people.filter(Q(name__icontains=search) | Q(username__icontains=search))
    return people.order_by("-is_active", "name", "username")


def open_invitations(viewer: User) -> QuerySet[Invitation]:
    """Return the invitations that can still be accepted: an administrator sees all, others their own."""
    waiting = Invitation.objects.filter(accepted_at=None, withdrawn_at=None, expires_at__gt=timezone.now())
    own = waiting if viewer.role == Role.ADMINISTRATOR else waiting.filter(created_by=viewer)
    return own.select_related("created_by")
