"""An annotator's own work: what waits, and how it went."""

from datetime import timedelta
from statistics import median

import pytest
from django.utils import timezone

from annotation.actions.projects import projects
from annotation.actions.queue import assignments, voiding
from annotation.actions.rating import ratings
from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment, Item, Purpose, Rating, Slot, Step
from annotation.models.work import CHANGEABLE
from annotation.selectors.rating.own_work import own_figures, rating_work
from core.models import Role
from tests import factories


def the_work(person):
    [work] = rating_work(person)
    return work


def per_day(project, pairs: int, by) -> None:
    projects.change_settings(project=project, settings={"per_day": pairs}, by=by)


def later(claimed) -> None:
    """Long ago enough that nothing of it is today's."""
    Assignment.objects.filter(pk__in=[assignment.pk for assignment in claimed]).update(
        ended_at=timezone.now() - timedelta(days=2)
    )


def test_what_waits_is_what_is_asked_for_today_and_still_there(project, annotator, researcher):
    per_day(project, 5, researcher)
    factories.pairs(project, 8)
    assert (the_work(annotator).waiting, the_work(annotator).is_more_open) == (5, True)
    factories.grade_next(project, annotator, 4, 4)
    work = the_work(annotator)
    assert (work.done_today, work.waiting, work.is_more_open) == (2, 3, True)


def test_when_the_day_is_done_nothing_waits_but_one_may_go_on(project, annotator, researcher):
    per_day(project, 2, researcher)
    factories.pairs(project, 3)
    factories.grade_next(project, annotator, 4, 4)
    assert (the_work(annotator).waiting, the_work(annotator).is_more_open) == (0, True)
    factories.grade_next(project, annotator, 4)
    assert (the_work(annotator).waiting, the_work(annotator).is_more_open) == (0, False)


def test_yesterdays_pairs_do_not_count_for_today(project, annotator, researcher):
    per_day(project, 3, researcher)
    factories.pairs(project, 10)
    later(factories.grade_next(project, annotator, 4, 4))
    assert (the_work(annotator).done_today, the_work(annotator).waiting) == (0, 3)


def test_a_pair_in_hand_waits_even_when_its_slot_is_full(project, annotator, partner):
    factories.pairs(project, 1)
    assignments.claim(project=project, step=Step.RATE, by=annotator)
    assignments.claim(project=project, step=Step.RATE, by=partner)
    assert the_work(annotator).waiting == 1


def test_pairs_that_others_took_do_not_wait(project, annotator, partner, newcomer):
    factories.pairs(project, 4)
    factories.grade_next(project, partner, 4, 4, 4)
    factories.grade_next(project, newcomer, 4, 4, 4)
    assert the_work(annotator).waiting == 1


def test_what_is_barred_does_not_wait(project, annotator, researcher):
    factories.pairs(project, 3)
    [assignment] = assignments.claim(project=project, step=Step.RATE, by=annotator)
    ratings.skip(assignment=assignment, reason="other", by=annotator)
    factories.grade_next(project, annotator, 4)
    voiding.void_work(
        project=project, person=annotator, since=timezone.now() - timedelta(hours=1), why="x", by=researcher
    )
    assert Slot.objects.filter(free__gt=0).count() == 3
    assert the_work(annotator).waiting == 1


def test_what_waits_agrees_with_what_is_handed_out(project, annotator, partner, newcomer, researcher):
    per_day(project, 50, researcher)
    factories.pairs(project, 12)
    factories.grade_next(project, partner, *[4] * 9)
    factories.grade_next(project, annotator, 4, 4, 4)
    factories.grade_next(project, newcomer, *[4] * 6)
    waiting = the_work(annotator).waiting
    assert waiting == len(assignments.claim(project=project, step=Step.RATE, count=50, by=annotator))


def test_projects_with_pairs_waiting_come_first_and_of_these_the_ones_begun(project, annotator, researcher):
    for slug, title in (("a", "A done"), ("b", "B fresh")):
        other = projects.create(slug=slug, kind="rating", title=title, by=researcher)
        projects.add_member(project=other, person=annotator, role=Role.ANNOTATOR, by=researcher)
        factories.pairs(other, 1 if slug == "a" else 3)
        if slug == "a":
            factories.grade_next(other, annotator, 4)
    factories.pairs(project, 3)
    factories.grade_next(project, annotator, 4)
    assert [work.project.slug for work in rating_work(annotator)] == ["weibo", "b", "a"]


def test_a_project_one_left_is_not_ones_work(project, annotator, researcher):
    projects.remove_member(project=project, person=annotator, by=researcher)
    assert rating_work(annotator) == []


@pytest.mark.parametrize("pairs", [3, 300])
def test_the_work_costs_the_same_with_many_pairs(project, annotator, pairs, django_assert_num_queries):
    factories.pairs(project, pairs)
    factories.grade_next(project, annotator, 4)
    with django_assert_num_queries(5):
        rating_work(annotator)


def settled(project, *raters, grades) -> None:
    for annotator, given in zip(raters, grades, strict=True):
        factories.grade_next(project, annotator, *given)


def test_agreement_with_partners_is_the_share_at_most_one_grade_apart(project, annotator, partner):
    factories.pairs(project, 4 + CHANGEABLE)
    still_changeable = [1] * CHANGEABLE
    settled(project, annotator, partner, grades=[[4, 4, 4, 4, *still_changeable], [4, 5, 2, 1, *[5] * CHANGEABLE]])
    figures = own_figures(annotator)
    assert (figures.compared, figures.within_one, figures.within_one_percent) == (4, 0.5, 50)


def test_a_partners_grade_is_not_felt_while_ones_own_can_still_change(project, annotator, partner):
    factories.pairs(project, CHANGEABLE)
    settled(project, annotator, partner, grades=[[3] * CHANGEABLE, [3] * CHANGEABLE])
    assert (own_figures(annotator).compared, own_figures(annotator).within_one) == (0, None)


def test_a_partners_grade_is_not_felt_before_every_grade_is_in(researcher, annotator, partner, newcomer):
    of_three = projects.create(slug="three", kind="rating", settings={"raters": 3}, by=researcher)
    for person in (annotator, partner, newcomer):
        projects.add_member(project=of_three, person=person, role=Role.ANNOTATOR, by=researcher)
    factories.pairs(of_three, 1 + CHANGEABLE)
    settled(of_three, annotator, partner, grades=[[3] * (1 + CHANGEABLE), [3]])
    assert own_figures(annotator).compared == 0
    factories.grade_next(of_three, newcomer, 5)
    assert (own_figures(annotator).compared, own_figures(annotator).within_one) == (2, 0.5)


def test_a_replaced_grade_of_a_partner_is_not_compared(project, annotator, partner):
    factories.pairs(project, 1 + CHANGEABLE)
    settled(project, annotator, partner, grades=[[4] * (1 + CHANGEABLE), [1]])
    ratings.change(assignment=Assignment.objects.get(person=partner), grade=4, by=partner)
    assert (own_figures(annotator).compared, own_figures(annotator).within_one) == (1, 1.0)


@pytest.mark.parametrize("times", [[5000], [5000, 7000], [9000, 1000, 4000], [4, 3, 2, 1]])
def test_the_median_time_is_the_median(project, annotator, times):
    factories.pairs(project, len(times))
    for milliseconds in times:
        [assignment] = assignments.claim(project=project, step=Step.RATE, by=annotator)
        factories.grade(assignment, 4, milliseconds=milliseconds)
    assert own_figures(annotator).median_seconds == median(times) / 1000


def test_figures_look_back_14_days_at_counting_work_of_ones_own(project, annotator, partner):
    items = factories.pairs(project, 4)
    claimed = factories.grade_next(project, annotator, 4, 4, 4)
    factories.grade_next(project, partner, 4)
    Assignment.objects.filter(pk=claimed[0].pk).update(ended_at=timezone.now() - timedelta(days=14, minutes=1))
    Item.objects.filter(pk=items[1].pk).update(purpose=Purpose.PRACTICE)
    assert own_figures(annotator).pairs == 1
    assert Rating.objects.filter(assignment__person=annotator, assignment__state=AssignmentState.SUBMITTED).count() == 3


def test_without_work_there_is_nothing_to_say(project, annotator):
    figures = own_figures(annotator)
    assert (figures.pairs, figures.median_seconds, figures.within_one) == (0, None, None)
