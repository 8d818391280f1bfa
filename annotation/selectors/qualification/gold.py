"""Gold: its pairs, when a person met each of them, and how people graded them between other pairs."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from annotation.domain.qualification.gold import Stream, is_miss
from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment, Cursor, Gold, Item, PracticeGrade, Project, Purpose, Rating
from core.models import User


@dataclass(frozen=True)
class GradedGold:
    """A person's grade of a gold pair between other pairs."""

    rating: Rating
    gold: Gold
    is_miss: bool


def stream_of(project: Project, person: User) -> Stream:
    return Stream(project.rating, project.seed, project.secret, project.slug, person.username)


def gold_of(project: Project) -> QuerySet[Item]:
    return project.items.filter(purpose=Purpose.GOLD)


def meetings_of(person: User, project: Project) -> dict[str, list[int]]:
    """Return for each gold pair of the project, by digest, the numbers of the person's meetings with it.

    All their meetings with gold, in practice or between other pairs, are numbered from 1, the oldest first.
    """
    keys = dict(gold_of(project).values_list("pk", "digest"))
    between = Assignment.objects.filter(person=person, slot__item__in=keys)
    practised = PracticeGrade.objects.filter(attempt__person=person, item__in=keys)
    met = sorted(
        [
            *between.values_list("claimed_at", "pk", "slot__item"),
            *practised.values_list("attempt__begun_at", "position", "item"),
        ]
    )
    meetings: dict[str, list[int]] = {key: [] for key in keys.values()}
    for number, (_time, _order, item) in enumerate(met, start=1):
        meetings[keys[item]].append(number)
    return meetings


def gold_grades(project: Project) -> QuerySet[Rating]:
    """Return all people's grades in force on gold between other pairs, the last first."""
    grades = Rating.objects.filter(
        replaced_at=None,
        assignment__state=AssignmentState.SUBMITTED,
        assignment__slot_number=None,
        assignment__slot__item__in=gold_of(project),
    )
    return grades.select_related("assignment__slot__item__gold").order_by("-assignment__ended_at", "-assignment")


def judgements(ratings: Iterable[Rating], project: Project) -> list[GradedGold]:
    """Return these grades beside the known ones."""
    gap = project.rating.gap
    return [
        GradedGold(rating, gold, is_miss(gold.grade, rating.grade, gap))
        for rating in ratings
        for gold in [rating.assignment.slot.item.gold]
    ]


def recent_gold(project: Project, person: User, cursor: Cursor) -> list[GradedGold]:
    """Return the grades that decide about a pause: the last on gold since the person was let go on, the last first."""
    since = cursor.resumed_at or project.created_at
    own = gold_grades(project).filter(assignment__person=person, assignment__ended_at__gt=since)
    return judgements(own[: project.rating.gold_window], project)
