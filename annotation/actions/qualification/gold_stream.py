"""Gold between the pairs to rate: pairs whose grade is known, which nothing tells from the others.

They stand at slots without slot numbers, before the beginning of the queue: nobody comes to them by claiming.
"""

from collections import Counter, deque
from collections.abc import Iterable, Sequence

from annotation.models import Cursor, Item, Project, Purpose, Slot
from annotation.selectors.qualification.gold import seen_by, stream_of
from core.models import User


def open_round(queue: int, items: Iterable[Item], round: int) -> None:
    """Slots without slot numbers for one more meeting with each item. Whoever opens a round too opens the same."""
    slots = (
        Slot(queue_id=queue, item=item, round=round, required=0, free=0, position=item.position)
        for item in sorted(items, key=lambda item: item.pk)  # in one order, so that nobody waits in a circle
    )
    Slot.objects.bulk_create(slots, ignore_conflicts=True)


def with_gold(slots: Sequence[Slot], *, cursor: Cursor, project: Project, most: int, by: User) -> list[Slot]:
    """The next slots of a person, at `most` that many: the first of `slot numbers`, with gold between them where it
    falls.

    The cursor is locked. It counts what is assigned, which is what the person's next draws are named by.
    """
    seen = seen_by(by, project) if project.rating.gold_first and slots else Counter[str]()
    if not seen:
        return list(slots[:most])
    stream = stream_of(project, by)
    waiting, assigned = deque(slots), list[Slot]()
    for is_gold in stream.kinds(cursor.assigned, len(slots)):
        if len(assigned) == most:
            break
        assigned.append(_gold_slot(cursor, project, stream.next_gold(seen)[0], seen) if is_gold else waiting.popleft())
    cursor.assigned += len(assigned)
    cursor.save(update_fields=["assigned"])
    return assigned


def _gold_slot(cursor: Cursor, project: Project, key: str, seen: Counter[str]) -> Slot:
    """The slot of a gold pair, known by its digest, for the person's next meeting with it."""
    seen[key] += 1
    slot = Slot.objects.filter(queue=cursor.queue_id, item__digest=key, item__project=project, round=seen[key])
    if not slot.exists():
        open_round(cursor.queue_id, Item.objects.filter(project=project, purpose=Purpose.GOLD), seen[key])
    return slot.get()
