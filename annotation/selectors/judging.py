"""What is open to somebody who judges other people's work."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.domain.workflow import SeatState
from annotation.models import Place, Queue, Seat, User


def open_places(queue: Queue, person: User) -> QuerySet[Place]:
    """Those in the person's hands, and those with room that they neither judged nor worked on."""
    own = Seat.objects.filter(person=person, place=OuterRef("pk"), state=SeatState.HELD)
    barred = Seat.objects.barring(person).filter(place=OuterRef("pk"))
    worked = Seat.objects.in_the_way(queue.step, person)
    is_open = Q(~Exists(barred), ~Exists(worked), free__gt=0)
    return Place.objects.filter(Q(Exists(own)) | is_open, queue=queue)
