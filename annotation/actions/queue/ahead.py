"""Claim ahead: several assignments for a page that goes on without a connection, and near the end fewer."""

from math import ceil

from django.db import transaction
from django.db.models import Sum

from annotation.actions.queue.assignments import claim_with, own_cursor
from annotation.models import Assignment, Cursor, Project, Slot, Step
from core.models import Role, User

WORKERS = {  # who shares what is open; of the other steps the annotators
    Step.ADJUDICATE: (Role.INSPECTOR,),
    Step.TYPE: (Role.ANNOTATOR, Role.INSPECTOR),
    Step.INSPECT: (Role.INSPECTOR,),
}


@transaction.atomic
def claim_ahead(*, project: Project, step: str, most: int, by: User) -> list[Assignment]:
    """Claim as assignments.claim() does, up to `most` or up to a share of what is open."""
    cursor = own_cursor(project, step, by=by)
    return claim_with(cursor, project, _share(cursor, project, most), waits=True, by=by)


def claim_ahead_without_waiting(cursor: Cursor, *, project: Project, most: int, by: User) -> list[Assignment]:
    """Claim as claim_ahead() does, inside a transaction that has locked the person's cursor and a slot.

    It skips locked slots, because waiting for a second slot could deadlock. So it may return fewer assignments than are
    open.
    """
    return claim_with(cursor, project, _share(cursor, project, most), waits=False, by=by)


def _share(cursor: Cursor, project: Project, most: int) -> int:
    roles = WORKERS.get(Step(cursor.queue.step), (Role.ANNOTATOR,))
    people = project.memberships.filter(role__in=roles, person__is_active=True).count()
    return share(cursor, most, people)


def share(cursor: Cursor, most: int, people: int) -> int:
    """Return how many assignments a person may hold: `most`, and near the end an equal share of what is open.

    The share is that of one of the project's `people` who do this work, and at least one. If the first to come held all
    that is left, the others would wait for them, or for their leases to end. Only what can make it less than `most` is
    counted.
    """
    people = people or 1
    ahead = Slot.objects.filter(queue=cursor.queue_id, position__gt=cursor.position, free__gt=0).order_by("position")
    free = ahead[: most * people].aggregate(Sum("free"))["free__sum"] or 0
    return min(most, max(1, ceil(free / people)))


def enough_for_all(most: int, people: int) -> int:
    """Return the number of open slots that are enough for each of the people to hold `most`."""
    return (most - 1) * (people or 1) + 1
