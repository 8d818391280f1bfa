"""Grades thought over: changed for a while, pairs left to others, work voided."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from annotation.actions import projects, ratings, voiding
from annotation.domain.workflow import ItemState, SeatState
from annotation.models import Event, Item, Place, Project, Queue, Rating, Seat, Step
from annotation.models.work import CHANGEABLE
from tests import factories
from tests.annotation.actions.desk import counting, expire_all, history, hold, refused, state

LONG_AGO = timezone.now() - timedelta(days=365)


@pytest.fixture(autouse=True)
def pairs(project: Project) -> list[Item]:
    return factories.pairs(project, 8)


# ---- changing -------------------------------------------------------------------------------------------------------
def test_a_changed_grade_replaces_the_old_one_which_stays_as_history(project, rater):
    [seat] = factories.grade_next(project, rater, 3)
    ratings.change(seat=seat, grade=5, reason="interesting", by=rater)
    old, new = seat.ratings.order_by("pk")
    assert (old.grade, new.grade, new.reason) == (3, 5, "interesting")
    assert old.replaced_at is not None
    assert new.replaced_at is None
    assert history(seat)[-1] == ("submitted", "grade changed")


def test_a_changed_grade_settles_the_pair_anew(project, rater, partner, pairs):
    [seat] = factories.grade_next(project, rater, 3)
    factories.grade_next(project, partner, 3)
    ratings.change(seat=seat, grade=5, reason="interesting", by=rater)
    assert state(pairs[0]) == ItemState.REMOVED
    ratings.change(seat=seat, grade=4, by=rater)
    assert state(pairs[0]) == ItemState.KEPT
    assert counting(pairs[0]) == [3, 4]


def test_a_change_sent_twice_is_stored_once(project, rater):
    [seat] = factories.grade_next(project, rater, 3)
    key = uuid4()
    changed = [ratings.change(seat=seat, grade=4, key=key, by=rater) for _time in range(2)]
    assert changed[0] == changed[1]
    assert seat.ratings.count() == 2


def test_only_the_last_five_grades_can_be_changed(project, rater):
    first, *last = factories.grade_next(project, rater, *[3] * (CHANGEABLE + 1))
    with refused("too_late_to_change"):
        ratings.change(seat=first, grade=4, by=rater)
    for seat in last:
        ratings.change(seat=seat, grade=4, by=rater)
    assert sorted(Rating.objects.filter(replaced_at=None).values_list("grade", flat=True)) == [3, 4, 4, 4, 4, 4]


def test_the_grades_of_others_do_not_push_ones_own_out_of_the_last_five(project, rater, partner):
    [seat] = factories.grade_next(project, rater, 3)
    factories.grade_next(project, partner, *[3] * (CHANGEABLE + 1))
    assert ratings.change(seat=seat, grade=4, by=rater).grade == 4


@pytest.mark.parametrize(("grade", "reason", "code"), [(9, "", "grade_outside"), (4, "echoing", "reason_wrong")])
def test_a_wrong_change_is_refused_and_the_grade_stays(project, rater, grade, reason, code):
    [seat] = factories.grade_next(project, rater, 3)
    with refused(code):
        ratings.change(seat=seat, grade=grade, reason=reason, by=rater)
    assert list(seat.ratings.filter(replaced_at=None).values_list("grade", flat=True)) == [3]


def test_nobody_changes_the_grade_of_another_or_one_not_given(project, rater, partner):
    [seat] = factories.grade_next(project, rater, 3)
    with refused("not_yours"):
        ratings.change(seat=seat, grade=4, by=partner)
    with refused("too_late_to_change"):
        ratings.change(seat=hold(project, rater)[0], grade=4, by=rater)
    assert list(Rating.objects.values_list("grade", flat=True)) == [3]


# ---- skipping -------------------------------------------------------------------------------------------------------
def test_a_skip_opens_the_place_to_others_and_keeps_its_reason(project, rater):
    seat = hold(project, rater)[0]
    ratings.skip(seat=seat, reason="not_chinese", by=rater)
    seat.refresh_from_db()
    assert (seat.state, seat.reason) == (SeatState.SKIPPED, "not_chinese")
    assert Place.objects.get(pk=seat.place_id).free == 2
    event = Event.objects.filter(subject="seat", subject_id=seat.pk).last()
    assert (event.was, event.became, event.why, event.by) == ("held", "skipped", "not_chinese", rater)


def test_a_skip_needs_one_of_the_reasons_and_the_seat_of_ones_own(project, rater, partner):
    seat = hold(project, rater)[0]
    with refused("reason_wrong"):
        ratings.skip(seat=seat, reason="too long", by=rater)
    with refused("not_yours"):
        ratings.skip(seat=seat, reason="other", by=partner)
    assert Seat.objects.get(pk=seat.pk).state == SeatState.HELD


def test_skipping_twice_changes_nothing_and_a_graded_pair_is_not_skipped(project, rater):
    seat = hold(project, rater)[0]
    for _time in range(2):
        ratings.skip(seat=seat, reason="other", by=rater)
    assert history(seat) == [("", "held"), ("held", "skipped")]
    [graded] = factories.grade_next(project, rater, 3)
    with refused("already_rated"):
        ratings.skip(seat=graded, reason="other", by=rater)
    assert Seat.objects.get(pk=graded.pk).state == SeatState.SUBMITTED


def test_a_late_skip_bars_the_person_and_takes_no_room(project, rater):
    seat = hold(project, rater)[0]
    expire_all()
    tail = Queue.objects.get(project=project, step=Step.RATE).tail
    ratings.skip(seat=seat, reason="other", by=rater)
    assert Seat.objects.get(pk=seat.pk).state == SeatState.SKIPPED
    assert Place.objects.get(pk=seat.place_id).free == 2
    assert Queue.objects.get(project=project, step=Step.RATE).tail == tail
    given = hold(project, rater, count=10)
    assert seat.place_id not in {other.place_id for other in given}


# ---- voiding --------------------------------------------------------------------------------------------------------
def test_voided_work_reopens_its_pairs_and_counts_no_more(project, rater, partner, newcomer, researcher, pairs):
    factories.grade_next(project, rater, 5, 5)
    factories.grade_next(project, partner, 1, 5)
    voided = voiding.void_work(project=project, person=rater, since=LONG_AGO, why="clicked through", by=researcher)
    assert voided == 2
    assert [state(item) for item in pairs[:2]] == [ItemState.OPEN, ItemState.OPEN]
    assert [counting(item) for item in pairs[:2]] == [[1], [5]]
    assert Rating.objects.filter(seat__person=rater).count() == 2
    factories.grade_next(project, newcomer, *[1] * 8)
    assert [counting(item) for item in pairs[:2]] == [[1, 1], [1, 5]]


def test_however_much_is_voided_all_of_it_is(project, rater, partner, researcher, pairs, monkeypatch):
    monkeypatch.setattr(voiding, "AT_ONCE", 3)
    factories.grade_next(project, rater, *[3] * 8)
    factories.grade_next(project, partner, *[3] * 8)
    assert voiding.void_work(project=project, person=rater, since=LONG_AGO, why="tired", by=researcher) == 8
    assert {state(item) for item in pairs} == {ItemState.OPEN}
    assert sorted(Place.objects.values_list("position", "free")) == [(position, 1) for position in range(9, 17)]


def test_voided_work_keeps_when_it_was_done(project, rater, researcher):
    [seat] = factories.grade_next(project, rater, 3)
    done = Seat.objects.get(pk=seat.pk).ended_at
    voiding.void_work(project=project, person=rater, since=LONG_AGO, why="tired", by=researcher)
    assert Seat.objects.get(pk=seat.pk).ended_at == done


def test_voiding_is_logged_with_its_reason(project, rater, partner, researcher, pairs):
    [seat] = factories.grade_next(project, rater, 3)
    factories.grade_next(project, partner, 3)
    voiding.void_work(project=project, person=rater, since=LONG_AGO, why="clicked through", by=researcher)
    event = Event.objects.get(subject="seat", subject_id=seat.pk, became="voided")
    assert (event.was, event.why, event.by) == ("submitted", "clicked through", researcher)
    assert history(pairs[0]) == [("open", "kept"), ("kept", "open")]


def test_the_person_whose_work_was_voided_is_not_asked_again(project, rater, researcher):
    factories.grade_next(project, rater, *[3] * 8)
    voiding.void_work(project=project, person=rater, since=LONG_AGO, why="clicked through", by=researcher)
    assert hold(project, rater) == []


def test_only_the_persons_own_work_since_then_in_this_project_is_voided(project, rater, partner, researcher):
    other = projects.create(slug="other", kind="rating", by=researcher)
    factories.pairs(other, 1)
    factories.grade_next(other, rater, 3)
    _early, late = factories.grade_next(project, rater, 3, 3)
    factories.grade_next(project, partner, 3, 3)
    since = Seat.objects.get(pk=late.pk).ended_at
    assert voiding.void_work(project=project, person=rater, since=since, why="tired", by=researcher) == 1
    assert list(Seat.objects.filter(state=SeatState.VOIDED)) == [late]


def test_voiding_needs_a_reason_and_twice_is_once(project, rater, researcher):
    factories.grade_next(project, rater, 3)
    with refused("why_missing"):
        voiding.void_work(project=project, person=rater, since=LONG_AGO, why="  ", by=researcher)
    given = {"project": project, "person": rater, "since": LONG_AGO, "why": "tired", "by": researcher}
    assert [voiding.void_work(**given), voiding.void_work(**given)] == [1, 0]


def test_a_reason_that_the_audit_log_cannot_hold_in_full_voids_nothing(project, rater, researcher):
    factories.grade_next(project, rater, 3)
    with refused("why_too_long"):
        voiding.void_work(project=project, person=rater, since=LONG_AGO, why="x" * 501, by=researcher)
    assert Rating.objects.counting().count() == 1
    voiding.void_work(project=project, person=rater, since=LONG_AGO, why="x" * 500, by=researcher)
    assert Event.objects.get(became="voided").why == "x" * 500


def test_a_voided_grade_sent_again_is_neither_doubled_nor_revived(project, rater, researcher):
    seat, key = hold(project, rater)[0], uuid4()
    rating = factories.grade(seat, 4, key=key)
    voiding.void_work(project=project, person=rater, since=LONG_AGO, why="tired", by=researcher)
    assert factories.grade(seat, 4, key=key) == rating
    with refused("already_rated"):
        factories.grade(seat, 5, key=uuid4())
    assert not Rating.objects.counting().exists()
