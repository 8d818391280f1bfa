"""Mix gold, pairs whose grade is known, among the pairs to rate so that an annotator cannot tell them apart.

Gold slots have no slot numbers and lie before the beginning of the queue, so that they are never claimed from it.
"""

from collections import deque
from collections.abc import Iterable, Sequence

from annotation.models import Cursor, Item, Project, Purpose, Slot
from annotation.selectors.qualification.gold import meetings_of, stream_of
from core.models import User


def open_round(queue: int, items: Iterable[Item], round: int) -> None:
    """Create slots without slot numbers for one more round of the items. Concurrent calls create the same
    slots once.
    """
    slots = (
        Slot(queue_id=queue, item=item, round=round, required=0, free=0, position=item.position)
        for item in sorted(items, key=lambda item: item.pk)  # one lock order, to avoid deadlock
    )
    Slot.objects.bulk_create(slots, ignore_conflicts=True)


def with_gold(slots: Sequence[Slot], *, cursor: Cursor, project: Project, most: int, by: User) -> list[Slot]:
    """Return at most `most` slots for a person: the first of `slots`, with gold where the person's stream puts it.

    The caller holds the lock of the cursor. Its count of assigned slots names the person's next draws.
    """
    met = meetings_of(by, project) if project.rating.gold_first and slots else {}
    if not met:
        return list(slots[:most])
    stream = stream_of(project, by)
    waiting, assigned = deque(slots), list[Slot]()
    for is_gold in stream.kinds(cursor.assigned, len(slots)):
        if len(assigned) == most:
            break
        assigned.append(_gold_slot(cursor, project, stream.next_gold(met)[0], met) if is_gold else waiting.popleft())
    cursor.assigned += len(assigned)
    cursor.save(update_fields=["assigned"])
    return assigned


def _gold_slot(cursor: Cursor, project: Project, key: str, met: dict[str, list[int]]) -> Slot:
    """Return the slot of a gold pair, given by its digest, for the person's next round with it; count the meeting."""
    met[key].append(sum(map(len, met.values())) + 1)
    round = len(met[key])
    slot = Slot.objects.filter(queue=cursor.queue_id, item__digest=key, item__project=project, round=round)
    if not slot.exists():
        open_round(cursor.queue_id, Item.objects.filter(project=project, purpose=Purpose.GOLD), round)
    return slot.get()
