"""Gold: imported, mixed among the pairs to rate, and never counted."""

import pytest
from django.utils import timezone

from annotation.actions.imports.refused_rows import RowsRefused
from annotation.actions.projects import projects
from annotation.actions.queue import assignments, voiding
from annotation.actions.rating import ratings
from annotation.actions.rating.imported_ratings import import_ratings
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, Gold, Item, Purpose, Rating, Slot
from annotation.selectors.agreement.agreement import agreement_report
from annotation.selectors.projects.progress import funnel_of, pace_of, progress_of
from annotation.selectors.rating.own_work import own_figures, rating_work
from core.domain.text import digest
from core.models import Event
from core.models.scoped import scope_of
from tests import factories
from tests.annotation.actions.qualification.gold_pairs import choose, grade_all, import_rows, is_gold, known
from tests.annotation.actions.queue.assigned_work import expire_all, refused

pytestmark = pytest.mark.django_db

HALF = {"gold_first": 50, "gold_lowest": 50, "gold_window": 100, "gold_misses": 100}  # and no one is paused


def test_gold_is_stored_once_with_what_is_known_of_it(project):
    columns = "prompt,response,grade,type,explanation"
    rows = ["水开了吗,嗯 会好的,3,versatile,什么都能答", "你好,你好呀,4,natural,", "再见,再见,5,,"]
    assert import_rows(project, rows, columns=columns) == (3, 0, 0)
    assert import_rows(project, rows, columns=columns) == (0, 3, 0)
    stored = Gold.objects.order_by("grade").values_list("grade", "reason", "explanation", "item__purpose")
    assert list(stored) == [(3, "versatile", "什么都能答", "gold"), (4, "natural", "", "gold"), (5, "", "", "gold")]
    assert Event.objects.filter(**scope_of(project), became="gold imported").count() == 2


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
    Item.objects.update(digest=digest(*work.content.values()))  # the factory makes another digest
    import_rows(project, ["已有问题,已有回复,3"])
    with pytest.raises(RowsRefused) as wrong:
        import_rows(project, ["好的,可以,5,,", row], columns=columns)
    assert [bad.reason.code for bad in wrong.value.rows] == [code]
    assert wrong.value.rows[0].line >= 3
    assert Gold.objects.count() == 1


def test_gold_comes_between_the_pairs_and_all_of_both_are_graded_once(project, annotator):
    factories.pairs(project, 24)
    import_rows(project, known(60))
    choose(project, **HALF)
    claimed = grade_all(project, annotator)
    golden = [is_gold(assignment) for assignment in claimed]
    assert golden.count(False) == 24
    assert 8 <= golden.count(True) <= 50
    assert golden[-1] is False  # no gold follows the last pair to rate
    assert [assignment.slot_number is None for assignment in claimed] == golden
    assert len({assignment.slot_id for assignment in claimed}) == len(claimed)


def test_a_batch_and_pair_after_pair_meet_the_same_gold(project, annotator, partner):
    factories.pairs(project, 40)
    import_rows(project, known(60))
    choose(project, **HALF)
    ahead = [is_gold(assignment) for assignment in factories.take(project, annotator, 20)]
    again = [is_gold(assignment) for assignment in factories.take(project, annotator, 20)]
    assert again == ahead
    projects.change_settings(project=project, settings={}, by=project.created_by)
    one_by_one = [is_gold(assignment) for assignment in grade_all(project, partner, most=20)]
    assert any(ahead) and any(one_by_one)
    assert ahead != one_by_one  # each person has draws of their own


def test_gold_draws_are_the_same_whatever_was_done_before(researcher, project, annotator):
    """Compare two projects of one name and seed, as on two databases: the same gold comes at the same pairs."""
    factories.pairs(project, 12)
    import_rows(project, known(12))
    choose(project, **HALF)
    first = [assignment.slot.item.content["prompt"] for assignment in grade_all(project, annotator, most=10)]
    Rating.objects.all().delete()
    Assignment.objects.all().delete()
    annotator.cursors.all().delete()
    for slot in Slot.objects.filter(item__purpose=Purpose.WORK):
        Slot.objects.filter(pk=slot.pk).update(free=slot.required)
    assert [assignment.slot.item.content["prompt"] for assignment in grade_all(project, annotator, most=10)] == first


def test_gold_moves_no_figure_and_no_release(project, annotator, partner):
    factories.pairs(project, 12)

    def figures():
        return funnel_of(project), pace_of(project).missing, progress_of(project), agreement_report(project)

    for person in (annotator, partner):
        grade_all(project, person)
    before = figures()
    import_rows(project, known(20))
    choose(project, **HALF)
    assert figures() == before
    factories.pairs(project, 12)
    for person in (annotator, partner):
        claimed = grade_all(project, person, off=2)
        assert any(is_gold(assignment) for assignment in claimed)
    counted = Rating.objects.counting()
    assert counted.count() == 48
    assert not counted.filter(assignment__slot__item__purpose=Purpose.GOLD).exists()
    after = figures()
    assert after[0].pairs == after[0].kept == 24  # all were graded 3 by both; gold was graded far from its known grade
    assert set(Item.objects.filter(purpose=Purpose.GOLD).values_list("state", flat=True)) == {ItemState.OPEN}


def golden_assignment(project, by, count=30):
    return next(assignment for assignment in factories.take(project, by, count) if is_gold(assignment))


@pytest.fixture
def with_gold(project):
    factories.pairs(project, 40)
    import_rows(project, known(40))
    choose(project, **HALF)
    return project


def test_gold_that_comes_late_is_taken_as_long_as_the_person_has_not_got_it_again(with_gold, annotator):
    assignment = golden_assignment(with_gold, annotator)
    expire_all()
    factories.grade(assignment, 3)
    assert Assignment.objects.get(pk=assignment.pk).state == AssignmentState.SUBMITTED


def test_gold_that_is_skipped_or_runs_out_opens_no_slot(with_gold, annotator):
    assignment = golden_assignment(with_gold, annotator)
    ratings.skip(assignment=assignment, reason="other", by=annotator)
    expire_all()
    assert not Slot.objects.filter(item__purpose=Purpose.GOLD, free__gt=0).exists()
    assert not Slot.objects.filter(item__purpose=Purpose.GOLD, position__gt=0).exists()


def test_a_grade_of_gold_is_changed_like_any(with_gold, annotator):
    assignment = golden_assignment(with_gold, annotator)
    factories.grade(assignment, 1)
    ratings.change(assignment=assignment, grade=2, reason="echoing", by=annotator)
    assert [(each.grade, each.replaced_at is None) for each in assignment.ratings.order_by("pk")] == [
        (1, False),
        (2, True),
    ]
    assert assignment.slot.item.state == ItemState.OPEN


def test_voiding_takes_gold_along_and_counts_only_the_rest(with_gold, annotator, researcher):
    claimed = grade_all(with_gold, annotator, most=30)
    works = [assignment for assignment in claimed if not is_gold(assignment)]
    assert len(works) < 30
    voided = voiding.void_work(
        project=with_gold, person=annotator, since=timezone.now().replace(year=2020), why="clicked", by=researcher
    )
    assert voided == len(works)
    assert not Assignment.objects.filter(person=annotator, state=AssignmentState.SUBMITTED).exists()
    assert not Slot.objects.filter(item__purpose=Purpose.GOLD, free__gt=0).exists()


def test_another_number_of_annotators_leaves_gold_where_it_is(project, annotator):
    factories.pairs(project, 3)
    import_rows(project, known(3))
    choose(project, raters=3)
    assert sorted(Slot.objects.values_list("required", "free")) == [(0, 0)] * 3 + [(3, 3)] * 3


def test_the_scale_is_fixed_once_gold_lies_on_it(project):
    import_rows(project, known(3))
    with refused("gold_graded"):
        projects.change_settings(project=project, settings={"grades": "1..7"}, by=project.created_by)
    project.refresh_from_db()
    assert str(project.rating.grades) == "1..5"


def test_grades_from_elsewhere_never_land_on_gold(project, annotator, tmp_path):
    import_rows(project, ["水开了吗,开了,3"])
    file = tmp_path / "grades.csv"
    file.write_text("item,rater,grade,prompt,response\nq1,ann,4,水开了吗,开了\n", encoding="utf-8")
    import_ratings(project=project, path=file, report=factories.no_progress, by=project.created_by)
    assert Rating.objects.counting().count() == 1
    assert not Assignment.objects.filter(slot__item__purpose=Purpose.GOLD).exists()


def test_what_waits_falls_by_one_with_every_pair_whatever_it_is(project, annotator):
    factories.pairs(project, 10)
    import_rows(project, known(10))
    choose(project, per_day=500, **HALF)
    assignments.claim(project=project, step="rate", by=annotator)
    [work] = rating_work(annotator)
    left = [work.waiting]
    while claimed := factories.take(project, annotator):
        factories.grade(claimed[0], 3)
        factories.take(project, annotator)
        left.append(rating_work(annotator)[0].waiting)
    assert left == list(range(len(left) - 1, -1, -1))
    assert own_figures(annotator).pairs == len(left) - 1
