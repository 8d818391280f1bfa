"""Slots that are open to a person who judges other people's work."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment, Queue, Slot
from core.models import User


def open_slots(queue: Queue, person: User) -> QuerySet[Slot]:
    """Return the slots that the person holds, and free ones that they neither judged nor worked on."""
    own = Assignment.objects.filter(person=person, slot=OuterRef("pk"), state=AssignmentState.HELD)
    barred = Assignment.objects.barring(person).filter(slot=OuterRef("pk"))
    worked = Assignment.objects.in_the_way(queue.step, person)
    is_open = Q(~Exists(barred), ~Exists(worked), free__gt=0)
    return Slot.objects.filter(Q(Exists(own)) | is_open, queue=queue)
