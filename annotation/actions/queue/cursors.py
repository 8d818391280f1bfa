"""A person's way through a queue: the slots ahead of their cursor, which the caller has locked (docs/adr/0003)."""

from django.db.models import Exists, OuterRef, QuerySet

from annotation.models import Assignment, Cursor, Slot
from annotation.models.work import BARS

LAG = 50  # positions a cursor may stay behind; scanning them again costs less than moving it


def slots_ahead(cursor: Cursor) -> QuerySet[Slot]:
    """Return the slots open to the cursor's person, in their order."""
    barred = Assignment.objects.barring(cursor.person_id).filter(slot=OuterRef("pk"))
    ahead = Slot.objects.filter(queue=cursor.queue_id, position__gt=cursor.position, free__gt=0).order_by("position")
    ahead = ahead.filter(~Exists(barred))
    if cursor.queue.step in BARS:
        ahead = ahead.filter(~Exists(Assignment.objects.in_the_way(cursor.queue.step, cursor.person_id)))
    return ahead


def move_cursor(cursor: Cursor, ahead: QuerySet[Slot]) -> None:
    """Move the cursor up to the first slot ahead. Slots that others lock may stay open: it stays before them too."""
    first = ahead.values_list("position", flat=True).first()
    cursor.position = cursor.queue.tail if first is None else first - 1
    cursor.save(update_fields=["position"])
