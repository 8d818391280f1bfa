"""The page of pairs: searched, filtered, walked, and blind until a pair is complete."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.actions.rating import ratings
from annotation.models import Item
from annotation.selectors.rating.pairs import PAGE
from annotation.selectors.rating.rating_rows import written
from tests import factories

QUERIES = 13


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


def test_every_pair_is_reached_by_following_next_and_previous(project, researcher):
    factories.pairs(project, PAGE + 2)
    first = page_of(project, researcher).context["page"]
    second = page_of(project, researcher, after=first.after).context["page"]
    assert (len(first.rows), len(second.rows)) == (PAGE, 2)
    back = page_of(project, researcher, before=second.before).context["page"]
    assert [row.item for row in back.rows] == [row.item for row in first.rows]


def test_the_next_page_keeps_what_was_searched_for(project, researcher):
    factories.pairs(project, PAGE + 1)
    page = text(project, researcher, search="出门", source="tieba")
    assert f"search={'%E5%87%BA%E9%97%A8'}&amp;source=tieba&amp;after=" in page


def test_a_search_without_a_find_says_what_to_do(project, researcher):
    factories.pairs(project, 1)
    page = text(project, researcher, search="火星")
    assert "No pair fits." in page
    assert "Show all" in page


def test_without_pairs_the_page_says_what_will_stand_here(project, researcher):
    page = text(project, researcher)
    assert "Here will stand the pairs" in page
    assert page.count("button-main") == 1


@pytest.mark.parametrize(
    "query",
    [
        {"after": "x"},
        {"after": "-5"},
        {"before": str(2**80)},
        {"state": "nonsense"},
        {"source": "nowhere"},
        {"search": "\x00"},
        {"search": "x" * 5_000},
    ],
)
def test_what_is_not_understood_is_left_out(query, project, researcher):
    factories.pairs(project, 2)
    assert len(page_of(project, researcher, **query).context["page"].rows) == 2


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
