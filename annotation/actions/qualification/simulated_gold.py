"""Let bots practise where the project asks for it, and grade the gold between their pairs."""

import sys
from collections.abc import Iterator, Sequence

from annotation.actions.qualification import gold_stream, qualification
from annotation.actions.rating.given_grades import Given
from annotation.domain.qualification.qualification import QualificationStatus
from annotation.domain.rating.guideline import Guideline
from annotation.domain.rating.simulation import SimulatedAnnotators
from annotation.domain.workflow import AnnotatorState
from annotation.models import Cursor, Project, Purpose, Step
from annotation.selectors.qualification.qualification import annotator_of
from core.models import User


def qualified(project: Project, bots: Sequence[User], raters: SimulatedAnnotators) -> list[User]:
    """Let each bot practise as often as it may, and return the bots that may rate."""
    for bot in bots:
        while annotator_of(project, bot).may_practise:
            _practise(project, bot, raters)
    return [bot for bot in bots if annotator_of(project, bot).status == QualificationStatus.FREE]


def _practise(project: Project, bot: User, raters: SimulatedAnnotators) -> None:
    """Grade a whole attempt."""
    guideline = project.guidelines.all()[:1].get().content
    attempt = qualification.begin(project=project, by=bot)
    for practice in attempt.grades.filter(grade=None).select_related("item__gold"):
        key = practice.item.key
        grade = raters.grade_of_gold(key, bot.name, practice.item.gold.grade, attempt.number)
        reason = raters.type_of(grade, key, bot.name, guideline) or ""
        qualification.practise(project=project, position=practice.position, grade=grade, reason=reason, by=bot)


def lock_working(project: Project, bots: Sequence[User]) -> dict[str, Cursor]:
    """Lock the cursors of the bots that are not paused, and return them by name."""
    queue = project.queues.get(step=Step.RATE)
    own = Cursor.objects.filter(queue=queue, person__in=bots)
    if own.count() < len(bots):
        Cursor.objects.bulk_create([Cursor(queue=queue, person=bot) for bot in bots], ignore_conflicts=True)
    locked = own.select_for_update(no_key=True, of=("self",)).select_related("person").order_by("pk")
    return {cursor.person.name: cursor for cursor in locked if cursor.state == AnnotatorState.WORKING}


def between(
    given: Sequence[Given],
    cursors: dict[str, Cursor],
    raters: SimulatedAnnotators,
    guideline: Guideline,
    project: Project,
) -> Iterator[Given]:
    """Yield each bot's grades of the gold between the pairs it graded. The caller holds the locks of the cursors."""
    for name, cursor in cursors.items():
        own = [one.slot for one in given if one.person.name == name]
        assigned = gold_stream.with_gold(own, cursor=cursor, project=project, most=sys.maxsize, by=cursor.person)
        for slot in assigned:
            if slot.item.purpose == Purpose.GOLD:
                key = slot.item.key
                grade = raters.grade_of_gold(key, name, slot.item.gold.grade, slot.round)
                yield Given(slot, cursor.person, grade, raters.type_of(grade, key, name, guideline) or "")
