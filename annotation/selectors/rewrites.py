"""What was written on an item, and what inspectors said of it."""

from django.db.models import Exists, OuterRef, QuerySet

from annotation.domain.rewriting import Verdict
from annotation.domain.workflow import ItemState, SeatState
from annotation.models import Inspection, Item, Place, Purpose, Reopening, Rewrite, Seat, Step


def rewrite_in_force(item: Item | int) -> Rewrite | None:
    """What was submitted last on the item. Drafts for practice are nobody's but their author's: not one of them."""
    submitted = Rewrite.objects.filter(
        seat__place__item=item, seat__state=SeatState.SUBMITTED, seat__slot__isnull=False
    )
    return submitted.select_related("seat__place").order_by("-seat__place__round").first()


def submitted_before(seat: Seat, *, most: int) -> int:
    """How many items the seat's person has submitted as their first author, counted up to `most`. Voided ones do not
    count.
    """
    own = Seat.objects.filter(
        person=seat.person_id, place__queue=seat.place.queue_id, place__round=1, place__item__purpose=Purpose.WORK,
        state=SeatState.SUBMITTED,
    )  # fmt: skip
    return own[:most].count()


def was_inspected(item: str = "pk") -> Exists:
    """Whether inspectors were asked about an accepted item's text; `item` is what the query calls the item.

    Of a text that the lot did not fall on, and of one that was voided, no place for inspectors is left.
    """
    return Exists(Place.objects.filter(item=OuterRef(item), queue__step=Step.INSPECT, slots__gt=0))


def draft_before(seat: Seat) -> Rewrite | None:
    """What the person wrote on the same place before their time on it ended."""
    own = Rewrite.objects.filter(seat__place=seat.place_id, seat__person=seat.person_id, submitted_at=None)
    return own.exclude(seat=seat).order_by("-pk").first()


def inspections_before(seat: Seat) -> QuerySet[Inspection]:
    """The verdicts that sent an item back, for whoever is to mend it on this seat."""
    earlier = Inspection.objects.filter(
        seat__place__item=seat.place.item_id, seat__place__round=seat.place.round - 1, decided_at__isnull=False,
        seat__state=SeatState.SUBMITTED,
    )  # fmt: skip
    return earlier.order_by("decided_at", "pk")


def was_sent_back(item: Item, round: int) -> bool:
    """Whether something that counts says that the text of this round is to be mended: a verdict, or a researcher."""
    counting = Seat.objects.filter(place__item=item, place__round=round, state=SeatState.SUBMITTED)
    return (
        Inspection.objects.filter(seat__in=counting, verdict=Verdict.RETURN).exists()
        or Reopening.objects.filter(rewrite__seat__in=counting).exists()
    )


def text_before(rewrite: Rewrite) -> Rewrite | None:
    """What the rewrite mends: the text of the round before."""
    place = rewrite.seat.place
    earlier = Rewrite.objects.filter(
        seat__place__item=place.item_id, seat__place__round=place.round - 1, seat__state=SeatState.SUBMITTED
    )
    return earlier.first()


def reopening_before(seat: Seat) -> Reopening | None:
    """Why the text of the round before was sent back though it had been accepted."""
    earlier = Reopening.objects.filter(
        rewrite__seat__place__item=seat.place.item_id, rewrite__seat__place__round=seat.place.round - 1,
        rewrite__seat__state=SeatState.SUBMITTED,
    )  # fmt: skip
    return earlier.first()


def rewrite_to_inspect(seat: Seat) -> Rewrite | None:
    """What an inspector's seat is there to judge; None once the item was returned or decided."""
    item = seat.place.item
    if item.is_practice:
        handed_in = Rewrite.objects.filter(practice__place=seat.place_id, seat__state=SeatState.SUBMITTED)
        return handed_in.select_related("seat__place").first()
    rewrite = rewrite_in_force(item)
    is_of_this_round = rewrite is not None and rewrite.seat.place.round == seat.place.round
    return rewrite if is_of_this_round and item.state == ItemState.WRITTEN else None
