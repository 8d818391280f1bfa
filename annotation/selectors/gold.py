"""What is known of gold: the pairs, how often a person met each of them, and how they graded those between others."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from annotation.domain.gold import Stream, is_miss
from annotation.domain.workflow import SeatState
from annotation.models import Cursor, Gold, Item, PracticeGrade, Project, Purpose, Rating, Seat, User


@dataclass(frozen=True)
class Judged:
    """A gold pair that somebody graded between others."""

    rating: Rating
    gold: Gold
    is_miss: bool


def stream_of(project: Project, person: User) -> Stream:
    return Stream(project.rating, project.seed, project.slug, person.username)


def gold_of(project: Project) -> QuerySet[Item]:
    return project.items.filter(purpose=Purpose.GOLD)


def seen_by(person: User, project: Project) -> Counter[str]:
    """How often the person met each gold pair of the project, in practice or between others, by digest."""
    keys = dict(gold_of(project).values_list("pk", "digest"))
    seats = Seat.objects.filter(person=person, place__item__in=keys)
    practised = PracticeGrade.objects.filter(attempt__person=person, item__in=keys)
    met = [*seats.values_list("place__item", flat=True), *practised.values_list("item", flat=True)]
    seen = Counter(dict.fromkeys(keys.values(), 0))
    seen.update(keys[item] for item in met)
    return seen


def gold_grades(project: Project) -> QuerySet[Rating]:
    """Everybody's grades in force of gold between other pairs, the last first."""
    grades = Rating.objects.filter(
        replaced_at=None, seat__state=SeatState.SUBMITTED, seat__slot=None, seat__place__item__in=gold_of(project)
    )
    return grades.select_related("seat__place__item__gold").order_by("-seat__ended_at", "-seat")


def judgements(ratings: Iterable[Rating], project: Project) -> list[Judged]:
    """These grades beside the known ones."""
    gap = project.rating.gap
    return [
        Judged(rating, gold, is_miss(gold.grade, rating.grade, gap))
        for rating in ratings
        for gold in [rating.seat.place.item.gold]
    ]


def recent_gold(project: Project, person: User, cursor: Cursor) -> list[Judged]:
    """What decides whether the person is paused: the last gold pairs since they were let go on, the last first."""
    since = cursor.resumed_at or project.created_at
    own = gold_grades(project).filter(seat__person=person, seat__ended_at__gt=since)
    return judgements(own[: project.rating.gold_window], project)
