"""Pausing raters who miss too much gold, and letting them go on."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.actions.events import move
from annotation.actions.projects import must_be
from annotation.actions.refusals import Refused
from annotation.domain.gold import is_too_many
from annotation.domain.workflow import RaterState
from annotation.models import Cursor, Kind, Project, Step, User
from annotation.selectors.gold import recent_gold


def watch(*, project: Project, person: User) -> None:
    """Pause the person when they have missed too many of their last gold pairs. The caller holds their cursor's lock.

    What they have in hand stays theirs until its lease ends, so that no grade on its way is lost.
    """
    cursor = Cursor.objects.get(queue__project=project, queue__step=Step.RATE, person=person)
    misses = [judged.is_miss for judged in recent_gold(project, person, cursor)]
    if cursor.state == RaterState.WORKING and is_too_many(misses, project.rating):
        why = f"{sum(misses)} of the last {len(misses)} gold pairs missed"
        move(cursor, RaterState.PAUSED, project=project, why=why, by=None, paused_at=timezone.now())


@transaction.atomic
def resume(*, project: Project, person: User, why: str, by: User) -> None:
    """Let a paused person go on. What they missed before is not held against them again. Raises Refused."""
    must_be(project, Kind.RATING)
    if not why.strip():
        raise Refused("why_missing", _("Say why: the reason stands in the audit log."))
    own = Cursor.objects.select_for_update(no_key=True, of=("self",))
    cursor = own.filter(queue__project=project, queue__step=Step.RATE, person=person).first()
    if cursor is None or cursor.state != RaterState.PAUSED:
        raise Refused("not_paused", _("%(name)s is not paused.") % {"name": person})
    move(cursor, RaterState.WORKING, project=project, why=why, by=by, resumed_at=timezone.now())
