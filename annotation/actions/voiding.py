"""Voiding what a person did: kept, not counted, and open to others again. What was frozen before stays as it is."""

from collections.abc import Callable, Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from annotation.actions import assignments
from annotation.actions.ratings import settle
from annotation.actions.refusals import Refused
from annotation.actions.voided_rewriting import void_on_items
from annotation.domain.batches import batched
from annotation.models import Kind, Project, User
from annotation.selectors.members import work_since

AT_ONCE = 500  # places or items in one transaction


def void_work(*, project: Project, person: User, since: datetime, why: str, by: User) -> int:
    """Void a person's grades, texts or verdicts from `since` on. How many; doing it twice voids nothing more.

    Raises Refused without a reason.
    """
    if not why.strip():
        raise Refused("why_missing", _("Say why: the reason stands in the audit log."))
    unit, void = WAYS[Kind(project.kind)]
    units = list(work_since(project, person, since).order_by(unit).values_list(unit, flat=True).distinct())
    return sum(
        void(some, project=project, person=person, since=since, why=why, by=by) for some in batched(units, AT_ONCE)
    )


@transaction.atomic
def _void_grades(places: Sequence[int], *, project: Project, person: User, since: datetime, why: str, by: User) -> int:
    seats = assignments.void(person=person, places=places, why=why, by=by)
    settle([seat.place.item for seat in seats], project=project, by=by)
    return len(seats)


# What is voided together, and how.
WAYS: dict[Kind, tuple[str, Callable[..., int]]] = {
    Kind.RATING: ("place", _void_grades),
    Kind.REWRITING: ("place__item", void_on_items),
}
