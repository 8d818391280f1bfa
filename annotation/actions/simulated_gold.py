"""Bots on gold: they practise where the project asks for it, and meet gold between the pairs they rate."""

import sys
from collections.abc import Iterator, Sequence

from annotation.actions import gold_stream, qualification
from annotation.actions.given_grades import Given
from annotation.domain.guideline import Guideline
from annotation.domain.qualification import Standing
from annotation.domain.simulation import SimulatedRaters
from annotation.domain.workflow import RaterState
from annotation.models import Cursor, Project, Purpose, Step, User
from annotation.selectors.qualification import rater_of


def qualified(project: Project, bots: Sequence[User], raters: SimulatedRaters) -> list[User]:
    """The bots that may rate, once each has practised as often as it may."""
    for bot in bots:
        while rater_of(project, bot).may_practise:
            _practise(project, bot, raters)
    return [bot for bot in bots if rater_of(project, bot).standing == Standing.FREE]


def _practise(project: Project, bot: User, raters: SimulatedRaters) -> None:
    """An attempt, to its end."""
    guideline = project.guidelines.all()[:1].get().content
    attempt = qualification.begin(project=project, by=bot)
    for practice in attempt.grades.filter(grade=None).select_related("item__gold"):
        key = practice.item.key
        grade = raters.grade_of_gold(key, bot.name, practice.item.gold.grade, attempt.number)
        reason = raters.type_of(grade, key, bot.name, guideline) or ""
        qualification.practise(project=project, position=practice.position, grade=grade, reason=reason, by=bot)


def lock_working(project: Project, bots: Sequence[User]) -> dict[str, Cursor]:
    """The cursors of those bots that are not paused, locked, by name."""
    queue = project.queues.get(step=Step.RATE)
    own = Cursor.objects.filter(queue=queue, person__in=bots)
    if own.count() < len(bots):
        Cursor.objects.bulk_create([Cursor(queue=queue, person=bot) for bot in bots], ignore_conflicts=True)
    locked = own.select_for_update(no_key=True, of=("self",)).select_related("person").order_by("pk")
    return {cursor.person.name: cursor for cursor in locked if cursor.state == RaterState.WORKING}


def between(
    given: Sequence[Given], cursors: dict[str, Cursor], raters: SimulatedRaters, guideline: Guideline, project: Project
) -> Iterator[Given]:
    """What each bot gives the gold that comes between the pairs it graded. The cursors are locked."""
    for name, cursor in cursors.items():
        own = [one.place for one in given if one.person.name == name]
        handed = gold_stream.among(own, cursor=cursor, project=project, most=sys.maxsize, by=cursor.person)
        for place in handed:
            if place.item.purpose == Purpose.GOLD:
                key = place.item.key
                grade = raters.grade_of_gold(key, name, place.item.gold.grade, place.round)
                yield Given(place, cursor.person, grade, raters.type_of(grade, key, name, guideline) or "")
