"""Progress of a project, and the work of each person."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.actions.queue import assignments, voiding
from annotation.actions.rating import ratings
from annotation.domain.workflow import ImportState
from annotation.models import Import, Purpose, Rating, Step
from annotation.selectors.projects.board import board_of
from annotation.selectors.projects.progress import funnel_of, progress_of
from tests import factories

QUERIES = 14


@pytest.fixture
def halfway(project, annotator, partner):
    """Return a project with ten pairs: five graded by both (four kept, one removed), two by one of them, three by
    neither.
    """
    factories.pairs(project, 10)
    factories.grade_next(project, annotator, 1, 2, 3, 4, 5, 3, 3)
    factories.grade_next(project, partner, 1, 2, 4, 4, 1)
    return project


def person_in(project, username):
    [found] = [each for each in board_of(project).people if each.person.username == username]
    return found


def test_the_funnel_counts_every_pair_once(halfway):
    funnel = funnel_of(halfway)
    assert (funnel.pairs, funnel.untouched, funnel.begun, funnel.rated) == (10, 3, 2, 5)
    assert (funnel.removed, funnel.kept) == (1, 4)
    assert funnel.untouched + funnel.begun + funnel.rated == funnel.pairs


def test_a_pair_in_somebodys_hands_still_waits_for_its_grade(halfway, newcomer):
    assignments.claim(project=halfway, step=Step.RATE, count=4, by=newcomer)
    funnel = funnel_of(halfway)
    assert (funnel.untouched, funnel.begun) == (3, 2)


def test_rows_that_became_no_pair_stand_in_the_funnel(halfway):
    counts = {"rows": 19, "good": 10, "duplicate": 3, "refused": 2}
    Import.objects.create(project=halfway, file_name="pairs.csv", state=ImportState.STORED, **counts)
    Import.objects.create(project=halfway, file_name="thrown away.csv", state=ImportState.DISCARDED, **counts)
    funnel = funnel_of(halfway)
    assert (funnel.imported, funnel.duplicate, funnel.refused, funnel.pairs) == (19, 3, 2, 10)
    assert funnel.only_grades == 4  # of pairs in other rows


def test_voided_work_waits_for_a_grade_again(halfway, partner, researcher):
    since = timezone.now() - timedelta(hours=1)
    voiding.void_work(project=halfway, person=partner, since=since, why="clicked through", by=researcher)
    funnel = funnel_of(halfway)
    assert (funnel.untouched, funnel.begun, funnel.rated) == (3, 7, 0)
    assert (person_in(halfway, "bo").graded, person_in(halfway, "bo").voided) == (0, 5)


def test_practice_gold_and_pilot_pairs_move_nothing_on_the_board(halfway, annotator, partner):
    def shown():
        found = board_of(halfway)
        people = [(each.label, each.graded, each.grades, each.median_seconds, each.voided) for each in found.people]
        return found.funnel, found.pace, people, found.agreement.matrix.tolist()

    before = shown()
    for purpose in (Purpose.PRACTICE, Purpose.GOLD, Purpose.PILOT):
        factories.plant(halfway, purpose, annotator, partner)
    assert shown() == before


def test_people_show_what_they_gave_and_how_far_partners_agree(halfway):
    an = person_in(halfway, "an")
    assert (an.graded, list(an.grades)) == (7, [1, 1, 3, 1, 1])
    assert an.partners.n == 5
    assert an.last_grade_at == Rating.objects.filter(assignment__person__username="an").latest("pk").created_at


def test_the_median_of_a_pair_leaves_out_what_nobody_measured(project, annotator):
    factories.pairs(project, 4)
    for assignment, milliseconds in zip(
        factories.take(project, annotator, 4), (2_000, 9_000, 4_000, None), strict=True
    ):
        factories.grade(assignment, milliseconds=milliseconds)
    assert person_in(project, "an").median_seconds == 4.0


def test_a_member_who_has_not_begun_stands_on_the_board(halfway, newcomer):
    chen = person_in(halfway, "chen")
    assert (chen.graded, chen.median_seconds, chen.partners, chen.last_grade_at) == (0, None, None, None)


def test_who_left_the_project_keeps_their_grades_on_the_board(halfway, annotator):
    annotator.memberships.all().delete()
    assert person_in(halfway, "an").graded == 7


def test_a_skip_is_counted_for_the_person_who_skipped(halfway, newcomer):
    [assignment] = assignments.claim(project=halfway, step=Step.RATE, by=newcomer)
    ratings.skip(assignment=assignment, reason="cut_off", by=newcomer)
    assert person_in(halfway, "chen").skipped == 1


def test_two_grades_that_met_stand_in_the_lower_triangle(halfway):
    matrix = board_of(halfway).agreement.matrix
    met = {(row + 1, column + 1): matrix[row, column] for row in range(5) for column in range(5) if matrix[row, column]}
    assert met == {(1, 1): 1, (2, 2): 1, (4, 3): 1, (4, 4): 1, (5, 1): 1}


def given_ago(days: float, *, but_the_last: int = 0) -> None:
    """Set the time of all grades to so many days ago, except for the last few."""
    last = list(Rating.objects.order_by("-pk").values_list("pk", flat=True)[:but_the_last])
    Rating.objects.exclude(pk__in=last).update(created_at=timezone.now() - timedelta(days=days))


def test_a_project_in_its_first_day_has_no_pace_yet(halfway):
    assert board_of(halfway).pace.working_days_left is None


def test_the_pace_is_that_of_the_days_worked_this_week(halfway):
    given_ago(3, but_the_last=3)
    pace = board_of(halfway).pace
    assert [each.grades for each in pace.days] == [0] * 10 + [9, 0, 0, 3]
    assert pace.days[-1].day == str(timezone.now().date())
    assert pace.working_days_left == 1  # 8 grades at 9 a day


def test_the_pace_is_that_of_people_who_sign_in(halfway, partner):
    given_ago(1)
    assert (board_of(halfway).pace.missing, board_of(halfway).pace.days[-2].grades) == (8, 12)
    partner.is_active = False
    partner.save()
    assert board_of(halfway).pace.days[-2].grades == 7


def test_grades_of_the_week_before_are_no_pace(halfway):
    given_ago(8)
    assert board_of(halfway).pace.days[-9].grades == 12
    assert board_of(halfway).pace.working_days_left is None


def test_the_numbers_of_the_api(halfway):
    assert progress_of(halfway) == {
        "pairs": 10,
        "cleaned": 0,
        "open": 5,
        "disputed": 0,
        "kept": 4,
        "removed": 1,
        "grades": 12,
        "people": 2,
    }


def test_the_board_costs_the_same_queries_whatever_its_size(
    halfway, annotator, partner, newcomer, django_assert_num_queries
):
    with django_assert_num_queries(QUERIES):
        board_of(halfway)
    factories.pairs(halfway, 60)
    for person in (annotator, partner, newcomer):
        factories.grade_next(halfway, person, *[3] * 15)
    with django_assert_num_queries(QUERIES):
        board_of(halfway)
