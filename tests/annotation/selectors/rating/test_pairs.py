"""Pairs of a project: found, sorted, and with what people gave."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.actions import flags
from annotation.actions.adjudication import adjudication
from annotation.actions.projects import projects
from annotation.actions.queue import assignments
from annotation.actions.rating import ratings
from annotation.domain.workflow import ItemState
from annotation.models import Item, Purpose, Rating, Step
from annotation.selectors.rating.pairs import grades_of, pairs_of, rows_of, sorted_pairs, sources_of
from core.domain.sorting import Sorting
from tests import factories


def keys(pairs) -> list[int]:
    return [item.pk for item in pairs.order_by("position")]


def in_order(project, column: str, *, is_descending: bool = False) -> list[int]:
    """The places of the project's pairs in the order in which they are assigned, sorted by a column."""
    places = list(project.items.order_by("position").values_list("pk", flat=True))
    found = sorted_pairs(pairs_of(project), project, Sorting(column, is_descending=is_descending))
    return [places.index(item.pk) for item in found]


@pytest.fixture
def graded(project, annotator, partner):
    """Three pairs: kept with the grades 3 and 4, removed with 1 and 5, and one with a single grade."""
    items = factories.pairs(project, 3)
    factories.grade_next(project, annotator, 3, 1, 2)
    factories.grade_next(project, partner, 4, 5)
    return items


def test_grades_are_shown_once_all_are_in(graded, project):
    kept, removed, waiting = rows_of(pairs_of(project).order_by("position"))
    assert [(rating.assignment.person.username, rating.grade) for rating in kept.ratings] == [("an", 3), ("bo", 4)]
    assert (kept.final, removed.final, waiting.final) == (3.5, None, None)
    assert waiting.ratings == []
    assert grades_of(graded_again(graded)) == {graded[0].pk: [3, 4], graded[1].pk: [1, 5]}


def graded_again(items):
    return Item.objects.filter(pk__in=[item.pk for item in items])


@pytest.mark.parametrize(("state", "positions"), [("kept", [0]), ("removed", [1]), ("open", [2]), ("", [0, 1, 2])])
def test_pairs_are_found_by_state(state, positions, graded, project):
    assert keys(pairs_of(project, state=state)) == [graded[position].pk for position in positions]


def test_skipped_pairs_are_found_with_who_skipped_and_why(graded, project, newcomer):
    [assignment] = assignments.claim(project=project, step=Step.RATE, by=newcomer)
    ratings.skip(assignment=assignment, reason="cut_off", by=newcomer)
    [row] = rows_of(pairs_of(project, state="skipped"))
    assert row.item.pk == graded[2].pk
    assert [(skip.person, skip.reason) for skip in row.skips] == [(newcomer, "cut_off")]


@pytest.mark.parametrize("search", ["第2次出门", "等第2班车", "w-2"])
def test_pairs_are_found_by_a_part_of_either_text_or_by_their_id(search, project):
    items = factories.pairs(project, 3)
    Item.objects.filter(pk=items[1].pk).update(external_id="w-2")
    assert keys(pairs_of(project, search=search)) == [items[1].pk]


def test_a_pair_is_found_by_the_key_that_annotators_see_of_it(project):
    items = factories.pairs(project, 3)
    Item.objects.filter(pk=items[1].pk).update(external_id="w-2")
    assert keys(pairs_of(project, search=items[1].digest[:16])) == [items[1].pk]
    assert keys(pairs_of(project, search=items[1].digest[:15])) == []


@pytest.mark.parametrize("wildcard", ["%", "_", "w-", "'", "\\", '"', "%' OR 1=1 --"])
def test_what_is_searched_for_is_meant_literally(wildcard, project):
    items = factories.pairs(project, 3)
    Item.objects.filter(pk=items[0].pk).update(external_id="w-1")
    assert keys(pairs_of(project, search=wildcard)) == []


def test_pairs_are_found_by_source(project):
    items = factories.pairs(project, 3)
    Item.objects.filter(pk=items[2].pk).update(source="douban")
    Item.objects.filter(pk=items[1].pk).update(source="")
    assert sources_of(project) == ["douban", "tieba"]
    assert keys(pairs_of(project, source="douban")) == [items[2].pk]


def test_only_counting_pairs_are_listed(project):
    items = factories.pairs(project, 2)
    Item.objects.filter(pk=items[0].pk).update(purpose=Purpose.GOLD)
    assert keys(pairs_of(project)) == [items[1].pk]


def test_rows_cost_the_same_queries_whatever_stands_on_them(graded, project, django_assert_num_queries):
    for _ in range(2):
        with django_assert_num_queries(5):
            rows_of(pairs_of(project))
        factories.pairs(project, 30)


# ---- by what people gave --------------------------------------------------------------------------------------------


@pytest.fixture
def told(graded, project, annotator, partner):
    """The three pairs, and what finds each of them."""
    return {"an": annotator.pk, "bo": partner.pk}


@pytest.mark.parametrize(
    ("asked", "places"),
    [
        ({"rater": "an"}, [0, 1, 2]),
        ({"rater": "bo"}, [0, 1]),
        ({"grade": 1}, [1]),
        ({"grade": 2}, []),  # of a pair whose second grade is not in
        ({"rater": "an", "grade": 5}, []),
        ({"rater": "bo", "grade": 5}, [1]),
        ({"gap": 1}, [0, 1]),
        ({"gap": 2}, [1]),
        ({"gap": 4, "state": "kept"}, []),
    ],
)
def test_pairs_are_found_by_rater_grade_and_gap(asked, places, graded, told, project):
    wanted = {name: told.get(value, value) for name, value in asked.items()}
    assert keys(pairs_of(project, **wanted)) == [graded[place].pk for place in places]


def test_pairs_are_found_by_the_days_of_a_grade(graded, project, annotator):
    now = timezone.now()
    of_first = Rating.objects.filter(assignment__slot__item=graded[0])
    of_first.filter(assignment__person=annotator).update(created_at=now - timedelta(days=3))
    first, *others = [item.pk for item in graded]
    assert keys(pairs_of(project, until=now - timedelta(days=2))) == [first]
    assert keys(pairs_of(project, since=now - timedelta(days=2))) == [first, *others]  # its second grade
    assert keys(pairs_of(project, since=now - timedelta(days=2), rater=annotator.pk)) == others
    assert keys(pairs_of(project, since=now + timedelta(days=1))) == []


def test_a_grade_that_was_replaced_or_voided_finds_nothing(graded, project, annotator, researcher):
    given = Rating.objects.get(assignment__slot__item=graded[0], assignment__person=annotator)
    ratings.change(assignment=given.assignment, grade=4, by=annotator)
    assert keys(pairs_of(project, grade=3)) == []
    assert keys(pairs_of(project, grade=4)) == [graded[0].pk]
    assert keys(pairs_of(project, gap=1)) == [graded[1].pk]


def test_pairs_are_found_by_an_open_flag(graded, project, annotator, researcher):
    assignment = annotator.assignments.get(slot__item=graded[1])
    flags.raise_flag(assignment=assignment, comment="", by=annotator)
    assert keys(pairs_of(project, state="flagged")) == [graded[1].pk]
    assert [row.flags for row in rows_of(pairs_of(project).order_by("position"))] == [0, 1, 0]
    flags.resolve(flag=assignment.flags.get(), note="Seen.", by=researcher)
    assert keys(pairs_of(project, state="flagged")) == []


def test_each_column_sorts_both_ways_with_pairs_without_a_value_last(graded, project):
    """Kept with 3 and 4, removed with 1 and 5, waiting with a 2: that one shows no grade, so none sorts it."""
    Item.objects.filter(pk=graded[1].pk).update(source="douban")
    assert in_order(project, "order") == [0, 1, 2]
    assert in_order(project, "order", is_descending=True) == [2, 1, 0]
    assert in_order(project, "source") == [1, 0, 2]
    assert in_order(project, "state") == [2, 0, 1]
    assert in_order(project, "gap") == [0, 1, 2]
    assert in_order(project, "gap", is_descending=True) == [1, 0, 2]
    assert in_order(project, "final") == in_order(project, "final", is_descending=True) == [0, 1, 2]


def test_pairs_are_sorted_by_the_time_of_their_last_grade(graded, project):
    now = timezone.now()
    for days, item in zip((1, 3, 2), graded, strict=True):
        Rating.objects.filter(assignment__slot__item=item).update(created_at=now - timedelta(days=days))
    factories.pairs(project, 1)
    assert in_order(project, "graded") == [1, 2, 0, 3]
    assert in_order(project, "graded", is_descending=True) == [0, 2, 1, 3]


def test_by_final_grade_pairs_are_sorted_as_the_list_shows_it(project, annotator, partner, inspector, researcher):
    """The mean of a kept pair; what an adjudicator decided where the grades are apart; not a waiting pair's."""
    projects.change_settings(project=project, settings={"adjudicate": "on"}, by=researcher)
    factories.pairs(project, 4)
    factories.grade_next(project, annotator, 3, 1, 1, 5)
    factories.grade_next(project, partner, 4, 5, 5, 5)
    for grade in (4, 2):
        [assignment] = assignments.claim(project=project, step=Step.ADJUDICATE, by=inspector)
        reason = factories.REASONS[grade]
        adjudication.decide(assignment=assignment, decision=adjudication.Decision(grade, reason), by=inspector)
    shown = [row.final for row in rows_of(pairs_of(project).order_by("position"))]
    assert sorted(shown) == [2, 3.5, 4, 5]
    places = sorted(range(4), key=lambda place: shown[place])
    assert in_order(project, "final") == places
    assert in_order(project, "final", is_descending=True) == places[::-1]


def test_no_order_or_filter_tells_a_grade_of_a_pair_that_waits_for_its_second(project, annotator):
    factories.pairs(project, 2)
    factories.grade_next(project, annotator, 1, 5)
    assert [item.state for item in pairs_of(project)] == [ItemState.OPEN, ItemState.OPEN]
    for column in ("gap", "final"):
        assert in_order(project, column) == in_order(project, column, is_descending=True) == [0, 1]
    assert all(not pairs_of(project, grade=grade).exists() for grade in (1, 5))
    assert not pairs_of(project, gap=0).exists()
