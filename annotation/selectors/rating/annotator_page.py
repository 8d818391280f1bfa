"""The content of an annotator's page: held pairs, last grades and today's progress; never another person's work."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import models

from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment, Cursor, Item, Project, Rating, Step
from annotation.selectors.rating.own_work import count_to_come
from annotation.selectors.skips import last_skips, newest_first
from core.models import User


@dataclass(frozen=True)
class Pair:
    """A pair on an assignment, without the item's name and without other people's work on it."""

    assignment: int
    prompt: str
    response: str
    about: str


@dataclass(frozen=True)
class GradedPair(Pair):
    """A pair with the person's own grade and reason."""

    grade: int
    reason: str


@dataclass(frozen=True)
class SkippedPair(Pair):
    """A pair that the person skipped, with the reason."""

    skipped: str


def pairs_on(project: Project, assignments: Sequence[Assignment]) -> list[Pair]:
    """Return the pairs of the project's assignments, in the same order."""
    models.prefetch_related_objects(assignments, "slot__item")
    return [Pair(assignment.pk, **_shown(project, assignment.slot.item)) for assignment in assignments]


def last_done(project: Project, person: User) -> list[GradedPair | SkippedPair]:
    """Return the person's last grades that they can still change and skips that they can undo, the newest first."""
    graded = _in_force(project, Assignment.objects.changeable(person)).select_related("assignment__slot__item")
    ratings = {rating.assignment: rating for rating in graded}
    ended = newest_first([*ratings, *last_skips(project, Step.RATE, person)])
    return [_done(project, assignment, ratings.get(assignment)) for assignment in ended]


def _done(project: Project, assignment: Assignment, rating: Rating | None) -> GradedPair | SkippedPair:
    shown = _shown(project, assignment.slot.item)
    if rating is None:
        return SkippedPair(assignment.pk, **shown, skipped=assignment.reason)
    return GradedPair(assignment.pk, **shown, grade=rating.grade, reason=rating.reason)


def graded_since(project: Project, person: User, since: datetime) -> int:
    """Return the number of pairs that the person has graded from `since` on."""
    return Assignment.objects.filter(
        person=person,
        state=AssignmentState.SUBMITTED,
        ended_at__gte=since,
        slot__queue__project=project,
        slot__queue__step=Step.RATE,
    ).count()


def count_left(project: Project, person: User, *, held: int) -> int:
    """Return the number of pairs for the person to grade: the `held` ones, and at most a day's others."""
    queue = project.queues.select_related("project").get(step=Step.RATE)
    cursor = person.cursors.filter(queue=queue).first() or Cursor()
    return held + count_to_come(queue, person, cursor, most=project.rating.per_day)


def last_milliseconds(project: Project, person: User, *, count: int) -> list[int]:
    """Return the measured times of the person's last grades, the newest first."""
    timed = _in_force(project, Assignment.objects.graded(person)[:count]).exclude(milliseconds=None)
    return [each for each in timed.values_list("milliseconds", flat=True) if each is not None]


def _in_force(project: Project, assignments: models.QuerySet[Assignment]) -> models.QuerySet[Rating]:
    """Return the grades of these few assignments, by key, so that a database does not read all of a person's."""
    few = list(assignments.values_list("pk", flat=True))
    own = Rating.objects.filter(replaced_at=None, assignment__in=few, assignment__slot__queue__project=project)
    return own.order_by("-assignment__ended_at", "-assignment")


def _shown(project: Project, item: Item) -> dict[str, str]:
    """Return the texts of a pair, and of its source and topic what the project tells its raters."""
    return {
        "prompt": item.content["prompt"],
        "response": item.content["response"],
        "about": item.about(project.rating.told),
    }
