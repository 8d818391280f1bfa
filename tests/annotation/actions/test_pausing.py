"""Too many misses on gold pause a person; somebody else lets them go on."""

import pytest
from django.utils import timezone

from annotation.actions import assignments, pausing, ratings, voiding
from annotation.domain.qualification import Standing
from annotation.domain.workflow import RaterState, SeatState
from annotation.models import Cursor, Event, Seat
from annotation.selectors.qualification import paused_in, rater_of
from tests import factories
from tests.annotation.actions.desk import refused
from tests.annotation.actions.golden import bring_in, choose, grade_all, is_gold, known

pytestmark = pytest.mark.django_db

PAIRS = 30


@pytest.fixture
def watched(project):
    """Every other pair is gold; three misses among the last five pause."""
    factories.pairs(project, PAIRS)
    bring_in(project, known(PAIRS))
    choose(project, gold_first=50, gold_lowest=50, gold_window=5, gold_misses=3)
    return project


def test_too_many_misses_pause_and_no_pair_is_handed_out(watched, rater):
    seats = grade_all(watched, rater, off=2)
    assert sum(map(is_gold, seats)) == 3  # the third miss was the last pair
    assert factories.take(watched, rater) == []
    paused = rater_of(watched, rater)
    assert (paused.standing, paused.recently_missed, len(paused.recent)) == (Standing.PAUSED, 3, 3)
    assert [cursor.person for cursor in paused_in([watched])] == [rater]
    event = Event.objects.get(subject="cursor", became=RaterState.PAUSED)
    assert (event.by, event.why) == (None, "3 of the last 3 gold pairs missed")


def test_grades_that_are_near_enough_never_pause(watched, rater):
    seats = grade_all(watched, rater, off=1)
    assert sum(not is_gold(seat) for seat in seats) == PAIRS


def test_a_paused_person_changes_nothing_for_others(watched, rater, partner):
    grade_all(watched, rater, off=2)
    assert factories.take(watched, partner)


def test_what_a_paused_person_has_in_hand_is_still_taken_from_them(watched, rater):
    ahead = factories.take(watched, rater, 12)
    golden = [seat for seat in ahead if is_gold(seat)]
    works = [seat for seat in ahead if not is_gold(seat)]
    assert len(golden) >= 3
    for seat in golden[:3]:
        known_grade = seat.place.item.gold.grade
        factories.grade(seat, known_grade + 2 if known_grade < 4 else known_grade - 2)
    assert factories.take(watched, rater) == []
    factories.grade(works[0], 4)
    assert Seat.objects.get(pk=works[0].pk).state == SeatState.SUBMITTED


def test_a_paused_person_changes_no_grade_and_learns_of_no_gold(watched, rater, inspector):
    seats = grade_all(watched, rater, off=2)
    for seat in seats[-5:]:
        with refused("paused"):
            ratings.change(seat=seat, grade=4, by=rater)
    assert rater_of(watched, rater).recently_missed == 3
    pausing.resume(project=watched, person=rater, why="talked it over", by=inspector)
    assert ratings.change(seat=seats[-1], grade=4, by=rater).grade == 4


def test_a_miss_that_is_mended_in_time_is_none(watched, rater):
    missed = 0
    while missed < 6:
        [seat] = factories.take(watched, rater)
        if is_gold(seat):
            missed += 1
            right = seat.place.item.gold.grade
            factories.grade(seat, right + 2 if right < 4 else right - 2)
            ratings.change(seat=seat, grade=right, reason=factories.REASONS[right], by=rater)
        else:
            factories.grade(seat, 3)
    assert factories.take(watched, rater)


def test_an_inspector_lets_the_person_go_on_with_a_clean_slate(watched, rater, inspector):
    grade_all(watched, rater, off=2)
    pausing.resume(project=watched, person=rater, why="misread the guideline", by=inspector)
    event = Event.objects.get(subject="cursor", was=RaterState.PAUSED, became=RaterState.WORKING)
    assert (event.by, event.why) == (inspector, "misread the guideline")
    seats = grade_all(watched, rater, off=2)
    assert sum(map(is_gold, seats)) == 3  # three new misses, the old ones are not held against them
    assert Cursor.objects.get(person=rater).state == RaterState.PAUSED


def void(project, person, since, by):
    voiding.void_work(project=project, person=person, since=since, why="misread the guideline", by=by)


def test_a_pause_ends_when_what_was_missed_is_voided(watched, rater, inspector):
    began = timezone.now()
    grade_all(watched, rater, off=2)
    void(watched, rater, began, inspector)
    assert rater_of(watched, rater).standing == Standing.FREE
    event = Event.objects.get(subject="cursor", was=RaterState.PAUSED, became=RaterState.WORKING)
    assert (event.by, event.why) == (inspector, "misread the guideline")
    assert sum(map(is_gold, grade_all(watched, rater, off=2))) == 3  # a pause needs three new misses


def test_a_pause_ends_when_the_gold_was_wrong(watched, rater):
    [*_earlier, last] = grade_all(watched, rater, off=2)
    bring_in(watched, [_said(last)], corrects=True)
    assert rater_of(watched, rater).standing == Standing.FREE
    assert factories.take(watched, rater)
    event = Event.objects.get(subject="cursor", was=RaterState.PAUSED, became=RaterState.WORKING)
    assert event.why == "gold was corrected"


def _said(seat: Seat) -> str:
    """A row of a file that knows of the pair what was given to it."""
    content = seat.place.item.content
    return f"{content['prompt']},{content['response']},{seat.ratings.get().grade}"


def test_a_pause_stays_while_enough_of_what_was_missed_stands(watched, rater, inspector):
    *_earlier, last = grade_all(watched, rater, off=2)
    choose(watched, gold_misses=2)
    void(watched, rater, Seat.objects.get(pk=last.pk).ended_at, inspector)
    paused = rater_of(watched, rater)
    assert (paused.standing, paused.recently_missed) == (Standing.PAUSED, 2)
    assert factories.take(watched, rater) == []


def test_letting_go_on_needs_a_reason_and_somebody_who_is_paused(watched, rater, inspector):
    with refused("not_paused"):
        pausing.resume(project=watched, person=rater, why="x", by=inspector)
    grade_all(watched, rater, off=2)
    with refused("why_missing"):
        pausing.resume(project=watched, person=rater, why="  ", by=inspector)
    assert assignments.hold(project=watched, step="rate", by=rater) == []
