"""Grades: given once, with a reason, taken late where there is room; what becomes of a pair by them."""

from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from annotation.actions import projects, ratings
from annotation.domain.workflow import ItemState, SeatState
from annotation.models import Event, Item, Place, Project, Purpose, Rating, Seat
from tests import factories
from tests.annotation.actions.desk import counting, expire_all, history, hold, refused, state


@pytest.fixture(autouse=True)
def pairs(project: Project) -> list[Item]:
    return factories.pairs(project, 8)


# ---- submitting -----------------------------------------------------------------------------------------------------
def test_a_grade_is_stored_with_its_reason_time_and_guideline(project, rater):
    seat = hold(project, rater)[0]
    key = uuid4()
    rating = ratings.submit(seat=seat, grade=2, reason="echoing", milliseconds=4200, key=key, by=rater)
    rating.refresh_from_db()
    seat.refresh_from_db()
    assert (rating.grade, rating.reason, rating.milliseconds, rating.submission_key) == (2, "echoing", 4200, key)
    assert rating.guideline == project.guidelines.get(number=1)
    assert seat.state == SeatState.SUBMITTED
    assert seat.ended_at is not None
    assert history(seat) == [("", "held"), ("held", "submitted")]


def test_a_grade_keeps_the_guideline_it_was_given_under(project, rater, researcher):
    [first] = factories.grade_next(project, rater, 3)
    content = project.guidelines.get(number=1).content
    projects.write_guideline(project=project, content=content, by=researcher)
    [second] = factories.grade_next(project, rater, 3)
    assert first.ratings.get().guideline.number == 1
    assert second.ratings.get().guideline.number == 2


def test_a_submitted_seat_keeps_its_place(project, rater):
    [seat] = factories.grade_next(project, rater, 3)
    assert Place.objects.get(pk=seat.place_id).free == 1


def test_the_same_grade_sent_twice_is_stored_once(project, rater):
    seat, key = hold(project, rater)[0], uuid4()
    first = factories.grade(seat, 4, key=key)
    logged = Event.objects.count()
    assert factories.grade(seat, 4, key=key) == first
    assert Rating.objects.count() == 1
    assert Event.objects.count() == logged


def test_another_grade_on_a_graded_seat_is_refused(project, rater):
    seat = hold(project, rater)[0]
    factories.grade(seat, 4, key=uuid4())
    for key in (uuid4(), None):
        with refused("already_rated"):
            factories.grade(seat, 1, key=key)
    assert list(Rating.objects.values_list("grade", flat=True)) == [4]


def test_the_first_grade_sent_again_after_it_was_changed_is_still_answered_with_success(project, rater):
    seat, key = hold(project, rater)[0], uuid4()
    first = factories.grade(seat, 4, key=key)
    ratings.change(seat=seat, grade=1, reason="nonsense", by=rater)
    assert factories.grade(seat, 4, key=key) == first
    assert list(Rating.objects.filter(replaced_at=None).values_list("grade", flat=True)) == [1]


@pytest.mark.parametrize("grade", [0, 6, -3])
def test_a_grade_outside_the_scale_is_refused(project, rater, grade):
    seat = hold(project, rater)[0]
    with refused("grade_outside"):
        ratings.submit(seat=seat, grade=grade, reason="echoing", by=rater)
    seat.refresh_from_db()
    assert seat.state == SeatState.HELD
    assert not Rating.objects.exists()


@pytest.mark.parametrize("reason", ["", "echoing", "no such reason"])
def test_a_reason_that_does_not_explain_the_grade_is_refused(project, rater, reason):
    seat = hold(project, rater)[0]
    with refused("reason_wrong"):
        ratings.submit(seat=seat, grade=5, reason=reason, by=rater)
    assert not Rating.objects.exists()


def test_nobody_grades_on_the_seat_of_another(project, rater, partner):
    seat = hold(project, rater)[0]
    with refused("not_yours"):
        ratings.submit(seat=seat, grade=3, reason="versatile", by=partner)
    assert not Rating.objects.exists()


# ---- too late -------------------------------------------------------------------------------------------------------
def test_a_late_grade_is_taken_while_the_place_is_free(project, rater, pairs):
    seat = hold(project, rater)[0]
    expire_all()
    rating = factories.grade(seat, 5)
    seat.refresh_from_db()
    assert rating.seat == seat
    assert seat.state == SeatState.SUBMITTED
    assert Place.objects.get(pk=seat.place_id).free == 1
    assert history(seat)[-1] == ("expired", "submitted")


def test_a_late_grade_takes_the_slot_that_is_left(project, rater, partner):
    [late], [other] = hold(project, rater), hold(project, partner)
    expire_all()
    factories.grade(other)
    factories.grade(late)
    assert {Seat.objects.get(pk=seat.pk).slot for seat in (late, other)} == {1, 2}


def test_a_late_grade_is_refused_and_kept_as_a_draft_once_the_place_is_full(project, rater, partner, newcomer):
    late = hold(project, rater)[0]
    expire_all()
    for person in (partner, newcomer):
        factories.grade_next(project, person, *[3] * 8)
    with refused("place_taken"):
        factories.grade(late, 5)
    late.refresh_from_db()
    assert late.draft == {"grade": 5, "reason": "informative"}
    assert late.state == SeatState.EXPIRED
    assert counting(late.place.item) == [3, 3]


def test_a_grade_can_take_the_next_pairs_along(project, rater):
    [first] = hold(project, rater)
    rating, held = ratings.submit_and_hold(seat=first, grade=4, count=3, by=rater)
    assert (rating.seat, counting(first.place.item)) == (first, [4])
    assert held == hold(project, rater, count=3)
    assert [history(seat) for seat in held] == [[("", "held")]] * 3


def test_a_late_grade_takes_no_pair_along_and_is_kept_as_a_draft(project, rater, partner, newcomer):
    late = hold(project, rater)[0]
    expire_all()
    for person in (partner, newcomer):
        factories.grade_next(project, person, *[3] * 8)
    with refused("place_taken"):
        ratings.submit_and_hold(seat=late, grade=5, reason="informative", count=1, by=rater)
    late.refresh_from_db()
    assert late.draft == {"grade": 5, "reason": "informative"}


def test_a_grade_that_is_refused_takes_no_pair_along(project, rater):
    [seat] = hold(project, rater)
    with refused("grade_outside"):
        ratings.submit_and_hold(seat=seat, grade=9, count=3, by=rater)
    assert Seat.objects.get(person=rater) == seat


def test_the_newer_seat_of_the_same_person_takes_a_grade_from_the_old_page(project, rater):
    factories.grade_next(project, rater, *[3] * 7)
    old = hold(project, rater)[0]
    expire_all()
    new = hold(project, rater)[0]
    assert (new.place, new.pk != old.pk) == (old.place, True)
    assert factories.grade(old, 5).seat == new
    old.refresh_from_db()
    assert old.state == SeatState.EXPIRED


def test_a_grade_from_an_old_page_is_refused_when_the_pair_was_skipped_since(project, rater):
    factories.grade_next(project, rater, *[3] * 7)
    old = hold(project, rater)[0]
    expire_all()
    new = hold(project, rater)[0]
    ratings.skip(seat=new, reason="other", by=rater)
    with refused("skipped"):
        factories.grade(old, 5)
    assert Seat.objects.get(pk=new.pk).draft == {"grade": 5, "reason": "informative"}
    assert Rating.objects.count() == 7


# ---- settling -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("grades", "becomes"),
    [((3, 3), ItemState.KEPT), ((3, 4), ItemState.KEPT), ((2, 4), ItemState.REMOVED), ((1, 5), ItemState.REMOVED)],
)
def test_two_grades_settle_a_pair_by_their_gap(project, rater, partner, pairs, grades, becomes):
    first, second = grades
    factories.grade_next(project, rater, first)
    assert state(pairs[0]) == ItemState.OPEN
    factories.grade_next(project, partner, second)
    assert state(pairs[0]) == becomes
    assert history(pairs[0]) == [("open", becomes)]


def test_practice_pilot_and_gold_are_graded_like_work_but_never_counted(project, rater, pairs):
    for item, purpose in zip(pairs, (Purpose.PRACTICE, Purpose.GOLD, Purpose.PILOT), strict=False):
        Item.objects.filter(pk=item.pk).update(purpose=purpose)
    factories.grade_next(project, rater, 3, 3, 3, 5)
    assert list(Rating.objects.counting().values_list("grade", flat=True)) == [5]


def test_the_database_refuses_two_grades_in_force_on_one_seat(project, rater):
    [seat] = factories.grade_next(project, rater, 3)
    with pytest.raises(IntegrityError), transaction.atomic():
        Rating.objects.create(seat=seat, grade=5)
