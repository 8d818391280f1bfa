"""Whatever several people do in whatever order: the rules of seats hold after every step, and no place is lost."""

from collections import Counter
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from annotation.actions import assignments, projects, ratings, voiding
from annotation.actions.refusals import Refused
from annotation.domain.rating import outcome
from annotation.domain.workflow import SeatState
from annotation.models import Cursor, Event, Item, Place, Queue, Rating, Role, Seat, Step
from annotation.models.work import BARRING, TAKEN
from tests import factories

GRADES = st.sampled_from([1, 3, 4, 5])
DEEDS = st.one_of(GRADES, st.sampled_from(["skip", "leave"]))
PEOPLE = st.integers(0, 3)
LONG_AGO = datetime(2000, 1, 1, tzinfo=timezone.get_default_timezone())


class Work(RuleBasedStateMachine):
    """Four raters and a researcher on a few pairs. Each example runs in a transaction that is rolled back."""

    def __init__(self) -> None:
        super().__init__()
        self.example = transaction.atomic()
        self.example.__enter__()

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.example.__exit__(None, None, None)

    @initialize(raters=st.integers(1, 3), count=st.integers(1, 3))
    def begin(self, raters: int, count: int) -> None:
        self.researcher = factories.person("rui", Role.RESEARCHER)
        self.project = projects.create(slug="p", kind="rating", settings={"raters": raters}, by=self.researcher)
        self.people = [factories.person(f"p{number}", project=self.project) for number in range(4)]
        factories.pairs(self.project, count)

    @rule(person=PEOPLE, count=st.integers(1, 3), does=DEEDS)
    def work(self, person: int, count: int, does: int | str) -> None:
        held = assignments.hold(project=self.project, step=Step.RATE, count=count, by=self.people[person])
        assert all(seat.state == SeatState.HELD for seat in held)
        assert len(held) >= count or not self.open_to(person)
        for seat in held[:1]:
            self.act(seat, does)

    @rule(pick=st.data(), does=DEEDS)
    def come_back_to_an_old_page(self, pick: st.DataObject, does: int | str) -> None:
        if seat := self.any_seat(pick):
            self.act(seat, does)

    def act(self, seat: Seat, does: int | str) -> None:
        try:
            if isinstance(does, int):
                assert factories.grade(seat, does).seat.state == SeatState.SUBMITTED
            elif does == "skip":
                ratings.skip(seat=seat, reason="other", by=seat.person)
        except Refused as refusal:
            assert refusal.code in {"already_rated", "place_taken", "skipped"}

    @rule(pick=st.data(), grade=GRADES)
    def change(self, pick: st.DataObject, grade: int) -> None:
        if seat := self.any_seat(pick):
            try:
                ratings.change(seat=seat, grade=grade, reason=factories.REASONS[grade], by=seat.person)
            except Refused as refusal:
                assert refusal.code == "too_late_to_change"

    @rule(pick=st.data())
    def one_lease_ends(self, pick: st.DataObject) -> None:
        if seat := self.any_seat(pick):
            Seat.objects.filter(pk=seat.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
            assignments.expire_seats()

    @rule()
    def all_leases_end(self) -> None:
        assignments.expire_seats(now=timezone.now() + timedelta(days=1))
        assert not Seat.objects.filter(state=SeatState.HELD).exists()

    @rule(person=PEOPLE)
    def void(self, person: int) -> None:
        voiding.void_work(
            project=self.project, person=self.people[person], since=LONG_AGO, why="clicked through", by=self.researcher
        )

    @rule()
    def more_pairs_come(self) -> None:
        factories.pairs(self.project, 1)

    def any_seat(self, pick: st.DataObject) -> Seat | None:
        seats = list(Seat.objects.select_related("person").order_by("pk"))
        return pick.draw(st.sampled_from(seats)) if seats else None

    def open_to(self, person: int) -> list[Place]:
        barred = Seat.objects.barring(self.people[person]).values("place")
        return list(Place.objects.filter(free__gt=0).exclude(pk__in=barred))

    @invariant()
    def no_place_has_more_people_than_slots_and_nobody_is_there_twice(self) -> None:
        for place in Place.objects.prefetch_related("seats"):
            taken = [seat for seat in place.seats.all() if seat.state in TAKEN]
            barred = Counter(seat.person_id for seat in place.seats.all() if seat.state in BARRING)
            assert place.free == place.slots - len(taken)
            assert {seat.slot for seat in taken} <= set(range(1, place.slots + 1))
            assert len({seat.slot for seat in taken}) == len(taken)
            assert all(times == 1 for times in barred.values())

    @invariant()
    def items_are_what_their_counting_grades_say(self) -> None:
        grades: dict[int, list[int]] = {item: [] for item in Item.objects.values_list("pk", flat=True)}
        for item, grade in Rating.objects.counting().values_list("seat__place__item", "grade"):
            grades[item].append(grade)
        states = {item: outcome(given, self.project.rating) for item, given in grades.items()}
        assert dict(Item.objects.values_list("pk", "state")) == states

    @invariant()
    def no_cursor_has_passed_a_place_that_is_open_to_its_person(self) -> None:
        cursors = dict(Cursor.objects.values_list("person", "position"))
        for number, person in enumerate(self.people):
            assert all(place.position > cursors.get(person.pk, 0) for place in self.open_to(number))

    @invariant()
    def positions_are_distinct_and_within_the_tail(self) -> None:
        positions = list(Place.objects.values_list("position", flat=True))
        assert len(set(positions)) == len(positions)
        assert max(positions) <= Queue.objects.get(step=Step.RATE).tail

    @invariant()
    def the_log_ends_with_the_state_each_seat_is_in(self) -> None:
        logged: dict[int, str] = {}
        for pk, was, became in Event.objects.filter(subject="seat").values_list("subject_id", "was", "became"):
            assert was == logged.get(pk, "")
            logged[pk] = was if became == "grade changed" else became
        assert logged == dict(Seat.objects.values_list("pk", "state"))


def test_the_rules_of_seats_hold_whatever_people_do(db, monkeypatch):
    monkeypatch.setattr(assignments, "LAG", 1)  # so that cursors move on the few pairs of an example
    often = settings(max_examples=25, stateful_step_count=20, derandomize=True, database=None)
    run_state_machine_as_test(Work, settings=often)
