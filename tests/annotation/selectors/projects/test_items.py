"""Items of a rewriting project: found and sorted by what people did on them."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.domain.rewriting.rewriting import InspectionVerdict
from annotation.models import Assignment, Step
from annotation.selectors.projects.items import histories_of, items_of, sorted_items
from core.domain.sorting import Sorting
from tests import factories, rewriting


@pytest.fixture
def dream(researcher):
    return rewriting.rewriting_project(researcher, "dream")


@pytest.fixture
def cast(dream):
    return {
        "zoe": factories.person("zoe", project=dream),
        "abe": factories.person("abe", project=dream),
        "ivo": factories.person("ivo", "inspector", project=dream),
    }


@pytest.fixture
def written(dream, cast):
    """Four items: accepted, sent back, waiting for an inspector, not written. Abe wrote the second, the first text."""
    items = rewriting.items(dream, 4)
    for name, verdict in (("zoe", InspectionVerdict.ACCEPT), ("abe", InspectionVerdict.RETURN), ("zoe", None)):
        rewriting.write(dream, cast[name])
        if verdict:
            rewriting.inspect(dream, cast["ivo"], verdict)
    now = timezone.now()
    texts = Assignment.objects.filter(slot__queue__step=Step.WRITE)
    for days, item in zip((1, 4, 2), items, strict=False):
        texts.filter(slot__item=item, state="submitted").update(ended_at=now - timedelta(days=days))
    return items


def in_order(project, column: str, *, is_descending: bool = False) -> list[int]:
    places = list(project.items.order_by("position").values_list("pk", flat=True))
    return [places.index(item.pk) for item in sorted_items(items_of(project), Sorting(column, is_descending))]


@pytest.mark.parametrize(
    ("asked", "places"),
    [
        ({"author": "zoe"}, [0, 2]),
        ({"author": "abe"}, [1]),
        ({"author": "ivo"}, []),
        ({"inspector": "ivo"}, [0, 1]),
        ({"inspector": "zoe"}, []),
        ({"author": "zoe", "state": "kept"}, [0]),
        ({"since": 3}, [0, 2]),
        ({"until": 3}, [1]),
        ({"author": "zoe", "until": 3}, []),
        ({"search": "%"}, []),
    ],
)
def test_items_are_found_by_author_inspector_and_day(asked, places, written, dream, cast):
    days = {name: timezone.now() - timedelta(days=value) for name, value in asked.items() if isinstance(value, int)}
    people = {name: cast[value].pk for name, value in asked.items() if value in cast}
    wanted = {**asked, **days, **people}
    found = items_of(dream, **wanted).order_by("position")
    assert [item.pk for item in found] == [written[place].pk for place in places]


def test_each_column_sorts_both_ways_with_items_without_a_value_last(written, dream):
    assert in_order(dream, "order", is_descending=True) == [3, 2, 1, 0]
    assert in_order(dream, "state") == [3, 2, 1, 0]
    assert in_order(dream, "author") == [1, 0, 2, 3]
    assert in_order(dream, "author", is_descending=True) == [0, 2, 1, 3]
    assert in_order(dream, "written") == [1, 2, 0, 3]
    assert in_order(dream, "written", is_descending=True) == [0, 2, 1, 3]
    assert in_order(dream, "judged") == [0, 1, 2, 3]
    assert in_order(dream, "judged", is_descending=True) == [1, 0, 2, 3]


def test_histories_cost_the_same_queries_with_many(written, dream, cast, django_assert_num_queries):
    items = list(items_of(dream))
    with django_assert_num_queries(5):
        assert len(histories_of(items[:1])) == 1
    with django_assert_num_queries(5):
        assert len(histories_of(items)) == 4
