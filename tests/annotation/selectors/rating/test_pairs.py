"""Pairs a page at a time."""

import pytest

from annotation.actions.queue import assignments
from annotation.actions.rating import ratings
from annotation.models import Item, Purpose, Step
from annotation.selectors.rating.pairs import PAGE, grades_of, page_of, pairs_of, sources_of
from tests import factories


def keys(page) -> list[int]:
    return [row.item.pk for row in page.rows]


@pytest.fixture
def graded(project, annotator, partner):
    """Three pairs: kept with the grades 3 and 4, removed with 1 and 5, and one with a single grade."""
    items = factories.pairs(project, 3)
    factories.grade_next(project, annotator, 3, 1, 2)
    factories.grade_next(project, partner, 4, 5)
    return items


def test_walking_forward_and_back_meets_every_pair_once(project):
    items = factories.pairs(project, 2 * PAGE + 1)
    pairs = pairs_of(project)
    first = page_of(pairs)
    second = page_of(pairs, after=first.after)
    third = page_of(pairs, after=second.after)
    assert keys(first) + keys(second) + keys(third) == [item.pk for item in items]
    assert (first.before, third.after) == (None, None)
    assert keys(page_of(pairs, before=third.before)) == keys(second)
    assert keys(page_of(pairs, before=second.before)) == keys(first)


def test_the_first_page_has_nothing_before_it_from_either_side(project):
    factories.pairs(project, PAGE + 1)
    last = page_of(pairs_of(project), after=page_of(pairs_of(project)).after)
    back = page_of(pairs_of(project), before=last.before)
    assert back.before is None
    assert back.after is not None


def test_grades_are_shown_once_all_are_in(graded, project):
    kept, removed, waiting = page_of(pairs_of(project)).rows
    assert [(rating.assignment.person.username, rating.grade) for rating in kept.ratings] == [("an", 3), ("bo", 4)]
    assert (kept.final, removed.final, waiting.final) == (3.5, None, None)
    assert waiting.ratings == []
    assert grades_of(graded_again(graded)) == {graded[0].pk: [3, 4], graded[1].pk: [1, 5]}


def graded_again(items):
    return Item.objects.filter(pk__in=[item.pk for item in items])


@pytest.mark.parametrize(("state", "positions"), [("kept", [0]), ("removed", [1]), ("open", [2]), ("", [0, 1, 2])])
def test_pairs_are_found_by_state(state, positions, graded, project):
    assert keys(page_of(pairs_of(project, state=state))) == [graded[position].pk for position in positions]


def test_skipped_pairs_are_found_with_who_skipped_and_why(graded, project, newcomer):
    [assignment] = assignments.claim(project=project, step=Step.RATE, by=newcomer)
    ratings.skip(assignment=assignment, reason="cut_off", by=newcomer)
    [row] = page_of(pairs_of(project, state="skipped")).rows
    assert row.item.pk == graded[2].pk
    assert [(skip.person, skip.reason) for skip in row.skips] == [(newcomer, "cut_off")]


@pytest.mark.parametrize("search", ["第2次出门", "等第2班车", "w-2"])
def test_pairs_are_found_by_a_part_of_either_text_or_by_their_id(search, project):
    items = factories.pairs(project, 3)
    Item.objects.filter(pk=items[1].pk).update(external_id="w-2")
    assert keys(page_of(pairs_of(project, search=search))) == [items[1].pk]


@pytest.mark.parametrize("wildcard", ["%", "_", "w-"])
def test_what_is_searched_for_is_meant_literally(wildcard, project):
    items = factories.pairs(project, 3)
    Item.objects.filter(pk=items[0].pk).update(external_id="w-1")
    assert keys(page_of(pairs_of(project, search=wildcard))) == []


def test_pairs_are_found_by_source(project):
    items = factories.pairs(project, 3)
    Item.objects.filter(pk=items[2].pk).update(source="douban")
    Item.objects.filter(pk=items[1].pk).update(source="")
    assert sources_of(project) == ["douban", "tieba"]
    assert keys(page_of(pairs_of(project, source="douban"))) == [items[2].pk]


def test_only_counting_pairs_are_listed(project):
    items = factories.pairs(project, 2)
    Item.objects.filter(pk=items[0].pk).update(purpose=Purpose.GOLD)
    assert keys(page_of(pairs_of(project))) == [items[1].pk]


def test_a_page_costs_four_queries_whatever_stands_on_it(graded, project, django_assert_num_queries):
    for _ in range(2):
        with django_assert_num_queries(4):
            page_of(pairs_of(project))
        factories.pairs(project, 30)
