"""The first page of authors and inspectors: what waits, returned items first, and how one's own work was received."""

import re
from html import unescape

import pytest
from django.test import Client

from annotation.actions.projects import projects
from annotation.actions.rewriting import rewrites
from annotation.models import Assignment
from core.models import Role, User
from tests import factories
from tests.annotation.views.rewriting.rewriting_page import author, dream, judge, signed_in
from tests.dialogues import ACCEPT, CANDIDATES, DISCARD, RETURN, items, judge_next, take_writing, write_next
from tests.pages import on_one_line

__all__ = ["author", "dream", "judge"]


def text_of(person) -> str:
    page = signed_in(person).get("/").content.decode()
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page[page.index("<main") : page.index("</main>")])).split())


def test_an_author_is_told_how_many_items_wait_and_has_one_filled_button(dream, author):
    items(dream, 50)
    page = text_of(author)
    assert "An , 30 items are waiting for you" in page
    assert "Rewriting · today 0 of your 30" in page
    assert "Start the next item" in page
    assert signed_in(author).get("/").content.decode().count("button-main") == 1


def test_the_home_page_looks_for_what_was_not_sent_where_the_pages_keep_it(dream, author, judge):
    items(dream, 2)
    write_next(dream, author)
    for person, path in ((author, "write"), (judge, "inspect")):
        page = signed_in(person).get(f"/projects/dream/{path}/").content.decode()
        home = signed_in(person).get("/").content.decode()
        outbox = re.search(r'"outbox": "([^"]+)"', page)[1]
        assert f'data-unsent="{outbox}"' in home
        assert "core/unsent.js" in home


def test_a_kept_draft_is_named(dream, author):
    items(dream, 2)
    rewrites.save(rewrite=take_writing(dream, author), cut=4, candidates=CANDIDATES, revision=0, by=author)
    page = text_of(author)
    assert "a draft is kept" in page
    assert "Continue writing" in page
    assert "2 items are left" in page


def test_what_came_back_stands_first_with_what_was_said(dream, author, judge):
    items(dream, 3)
    write_next(dream, author)
    judge_next(dream, judge, RETURN)
    page = text_of(author)
    assert "An , one item was sent back to you And 2 items to write." in page
    assert "The inspector says of candidate C: “ This fits as well. ” Round 1 of 3." in page
    assert page.index("Revise the text") < page.index("Start the next item")
    assignment = Assignment.objects.get(slot__round=2)
    html = on_one_line(signed_in(author).get("/").content)
    assert f'class="button button-main" href="/projects/dream/write/?assignment={assignment.pk}"' in html
    assert html.count("button-main") == 1


def test_pairs_and_items_stand_beside_each_other(dream, author, project):
    items(dream, 3)
    factories.pairs(project, 5)
    project.memberships.create(person=author, role="annotator")
    page = text_of(author)
    assert "An , 5 pairs are waiting for you And 3 items to write." in page


def test_an_author_sees_what_became_of_their_own_items_alone(dream, author, judge):
    items(dream, 4)
    other = factories.person("bo", project=dream)
    for verdict in (ACCEPT, RETURN, DISCARD):
        write_next(dream, author)
        judge_next(dream, judge, verdict)
        if verdict is RETURN:
            write_next(dream, author)  # revised: it waits for its second verdict
            judge_next(dream, judge, ACCEPT)
    write_next(dream, other)
    assert "written 3 accepted 2 sent back 1 discarded 1" in text_of(author)


def test_with_nothing_to_write_no_author_is_told_that_it_is_written(dream, author):
    assert "Rewriting · no item is waiting for you now." in text_of(author)
    items(dream, 1)
    write_next(dream, author)
    assert "Rewriting · no item is waiting for you now." in text_of(author)


def test_what_is_due_comes_first_whatever_step_it_is_of_and_has_the_filled_button(dream, author, project, researcher):
    """Rating usually precedes writing."""
    projects.add_member(project=project, person=author, role=Role.ANNOTATOR, by=researcher)
    items(dream, 2)
    assert in_order_of(author) == ["dream", "weibo"]
    factories.pairs(project, 2)
    assert in_order_of(author) == ["weibo", "dream"]
    write_next(dream, author)
    assert in_order_of(author) == ["dream", "weibo"], "what is begun today precedes what is not"
    factories.grade_next(project, author, 4)
    assert in_order_of(author) == ["weibo", "dream"]


def in_order_of(person: User) -> list[str]:
    """Return the projects of the rows on the home page, by slug; only the first has the filled button."""
    rows = signed_in(person).get("/").context["rows"]
    assert [row.is_first for row in rows] == [True] + [False] * (len(rows) - 1)
    return [row.work.project.slug for row in rows]


def test_an_inspector_is_told_what_waits(dream, author, judge):
    items(dream, 3)
    write_next(dream, author)
    judge_next(dream, judge, RETURN)
    write_next(dream, author)
    write_next(dream, author)
    page = text_of(judge)
    assert "2 items to judge" in page
    assert "2 are waiting · 1 corrected" in page
    assert "judged 1 blind answers right 100.0 % accepted 0.0 % sent back 100.0 % discarded 0.0 %" in page
    assert 'href="/projects/dream/inspect/"' in signed_in(judge).get("/").content.decode()


def test_what_an_inspector_wrote_is_not_among_what_waits(dream, author, judge):
    items(dream, 1)
    write_next(dream, author)
    factories.change_role(author, dream, "inspector")
    assert "Nothing is waiting for you" in text_of(author)
    assert "One item to judge" in text_of(judge)


def test_an_inspector_without_a_project_is_told_so(db):
    page = text_of(factories.person("somebody", "inspector"))
    assert "You do not belong to any project yet." in page


@pytest.mark.parametrize("count", [3, 60])
def test_an_authors_home_costs_the_same_with_many_items(dream, author, count, django_assert_num_queries):
    items(dream, count)
    write_next(dream, author)
    client = Client()
    client.force_login(author)
    with django_assert_num_queries(23):  # one of them for what is held in archived projects
        client.get("/")
