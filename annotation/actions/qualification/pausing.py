"""Pause annotators who miss too much gold, and resume them."""

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
    """Pause the person of a locked cursor if they missed too many of their last gold pairs.

    They keep held assignments until the lease ends, so that no grade already being given is lost.
    """
    misses = _misses(project, cursor)
    if cursor.state == AnnotatorState.WORKING and is_too_many(misses, project.rating):
        why = f"{sum(misses)} of the last {len(misses)} gold pairs missed"
        move(cursor, AnnotatorState.PAUSED, scope=project, why=why, by=None, paused_at=timezone.now())


@transaction.atomic
def resume(*, project: Project, person: User, why: str, by: User) -> None:
    """Let a paused person go on; misses before that no longer count against them. Raises Refused."""
    must_be(project, Kind.RATING)
    must_say_why(why)
    cursor = _paused(project, person)
    if cursor is None:
        raise Refused("not_paused", _("%(name)s is not paused.") % {"name": person})
    move(cursor, AnnotatorState.WORKING, scope=project, why=why, by=by, resumed_at=timezone.now())


@transaction.atomic
def end_without_cause(*, project: Project, person: User, why: str, by: User | None) -> None:
    """Let a paused person go on if the gold that still counts would not pause them; voided gold is no miss."""
    cursor = _paused(project, person)
    if cursor is not None and not is_too_many(_misses(project, cursor), project.rating):
        move(cursor, AnnotatorState.WORKING, scope=project, why=why, by=by)


def _paused(project: Project, person: User) -> Cursor | None:
    """Return the locked cursor of a paused person; None if the person is not paused."""
    own = Cursor.objects.select_for_update(no_key=True, of=("self",)).select_related("person")
    cursor = own.filter(queue__project=project, queue__step=Step.RATE, person=person).first()
    return cursor if cursor is not None and cursor.state == AnnotatorState.PAUSED else None


def _misses(project: Project, cursor: Cursor) -> list[bool]:
    """Return for each of the person's last counting gold pairs whether it was missed, newest first."""
    return [judged.is_miss for judged in recent_gold(project, cursor.person, cursor)]
