"""Pausing annotators who miss too much gold, and letting them go on."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.actions.projects.projects import must_be
from annotation.domain.qualification.gold import is_too_many
from annotation.domain.workflow import AnnotatorState
from annotation.models import Cursor, Kind, Project, Step
from annotation.selectors.qualification.gold import recent_gold
from core.actions.events import move, must_say_why
from core.actions.refusals import Refused
from core.models import User


def watch(cursor: Cursor, *, project: Project) -> None:
    """Pause the person of a locked cursor when they have missed too many of their last gold pairs.

    What they have in hand stays theirs until its lease ends, so that no grade on its way is lost.
    """
    misses = _misses(project, cursor)
    if cursor.state == AnnotatorState.WORKING and is_too_many(misses, project.rating):
        why = f"{sum(misses)} of the last {len(misses)} gold pairs missed"
        move(cursor, AnnotatorState.PAUSED, scope=project, why=why, by=None, paused_at=timezone.now())


@transaction.atomic
def resume(*, project: Project, person: User, why: str, by: User) -> None:
    """Let a paused person go on. What they missed before is not held against them again. Raises Refused."""
    must_be(project, Kind.RATING)
    must_say_why(why)
    cursor = _paused(project, person)
    if cursor is None:
        raise Refused("not_paused", _("%(name)s is not paused.") % {"name": person})
    move(cursor, AnnotatorState.WORKING, scope=project, why=why, by=by, resumed_at=timezone.now())


@transaction.atomic
def end_without_cause(*, project: Project, person: User, why: str, by: User | None) -> None:
    """Let a paused person go on when the gold that still stands would not pause them: what was voided is no miss."""
    cursor = _paused(project, person)
    if cursor is not None and not is_too_many(_misses(project, cursor), project.rating):
        move(cursor, AnnotatorState.WORKING, scope=project, why=why, by=by)


def _paused(project: Project, person: User) -> Cursor | None:
    """The cursor of somebody who is paused, locked; None for anybody else."""
    own = Cursor.objects.select_for_update(no_key=True, of=("self",)).select_related("person")
    cursor = own.filter(queue__project=project, queue__step=Step.RATE, person=person).first()
    return cursor if cursor is not None and cursor.state == AnnotatorState.PAUSED else None


def _misses(project: Project, cursor: Cursor) -> list[bool]:
    """Whether each of the last gold pairs that count for or against the cursor's person was missed, the last first."""
    return [judged.is_miss for judged in recent_gold(project, cursor.person, cursor)]
