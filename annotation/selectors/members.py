"""The people of a project, and what they have done in it."""

from datetime import datetime

from django.db.models import Exists, F, OuterRef, QuerySet

from annotation.domain.workflow import SeatState
from annotation.models import Project, Seat, User


def members_of(project: Project) -> QuerySet[User]:
    """With `joined_at`, and `has_work`: something that could be voided."""
    people = User.objects.filter(memberships__project=project).order_by("name", "username")
    return people.annotate(joined_at=F("memberships__joined_at"), has_work=_has_work(project))


def people_with_work(project: Project) -> QuerySet[User]:
    """Those whose work counts in the project, members or not."""
    return User.objects.filter(_has_work(project)).order_by("name", "username")


def people_of(project: Project) -> QuerySet[User]:
    """Members, and those whose work counts though they have left."""
    return User.objects.filter(Exists(project.memberships.filter(person=OuterRef("pk"))) | _has_work(project))


def work_since(project: Project, person: User, since: datetime) -> QuerySet[Seat]:
    """The person's seats with a grade, text or verdict given from `since` on."""
    return Seat.objects.filter(
        place__queue__project=project, person=person, state=SeatState.SUBMITTED, ended_at__gte=since
    )


def _has_work(project: Project) -> Exists:
    done = Seat.objects.filter(place__queue__project=project, state=SeatState.SUBMITTED)
    return Exists(done.filter(person=OuterRef("pk")))
