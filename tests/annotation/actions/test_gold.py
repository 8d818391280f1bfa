"""Gold: brought in, sent between the pairs to rate, and counting nowhere."""

from collections import Counter

import pytest
from django.utils import timezone

from annotation.actions import assignments, projects, ratings, voiding
from annotation.actions.imported_ratings import import_ratings
from annotation.actions.refusals import RowsRefused
from annotation.domain.text import digest
from annotation.domain.workflow import ItemState, SeatState
from annotation.models import Event, Gold, Item, Place, Purpose, Rating, Seat
from annotation.selectors.agreement import agreement_report
from annotation.selectors.grades import grades_in_force
from annotation.selectors.own_work import own_figures, rating_work
from annotation.selectors.progress import funnel_of, pace_of, progress_of
from tests import factories
from tests.annotation.actions.desk import expire_all, refused
from tests.annotation.actions.golden import bring_in, choose, grade_all, is_gold, known

pytestmark = pytest.mark.django_db

HALF = {"gold_first": 50, "gold_lowest": 50, "gold_window": 100, "gold_misses": 100}  # and nobody is paused


def test_gold_is_stored_once_with_what_is_known_of_it(project):
    columns = "prompt,response,grade,type,explanation"
    rows = ["水开了吗,嗯 会好的,3,versatile,什么都能答", "你好,你好呀,4,natural,", "再见,再见,5,,"]
    assert bring_in(project, rows, columns=columns) == (3, 0, 0)
    assert bring_in(project, rows, columns=columns) == (0, 3, 0)
    stored = Gold.objects.order_by("grade").values_list("grade", "reason", "explanation", "item__purpose")
    assert list(stored) == [(3, "versatile", "什么都能答", "gold"), (4, "natural", "", "gold"), (5, "", "", "gold")]
    assert Event.objects.filter(project=project, became="gold imported").count() == 2


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ("a,b,6,,", "grade_outside"),
        ("a,b,good,,", "grade_no_number"),
        ("a,b,,,", "no_value"),
        (",b,3,,", "no_prompt"),
        ("a,,3,,", "no_response"),
        ("a,b,3,echoing,", "type_unknown"),
        ("a,b,3,,x\na,b,4,,x", "gold_twice"),
        ("已有问题,已有回复,4,,", "gold_before"),
        ('今天第1次出门了吗?,"还没有,等第1班车。",4,,', "gold_is_work"),
    ],
)
def test_one_refused_row_and_nothing_is_stored(project, row, code):
    columns = "prompt,response,grade,type,explanation"
    factories.pairs(project, 1)
    work = Item.objects.get()
    Item.objects.update(digest=digest(*work.content.values()))  # the factory makes another one
    bring_in(project, ["已有问题,已有回复,3"])
    with pytest.raises(RowsRefused) as wrong:
        bring_in(project, ["好的,可以,5,,", row], columns=columns)
    assert [bad.reason.code for bad in wrong.value.rows] == [code]
    assert wrong.value.rows[0].line >= 3
    assert Gold.objects.count() == 1


def test_gold_comes_between_the_pairs_and_all_of_both_are_graded_once(project, rater):
    factories.pairs(project, 24)
    bring_in(project, known(60))
    choose(project, **HALF)
    seats = grade_all(project, rater)
    golden = [is_gold(seat) for seat in seats]
    assert golden.count(False) == 24
    assert 8 <= golden.count(True) <= 50
    assert golden[-1] is False  # when nothing is left to rate no gold is left either
    assert [seat.slot is None for seat in seats] == golden
    assert len({seat.place_id for seat in seats}) == len(seats)


def test_a_batch_and_pair_after_pair_meet_the_same_gold(project, rater, partner):
    factories.pairs(project, 40)
    bring_in(project, known(60))
    choose(project, **HALF)
    ahead = [is_gold(seat) for seat in factories.take(project, rater, 20)]
    again = [is_gold(seat) for seat in factories.take(project, rater, 20)]
    assert again == ahead
    projects.change_settings(project=project, settings={}, by=project.created_by)
    one_by_one = [is_gold(seat) for seat in grade_all(project, partner, most=20)]
    assert any(ahead) and any(one_by_one)
    assert ahead != one_by_one  # each person has draws of their own


def test_gold_draws_are_the_same_whatever_was_done_before(researcher, project, rater):
    """Two projects of one name and seed, as on two databases: the same gold at the same pairs."""
    factories.pairs(project, 12)
    bring_in(project, known(12))
    choose(project, **HALF)
    first = [seat.place.item.content["prompt"] for seat in grade_all(project, rater, most=10)]
    Rating.objects.all().delete()
    Seat.objects.all().delete()
    rater.cursors.all().delete()
    for place in Place.objects.filter(item__purpose=Purpose.WORK):
        Place.objects.filter(pk=place.pk).update(free=place.slots)
    assert [seat.place.item.content["prompt"] for seat in grade_all(project, rater, most=10)] == first


def test_no_gold_comes_again_before_all_were_seen(project, rater):
    factories.pairs(project, 16)
    bring_in(project, known(3))
    choose(project, **HALF)
    met: Counter[int] = Counter()
    for seat in grade_all(project, rater):
        if is_gold(seat):
            met[seat.place.item_id] += 1
            assert max(met.values()) - (min(met.values()) if len(met) == 3 else 0) <= 1
    assert min(met.values()) > 1


def test_gold_moves_no_figure_and_no_release(project, rater, partner):
    factories.pairs(project, 12)

    def figures():
        grades = grades_in_force(project)
        return funnel_of(project), pace_of(project, grades).missing, progress_of(project), agreement_report(project)

    for person in (rater, partner):
        grade_all(project, person)
    before = figures()
    bring_in(project, known(20))
    choose(project, **HALF)
    assert figures() == before
    factories.pairs(project, 12)
    for person in (rater, partner):
        seats = grade_all(project, person, off=2)
        assert any(is_gold(seat) for seat in seats)
    counted = Rating.objects.counting()
    assert counted.count() == 48
    assert not counted.filter(seat__place__item__purpose=Purpose.GOLD).exists()
    after = figures()
    assert after[0].pairs == after[0].kept == 24  # all were graded 3 by both; gold was graded wide of the mark
    assert set(Item.objects.filter(purpose=Purpose.GOLD).values_list("state", flat=True)) == {ItemState.OPEN}


def golden_seat(project, by, count=30):
    return next(seat for seat in factories.take(project, by, count) if is_gold(seat))


@pytest.fixture
def with_gold(project):
    factories.pairs(project, 40)
    bring_in(project, known(40))
    choose(project, **HALF)
    return project


def test_gold_that_comes_late_is_taken_as_long_as_the_person_has_not_got_it_again(with_gold, rater):
    seat = golden_seat(with_gold, rater)
    expire_all()
    factories.grade(seat, 3)
    assert Seat.objects.get(pk=seat.pk).state == SeatState.SUBMITTED


def test_gold_that_is_skipped_or_runs_out_opens_no_place(with_gold, rater):
    seat = golden_seat(with_gold, rater)
    ratings.skip(seat=seat, reason="other", by=rater)
    expire_all()
    assert not Place.objects.filter(item__purpose=Purpose.GOLD, free__gt=0).exists()
    assert not Place.objects.filter(item__purpose=Purpose.GOLD, position__gt=0).exists()


def test_a_grade_of_gold_is_changed_like_any(with_gold, rater):
    seat = golden_seat(with_gold, rater)
    factories.grade(seat, 1)
    ratings.change(seat=seat, grade=2, reason="echoing", by=rater)
    assert [(each.grade, each.replaced_at is None) for each in seat.ratings.order_by("pk")] == [(1, False), (2, True)]
    assert seat.place.item.state == ItemState.OPEN


def test_voiding_takes_gold_along_and_counts_only_the_rest(with_gold, rater, researcher):
    seats = grade_all(with_gold, rater, most=30)
    works = [seat for seat in seats if not is_gold(seat)]
    assert len(works) < 30
    voided = voiding.void_work(
        project=with_gold, person=rater, since=timezone.now().replace(year=2020), why="clicked", by=researcher
    )
    assert voided == len(works)
    assert not Seat.objects.filter(person=rater, state=SeatState.SUBMITTED).exists()
    assert not Place.objects.filter(item__purpose=Purpose.GOLD, free__gt=0).exists()


def test_another_number_of_raters_leaves_gold_where_it_is(project, rater):
    factories.pairs(project, 3)
    bring_in(project, known(3))
    choose(project, raters=3)
    assert sorted(Place.objects.values_list("slots", "free")) == [(0, 0)] * 3 + [(3, 3)] * 3


def test_the_scale_is_fixed_once_gold_lies_on_it(project):
    bring_in(project, known(3))
    with refused("gold_graded"):
        projects.change_settings(project=project, settings={"grades": "1..7"}, by=project.created_by)
    project.refresh_from_db()
    assert str(project.rating.grades) == "1..5"


def test_grades_from_elsewhere_never_land_on_gold(project, rater, tmp_path):
    bring_in(project, ["水开了吗,开了,3"])
    file = tmp_path / "grades.csv"
    file.write_text("item,rater,grade,prompt,response\nq1,ann,4,水开了吗,开了\n", encoding="utf-8")
    import_ratings(project=project, path=file, report=factories.no_progress, by=project.created_by)
    assert Rating.objects.counting().count() == 1
    assert not Seat.objects.filter(place__item__purpose=Purpose.GOLD).exists()


def test_what_waits_falls_by_one_with_every_pair_whatever_it_is(project, rater):
    factories.pairs(project, 10)
    bring_in(project, known(10))
    choose(project, per_day=500, **HALF)
    assignments.hold(project=project, step="rate", by=rater)
    [work] = rating_work(rater)
    left = [work.waiting]
    while seats := factories.take(project, rater):
        factories.grade(seats[0], 3)
        factories.take(project, rater)
        left.append(rating_work(rater)[0].waiting)
    assert left == list(range(len(left) - 1, -1, -1))
    assert own_figures(rater).pairs == len(left) - 1
