"""Rows that tests start from, made quickly and in the right way."""

import hashlib

from django.core.files.base import ContentFile
from django.db import transaction
from django.utils import timezone

from annotation.actions import assignments, imports, projects, ratings
from annotation.domain.workflow import SeatState
from annotation.models import Import, Item, Kind, Membership, Place, Project, Queue, Rating, Role, Seat, Step, User

REASONS = {1: "nonsense", 2: "echoing", 3: "versatile", 4: "", 5: "informative"}  # one that each grade takes


def person(username: str, role: str = Role.ANNOTATOR, *, project: Project | None = None) -> User:
    """An account nobody can sign in with yet; a member of the project if one is given."""
    user = User(username=username, name=username.title(), role=role)
    user.set_unusable_password()
    user.save()
    if project is not None:
        Membership.objects.create(project=project, person=user)
    return user


def another_project(slug: str, by: User) -> Project:
    """A project of the same kind beside the one of the cast."""
    return projects.create(slug=slug, kind=Kind.RATING, by=by)


@transaction.atomic
def pairs(project: Project, count: int) -> list[Item]:
    """New pairs of the project, in the order in which they are handed out."""
    queue = Queue.objects.select_for_update(no_key=True).get(project=project, step=Step.RATE)
    positions = range(queue.tail + 1, queue.tail + count + 1)
    items = Item.objects.bulk_create([_pair(project, position) for position in positions])
    slots = project.rating.raters
    Place.objects.bulk_create(
        [Place(queue=queue, item=item, slots=slots, free=slots, position=item.position) for item in items]
    )
    queue.tail += count
    queue.save(update_fields=["tail"])
    return items


def take(project: Project, by: User, count: int = 1) -> list[Seat]:
    """The pairs the person has in hand then."""
    return assignments.hold(project=project, step=Step.RATE, count=count, by=by)


def grade(seat: Seat, grade: int = 3, **details: object) -> Rating:
    """The holder of the seat grades it, with a reason that belongs to the grade."""
    return ratings.submit(seat=seat, grade=grade, reason=REASONS[grade], by=seat.person, **details)


def grade_next(project: Project, by: User, *grades: int) -> list[Seat]:
    """The person takes one pair after the other and gives these grades."""
    seats = []
    for given in grades:
        [seat] = assignments.hold(project=project, step=Step.RATE, by=by)
        grade(seat, given)
        seats.append(seat)
    return seats


def no_progress(done: int, total: int | None = None) -> None:
    """For actions that report how far they are."""


def received(project: Project, content: str | bytes, name: str = "pairs.tsv", *, is_practice: bool = False) -> Import:
    """A file that nobody has read yet."""
    file: ContentFile = ContentFile(content.encode() if isinstance(content, str) else content, name=name)
    return imports.receive(project=project, file=file, name=name, is_practice=is_practice, by=project.created_by)


def checked(project: Project, content: str | bytes, name: str = "pairs.tsv", *, is_practice: bool = False) -> Import:
    """A file that was read; nothing of it is stored."""
    file = received(project, content, name, is_practice=is_practice)
    return imports.check(received=file, report=no_progress, by=project.created_by)


def stored(project: Project, content: str | bytes, name: str = "pairs.tsv", *, is_practice: bool = False) -> Import:
    """A file whose good rows are stored."""
    file = checked(project, content, name, is_practice=is_practice)
    return imports.store(received=file, partial=True, report=no_progress, by=project.created_by)


def plant(project: Project, purpose: str, *raters: User) -> Item:
    """A pair that counts nowhere, with the grades 1 and 5, a skip and a voided grade: no figure may move."""
    [item] = pairs(project, 1)
    Item.objects.filter(pk=item.pk).update(purpose=purpose)
    place, now = Place.objects.get(item=item), timezone.now()
    for slot, (rater, given) in enumerate(zip(raters, (1, 5), strict=True), start=1):
        seat = Seat.objects.create(
            place=place, slot=slot, person=rater, state=SeatState.SUBMITTED, lease_until=now, ended_at=now
        )
        Rating.objects.create(seat=seat, grade=given, milliseconds=90_000)
    for state in (SeatState.SKIPPED, SeatState.VOIDED):
        who = person(f"{purpose}-{state}")
        Seat.objects.create(place=place, person=who, state=state, lease_until=now, ended_at=now)
    return item


def _pair(project: Project, position: int) -> Item:
    prompt, response = f"今天第{position}次出门了吗?", f"还没有,等第{position}班车。"
    return Item(
        project=project, position=position, content={"prompt": prompt, "response": response},
        digest=_digest(prompt + "\n" + response), group=_digest(prompt), source="tieba", topic="生活",
    )  # fmt: skip


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
