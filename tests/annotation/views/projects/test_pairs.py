"""The page of pairs: searched, filtered, walked, and blind until a pair is complete."""

import re
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse

from annotation.actions.rating import ratings
from annotation.models import Item, Rating
from annotation.selectors.rating.pairs import PAGE
from annotation.selectors.rating.rating_rows import written
from tests import factories

QUERIES = 17


def page_of(project, by, **query: object):
    client = Client()
    client.force_login(by)
    return client.get(reverse("pairs", args=[project.slug]), query)


def text(project, by, **query: object) -> str:
    found = page_of(project, by, **query)
    assert found.status_code == 200
    return " ".join(found.content.decode().split())


def test_a_grade_shows_only_once_its_partner_is_in(project, annotator, partner, researcher):
    factories.pairs(project, 1)
    factories.grade_next(project, annotator, 5)
    assert "informative" not in text(project, researcher)
    factories.grade_next(project, partner, 4)
    page = text(project, researcher)
    assert "informative" in page
    assert "4.50" in page


def test_a_skip_shows_who_and_why(project, annotator, researcher):
    factories.pairs(project, 1)
    [assignment] = factories.take(project, annotator)
    ratings.skip(assignment=assignment, reason="cut_off", by=annotator)
    assert "skipped by An: Cut off" in text(project, researcher)


def test_pages_are_reached_by_number_and_say_what_they_show(project, researcher):
    items = factories.pairs(project, 2 * PAGE + 2)
    shown = [page_of(project, researcher, page=number).context["list"] for number in (1, 2, 3)]
    assert [[row.item for row in each.rows] for each in shown] == [
        items[:PAGE],
        items[PAGE : 2 * PAGE],
        items[2 * PAGE :],
    ]
    page = text(project, researcher, page=2)
    assert f"{PAGE + 1} to {2 * PAGE} of {len(items)}" in page
    assert 'href="?page=1"' in page and 'href="?page=3"' in page


@pytest.mark.parametrize(("number", "shown"), [("99", 3), ("0", 3), ("-1", 3), ("x", 1), ("1e9", 1), ("9" * 30, 3)])
def test_a_page_that_is_not_there_is_the_nearest_one(number, shown, project, researcher):
    factories.pairs(project, 2 * PAGE + 2)
    assert page_of(project, researcher, page=number).context["list"].page.number == shown


def test_another_page_or_order_keeps_what_was_searched_for(project, researcher):
    factories.pairs(project, PAGE + 1)
    page = text(project, researcher, search="出门", source="tieba", sort="-gap")
    found = "search=%E5%87%BA%E9%97%A8&amp;source=tieba"
    assert re.search(rf'href="\?sort=-gap&amp;{found}&amp;page=2"', page)
    assert re.search(rf'href="\?sort=final&amp;{found}|href="\?sort=-final&amp;{found}', page)
    assert '<input type="hidden" name="search" value="出门">' in page


def test_the_head_of_the_sorted_column_says_so_and_turns_it_round(project, researcher):
    factories.pairs(project, 1)
    page = text(project, researcher, sort="-gap")
    assert page.count("aria-sort") == 1
    assert 'aria-sort="descending" > <a href="?sort=gap#sort-gap"' in page
    assert 'aria-sort="ascending" > <a href="?sort=-order#sort-order"' in text(project, researcher)


def test_a_search_without_a_find_says_what_to_do(project, researcher):
    factories.pairs(project, 1)
    page = text(project, researcher, search="火星")
    assert "No pairs match." in page
    assert "Show all" in page


def test_without_pairs_the_page_says_what_will_stand_here(project, researcher):
    page = text(project, researcher)
    assert "Pairs will appear here" in page
    assert page.count("button-main") == 1
    assert "<table" not in page


@pytest.mark.parametrize(
    "query",
    [
        {"state": "nonsense"},
        {"source": "nowhere"},
        {"search": "\x00"},
        {"search": "x" * 5_000},
        {"rater": "an"},
        {"rater": str(2**80)},
        {"grade": "9"},
        {"gap": "-1"},
        {"since": "yesterday"},
        {"until": "0001-01-01"},
        {"since": "9999-12-31"},
    ],
)
def test_what_is_not_understood_is_said_beside_its_field_and_left_out(query, project, researcher):
    factories.pairs(project, 2)
    answer = page_of(project, researcher, **query)
    assert len(answer.context["list"].rows) == 2
    [name] = query
    page = answer.content.decode()
    assert f'id="id_{name}_error"' in page
    assert re.search(rf'id="id_{name}"[^>]*aria-invalid="true"|aria-invalid="true"[^>]*id="id_{name}"', page)


@pytest.mark.parametrize("sort", ["nonsense", "--gap", "position", "-", "gap,final", "project__secret"])
def test_only_columns_of_the_list_sort_it(sort, project, researcher):
    items = factories.pairs(project, 2)
    answer = page_of(project, researcher, sort=sort)
    assert [row.item for row in answer.context["list"].rows] == items
    assert "cannot be sorted by" in answer.content.decode()


def test_a_last_day_before_the_first_is_said_and_left_out(project, researcher):
    factories.pairs(project, 2)
    answer = page_of(project, researcher, since="2026-11-20", until="2026-11-19")
    assert "The last day is before the first one." in answer.content.decode()


def test_days_are_those_of_the_person_who_looks(project, annotator, researcher):
    """19:30 UTC on the 20th is the 21st in Shanghai."""
    factories.pairs(project, 1)
    factories.grade_next(project, annotator, 3)
    Rating.objects.update(created_at=datetime(2026, 11, 20, 19, 30, tzinfo=UTC))
    client = Client()
    client.force_login(researcher)
    client.cookies["timezone"] = "Asia/Shanghai"
    address = reverse("pairs", args=[project.slug])
    found = [
        len(client.get(address, {"since": day, "until": day}).context["list"].rows)
        for day in ("2026-11-20", "2026-11-21")
    ]
    assert found == [0, 1]


def test_filters_that_are_folded_away_are_open_while_in_use(project, researcher):
    factories.pairs(project, 1)
    assert 'more-filters">' in text(project, researcher, search="x", state="open")
    assert 'more-filters" open>' in text(project, researcher, gap="2")


def test_a_long_text_is_folded_and_shown_as_text(project, researcher):
    [item] = factories.pairs(project, 1)
    Item.objects.filter(pk=item.pk).update(content={"prompt": "<b>" + "很长" * 1_000, "response": "好"})
    page = text(project, researcher)
    assert "<details" in page
    assert "<b>很" not in page


def test_a_page_of_pairs_costs_the_same_queries_however_full(project, annotator, researcher, django_assert_num_queries):
    client = Client()
    client.force_login(researcher)
    factories.pairs(project, 1)
    factories.grade_next(project, annotator, 3)
    for _ in range(2):
        with django_assert_num_queries(QUERIES):
            client.get(reverse("pairs", args=[project.slug]))
        factories.pairs(project, 2 * PAGE)


@pytest.mark.parametrize("sort", ["-gap", "-final", "-graded", "state", "source"])
def test_no_order_or_filter_costs_another_query(
    sort, project, annotator, partner, researcher, django_assert_max_num_queries
):
    client = Client()
    client.force_login(researcher)
    factories.pairs(project, PAGE + 2)
    factories.grade_next(project, annotator, 3, 3)
    factories.grade_next(project, partner, 1, 3)
    filters = {"search": "第", "source": "tieba", "rater": annotator.pk, "gap": 2, "since": "2026-01-01", "grade": 3}
    for query in ({}, filters, {"page": 2}):
        with django_assert_max_num_queries(QUERIES + 2):  # for grades, and for decisions about pairs with a gap
            client.get(reverse("pairs", args=[project.slug]), {"sort": sort, **query})


@pytest.mark.parametrize(("format", "kind"), [("csv", "text/csv"), ("jsonl", "application/jsonl")])
def test_all_grades_can_be_taken_away(client, project, annotator, researcher, format, kind):
    client.force_login(researcher)
    factories.pairs(project, 3)
    factories.grade_next(project, annotator, 4, 3)
    address = reverse("export_ratings", args=[project.slug, format])
    assert address in client.get(reverse("pairs", args=[project.slug])).content.decode()
    answer = client.get(address)
    assert answer.headers["Content-Type"].startswith(kind)
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{project.slug}-ratings.{format}"'
    assert b"".join(answer.streaming_content) == b"".join(written(project, format=format))
    assert client.get(reverse("export_ratings", args=[project.slug, "xlsx"])).status_code == 404
