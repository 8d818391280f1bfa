"""What was written on an item, and what inspectors said of it."""

from django.db.models import QuerySet

from annotation.domain.workflow import ItemState, SeatState
from annotation.models import Inspection, Item, Rewrite, Seat


def rewrite_in_force(item: Item | int) -> Rewrite | None:
    """What was submitted last on the item."""
    submitted = Rewrite.objects.filter(seat__place__item=item, seat__state=SeatState.SUBMITTED)
    return submitted.select_related("seat__place").order_by("-seat__place__round").first()


def draft_before(seat: Seat) -> Rewrite | None:
    """What the person wrote on the same place before their time on it ended."""
    own = Rewrite.objects.filter(seat__place=seat.place_id, seat__person=seat.person_id, submitted_at=None)
    return own.exclude(seat=seat).order_by("-pk").first()


def inspections_before(seat: Seat) -> QuerySet[Inspection]:
    """The verdicts that sent an item back, for whoever is to mend it on this seat."""
    earlier = Inspection.objects.filter(
        seat__place__item=seat.place.item_id, seat__place__round=seat.place.round - 1, decided_at__isnull=False
    )
    return earlier.order_by("decided_at", "pk")


def rewrite_to_inspect(seat: Seat) -> Rewrite | None:
    """What an inspector's seat is there to judge; None once the item was returned or decided."""
    item = seat.place.item
    rewrite = rewrite_in_force(item)
    is_of_this_round = rewrite is not None and rewrite.seat.place.round == seat.place.round
    return rewrite if is_of_this_round and item.state == ItemState.WRITTEN else None
