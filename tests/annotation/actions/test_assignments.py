"""Seats: handed out, renewed, ended, and handed out again."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.actions import assignments, projects, ratings
from annotation.domain.workflow import SeatState
from annotation.models import Cursor, Event, Place, Queue, Seat, Step
from tests import factories
from tests.annotation.actions.desk import expire_all, history, hold

LATER = timedelta(hours=1)  # beyond any lease


def items(seats: list[Seat]) -> list[int]:
    return [seat.place.item_id for seat in seats]


def expire(*seats: Seat) -> None:
    """Let the leases of these seats, and of no others, run out."""
    Seat.objects.filter(pk__in=[seat.pk for seat in seats]).update(lease_until=timezone.now() - timedelta(seconds=1))
    assignments.expire_seats()


def test_a_person_is_given_the_first_place_with_its_lowest_slot(project, rater):
    first, *_rest = factories.pairs(project, 3)
    [seat] = hold(project, rater)
    assert (seat.place.item, seat.slot, seat.state) == (first, 1, SeatState.HELD)
    assert Place.objects.get(item=first).free == 1
    assert history(seat) == [("", "held")]
    assert Event.objects.get(subject="seat", subject_id=seat.pk).by == rater


def test_a_seat_is_lent_for_the_minutes_of_the_projects_settings(project, rater):
    factories.pairs(project, 1)
    before = timezone.now()
    [seat] = hold(project, rater)
    lent = timedelta(minutes=project.rating.lease_minutes)
    assert before + lent <= seat.lease_until <= timezone.now() + lent


def test_two_people_share_a_place_on_different_slots_and_a_third_gets_the_next(project, rater, partner, newcomer):
    first, second = factories.pairs(project, 2)
    [one], [two], [three] = hold(project, rater), hold(project, partner), hold(project, newcomer)
    assert items([one, two, three]) == [first.pk, first.pk, second.pk]
    assert [one.slot, two.slot] == [1, 2]


def test_opened_but_not_graded_pairs_hold_their_places(project):
    """Six people open the work before anyone grades: with two seats a pair each pair goes to two of them."""
    factories.pairs(project, 3)
    people = [factories.person(f"opener{number}", project=project) for number in range(6)]
    given = [items(hold(project, person))[0] for person in people]
    assert sorted(given.count(item) for item in set(given)) == [2, 2, 2]


def test_asking_again_gives_the_same_seats_and_tops_them_up(project, rater):
    factories.pairs(project, 5)
    first = hold(project, rater, count=2)
    again = hold(project, rater, count=3)
    assert again[:2] == first
    assert len(set(items(again))) == 3
    assert Seat.objects.count() == 3


def test_asking_for_fewer_than_one_holds_takes_nothing_away(project, rater):
    factories.pairs(project, 5)
    held = hold(project, rater, count=3)
    assert hold(project, rater, count=1) == held


def test_asking_again_renews_the_lease(project, rater):
    factories.pairs(project, 1)
    [seat] = hold(project, rater)
    Seat.objects.update(lease_until=timezone.now() + timedelta(seconds=1))
    [renewed] = hold(project, rater)
    seat.refresh_from_db()
    assert seat.lease_until == renewed.lease_until > timezone.now() + timedelta(minutes=29)
    assert assignments.expire_seats(now=timezone.now() + timedelta(minutes=29)) == 0


def test_a_lease_that_is_over_opens_its_place_at_the_tail(project, rater):
    factories.pairs(project, 3)
    [seat] = hold(project, rater)
    assert expire_all() == 1
    seat.refresh_from_db()
    place = Place.objects.get(pk=seat.place_id)
    queue = Queue.objects.get(project=project, step=Step.RATE)
    assert seat.state == SeatState.EXPIRED
    assert seat.ended_at is not None
    assert (place.free, place.position) == (2, queue.tail) == (2, 4)
    assert history(seat)[-1] == ("held", "expired")
    assert Event.objects.filter(subject="seat", became="expired").get().by is None


def test_expiring_twice_changes_nothing(project, rater):
    factories.pairs(project, 1)
    hold(project, rater)
    assert expire_all() == 1
    tail = Queue.objects.get(project=project, step=Step.RATE).tail
    assert expire_all() == 0
    assert Queue.objects.get(project=project, step=Step.RATE).tail == tail


def test_only_leases_that_are_over_expire(project, rater, partner):
    factories.pairs(project, 2)
    [mine], [theirs] = hold(project, rater), hold(project, partner)
    expire(mine)
    assert Seat.objects.get(pk=theirs.pk).state == SeatState.HELD


def test_a_lease_renewed_while_the_sweeper_waited_is_kept(project, rater):
    factories.pairs(project, 1)
    [seat] = hold(project, rater)
    stale = Seat.objects.get(pk=seat.pk)
    stale.lease_until = timezone.now() - LATER  # what the sweeper read before the person came back
    assert not assignments._expire(stale, timezone.now())
    assert Seat.objects.get(pk=seat.pk).state == SeatState.HELD


def test_an_expiry_does_not_bar_the_person(project, rater):
    [item] = factories.pairs(project, 1)
    [first] = hold(project, rater)
    expire(first)
    [second] = hold(project, rater)
    assert second.place.item == item
    assert second.pk != first.pk
    assert second.slot == 1


def test_a_skip_bars_the_person_and_nobody_else(project, rater, partner):
    [item] = factories.pairs(project, 1)
    [seat] = hold(project, rater)
    ratings.skip(seat=seat, reason="cut_off", by=rater)
    assert hold(project, rater) == []
    assert items(hold(project, partner)) == [item.pk]


def test_a_second_pass_finds_what_others_held(project, rater, partner, newcomer):
    first, second = factories.pairs(project, 2)
    held = hold(project, rater) + hold(project, partner)
    [seat] = hold(project, newcomer)
    assert seat.place.item == second
    factories.grade(seat)
    assert hold(project, newcomer) == []
    expire(*held)
    assert items(hold(project, newcomer)) == [first.pk]


def test_a_rater_alone_who_has_done_everything_gets_nothing(project, rater):
    factories.pairs(project, 4)
    factories.grade_next(project, rater, 3, 3, 3, 3)
    assert hold(project, rater, count=5) == []
    assert Cursor.objects.get(person=rater).position == Queue.objects.get(project=project, step=Step.RATE).tail


def test_a_finished_rater_finds_pairs_that_are_added_later(project, rater):
    factories.pairs(project, 1)
    factories.grade_next(project, rater, 3)
    assert hold(project, rater) == []
    [added] = factories.pairs(project, 1)
    assert items(hold(project, rater)) == [added.pk]


def test_the_cursor_of_one_person_moves_no_other(project, rater, partner):
    factories.pairs(project, 3)
    factories.grade_next(project, rater, 3, 3, 3)
    hold(project, rater)
    assert [seat.place.position for seat in hold(project, partner, count=3)] == [1, 2, 3]


def test_no_place_is_ever_lost_to_a_cursor(project, rater, partner, newcomer):
    """Everything is held, expires, is held by others and expires again: in the end it is all there to be done."""
    wanted = {item.pk for item in factories.pairs(project, 6)}
    for person in (rater, partner, newcomer):
        hold(project, person, count=4)
    for person in (newcomer, rater, partner):
        expire_all()
        hold(project, person, count=2)
    expire_all()
    for person in (rater, partner):
        assert set(items(hold(project, person, count=10))) == wanted


def test_work_of_one_project_is_never_handed_out_in_another(project, rater, researcher):
    other = projects.create(slug="other", kind="rating", by=researcher)
    factories.pairs(other, 2)
    mine = factories.pairs(project, 1)
    assert items(hold(project, rater, count=5)) == [mine[0].pk]
    assert len(hold(other, rater, count=5)) == 2
    assert hold(project, rater) == list(Seat.objects.filter(place__queue__project=project))


def test_giving_up_a_seat_twice_changes_nothing(project, rater):
    factories.pairs(project, 1)
    [seat] = hold(project, rater)
    assert assignments.give_up(seat=seat, becomes=SeatState.RETURNED, by=rater) == seat
    events = Event.objects.count()
    assert assignments.give_up(seat=seat, becomes=SeatState.RETURNED, by=rater) is None
    assert Event.objects.count() == events
    assert Place.objects.get().free == 2


def test_a_submitted_seat_can_only_be_voided(project, rater):
    factories.pairs(project, 1)
    [seat] = factories.grade_next(project, rater, 3)
    for becomes in (SeatState.EXPIRED, SeatState.RETURNED, SeatState.SKIPPED):
        assert assignments.give_up(seat=seat, becomes=becomes, by=None) is None
    assert Seat.objects.get(pk=seat.pk).state == SeatState.SUBMITTED


@pytest.mark.parametrize("state", [SeatState.HELD, SeatState.SUBMITTED, SeatState.SKIPPED, SeatState.VOIDED])
def test_the_database_refuses_a_second_seat_of_one_person(project, rater, state):
    factories.pairs(project, 1)
    [seat] = hold(project, rater)
    Seat.objects.update(state=state)
    with pytest.raises(IntegrityError), transaction.atomic():
        Seat.objects.create(place=seat.place, slot=2, person=rater, lease_until=timezone.now())


@pytest.mark.parametrize("state", [SeatState.HELD, SeatState.SUBMITTED])
def test_the_database_refuses_two_people_on_one_slot(project, rater, partner, state):
    factories.pairs(project, 1)
    [seat] = hold(project, rater)
    Seat.objects.update(state=state)
    with pytest.raises(IntegrityError), transaction.atomic():
        Seat.objects.create(place=seat.place, slot=1, person=partner, lease_until=timezone.now())


@pytest.mark.parametrize("free", [-1, 3])
def test_the_database_refuses_room_below_none_and_above_the_slots(project, free):
    factories.pairs(project, 1)
    with pytest.raises(IntegrityError), transaction.atomic():
        Place.objects.update(free=free)


def test_holding_and_grading_ask_as_many_questions_on_the_last_pair_as_on_an_early_one(project, rater):
    factories.pairs(project, 30)
    asked = []
    for _turn in range(30):
        with CaptureQueriesContext(connection) as queries:
            factories.grade_next(project, rater, 3)
        asked.append(len(queries))
    assert asked[29] == asked[1]
