"""Gold between the pairs to rate: pairs whose grade is known, which nothing tells from the others.

They stand at places without slots, before the beginning of the queue: nobody comes to them by claiming.
"""

from collections import Counter, deque
from collections.abc import Iterable, Sequence

from annotation.models import Cursor, Item, Place, Project, Purpose, User
from annotation.selectors.gold import seen_by, stream_of


def open_round(queue: int, items: Iterable[Item], round: int) -> None:
    """Places without slots for one more meeting with each item. Whoever opens a round too opens the same."""
    places = (
        Place(queue_id=queue, item=item, round=round, slots=0, free=0, position=item.position)
        for item in sorted(items, key=lambda item: item.pk)  # in one order, so that nobody waits in a circle
    )
    Place.objects.bulk_create(places, ignore_conflicts=True)


def among(places: Sequence[Place], *, cursor: Cursor, project: Project, most: int, by: User) -> list[Place]:
    """The next places of a person, at `most` that many: the first of `places`, with gold between them where it falls.

    The cursor is locked. It counts what is handed out, which is what the person's next draws are named by.
    """
    seen = seen_by(by, project) if project.rating.gold_first and places else Counter[str]()
    if not seen:
        return list(places[:most])
    stream = stream_of(project, by)
    waiting, handed = deque(places), list[Place]()
    for is_gold in stream.kinds(cursor.handed, len(places)):
        if len(handed) == most:
            break
        handed.append(_gold_place(cursor, project, stream.next_gold(seen)[0], seen) if is_gold else waiting.popleft())
    cursor.handed += len(handed)
    cursor.save(update_fields=["handed"])
    return handed


def _gold_place(cursor: Cursor, project: Project, key: str, seen: Counter[str]) -> Place:
    """The place of a gold pair, known by its digest, for the person's next meeting with it."""
    seen[key] += 1
    place = Place.objects.filter(queue=cursor.queue_id, item__digest=key, item__project=project, round=seen[key])
    if not place.exists():
        open_round(cursor.queue_id, Item.objects.filter(project=project, purpose=Purpose.GOLD), seen[key])
    return place.get()
