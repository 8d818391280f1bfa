"""Voided texts, verdicts and types: what becomes of the item, and of what others did on it (docs/adr/0007).

Of a text that is voided nothing counts any more, its verdicts neither. The item goes back to the last text that still
counts, to be mended by somebody else, or to its beginning. A verdict that is voided is asked for again while its text
is the last one; an item that nothing else sent back is taken from its author for that. A reasoning type that is voided
is asked for again while its text is accepted; once it is not, nobody is asked. Transcripts: voided_transcripts.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from annotation.actions import practice_drafts
from annotation.actions.assignments import lock_cursors
from annotation.actions.events import move, move_all
from annotation.actions.places import reopen
from annotation.actions.reasoning import stop_asking
from annotation.actions.voided_transcripts import hear_again
from annotation.domain.workflow import ItemState, SeatState
from annotation.models import Item, Place, Project, Queue, Seat, Step, User
from annotation.selectors.rewrites import was_sent_back


@transaction.atomic
def void_on_items(
    items: Sequence[int], *, project: Project, person: User, since: datetime, why: str, by: User | None
) -> int:
    """Void what the person submitted on these items from `since` on. How many texts, verdicts, types and transcripts.

    Drafts for practice go the same way, and are not in the number.
    """
    queues = _locked_queues(project)
    seats_of = _locked_seats(items, queues)
    count = 0
    for seats in seats_of.values():
        own = [seat for seat in seats if seat.person_id == person.pk and seat.state == SeatState.SUBMITTED]
        voided = [seat for seat in own if seat.ended_at and seat.ended_at >= since]
        move_all(voided, SeatState.VOIDED, scope=project, why=why, by=by)
        if seats[0].place.item.is_practice:
            practice_drafts.follow_voided(voided, queues[Step.INSPECT], why=why, by=by)
        else:
            _Rounds(project, queues, seats, why, by).settle(voided)
            hear_again(seats[0].place.item, seats, voided, project=project, queues=queues, why=why, by=by)
        count += sum(seat.slot is not None for seat in voided)
    return count


def _locked_queues(project: Project) -> dict[Step, Queue]:
    """Those of writing and inspection, and those of reasoning types and transcripts where the project has them."""
    own = Queue.objects.filter(project=project).order_by("pk")
    return {Step(queue.step): queue for queue in own.select_for_update(no_key=True, of=("self",))}


def _locked_seats(items: Sequence[int], queues: dict[Step, Queue]) -> dict[int, list[Seat]]:
    """The seats that hold a place of these items, each with its place and the item, all locked in the usual order."""
    taken = Seat.objects.taken().filter(place__item__in=items)
    for step, queue in queues.items():
        lock_cursors(queue, taken.filter(place__queue__step=step).values("person"))
    places = Place.objects.select_related("item").select_for_update(no_key=True, of=("self", "item"))
    place_of = {place.pk: place for place in places.filter(item__in=items).order_by("pk")}
    item_of = {place.item_id: place.item for place in place_of.values()}
    seats_of: dict[int, list[Seat]] = defaultdict(list)
    for seat in taken.order_by("pk"):
        seat.place = place_of[seat.place_id]
        seat.place.item = item_of[seat.place.item_id]
        seats_of[seat.place.item_id].append(seat)
    return seats_of


class _Rounds:
    """One item, with the seats that held its places before some of them were voided."""

    def __init__(
        self, project: Project, queues: dict[Step, Queue], seats: list[Seat], why: str, by: User | None
    ) -> None:
        self.project, self.queues, self.seats, self.why, self.by = project, queues, seats, why, by
        self.item: Item = seats[0].place.item

    def settle(self, voided: Collection[Seat]) -> None:
        texts = [seat for seat in self.seats if self._is(seat, Step.WRITE)]
        last = max((seat.place.round for seat in texts if seat.state == SeatState.SUBMITTED), default=0)
        if any(seat in texts and seat.place.round > last for seat in voided):
            self._go_back_to(last)
            return
        for seat in voided:
            if seat in texts:
                self._leave_behind(seat.place.round)
            elif self._is(seat, Step.INSPECT):
                self._ask_again(seat, last)
        for seat in voided:
            if self._is(seat, Step.TYPE) and self.item.state == ItemState.KEPT and seat.place.round == last:
                reopen([seat.place], self.queues[Step.TYPE])

    def _is(self, seat: Seat, step: Step) -> bool:
        return step in self.queues and seat.place.queue_id == self.queues[step].pk

    def _go_back_to(self, last: int) -> None:
        """To the place that follows the last text that counts."""
        self._close_after(last)
        place = self.item.places.get(queue=self.queues[Step.WRITE], round=last + 1)
        place.slots = 1
        reopen([place], self.queues[Step.WRITE])
        self._move(ItemState.RETURNED if last else ItemState.OPEN)

    def _leave_behind(self, round: int) -> None:
        """What was said of a text that is voided, and that somebody else has mended since."""
        self._outdate([
            seat for seat in self.seats if seat.place.round == round and seat.state == SeatState.SUBMITTED
        ])  # fmt: skip

    def _close_after(self, last: int) -> None:
        later = [seat for seat in self.seats if seat.place.round > last]
        self._outdate([seat for seat in later if seat.state == SeatState.HELD], ended_at=timezone.now())
        self._outdate([seat for seat in later if seat.state == SeatState.SUBMITTED])
        self.item.places.filter(round__gt=last).update(slots=0, free=0)

    def _outdate(self, seats: Sequence[Seat], **facts: object) -> None:
        move_all(seats, SeatState.OUTDATED, scope=self.project, why=self.why, by=self.by, **facts)

    def _ask_again(self, seat: Seat, last: int) -> None:
        """For another verdict in place of a voided one, unless the text it was on is to be mended or was mended."""
        if seat.place.round != last or (self.item.state == ItemState.RETURNED and was_sent_back(self.item, last)):
            seat.place.slots -= 1
            seat.place.save(update_fields=["slots"])
            return
        self._close_after(last)
        reopen([seat.place], self.queues[Step.INSPECT])
        stop_asking(self.item, why=self.why, by=self.by)
        self._move(ItemState.WRITTEN)

    def _move(self, becomes: ItemState) -> None:
        if self.item.state != becomes:
            move(self.item, becomes, scope=self.project, why=self.why, by=self.by)
