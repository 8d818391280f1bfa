"""A rewriting project as its researchers see it: board, items, releases, and what stands around them."""

import csv
import html
import re

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.actions import projects, releases, rewrites
from annotation.domain.workflow import SeatState
from annotation.models import Project, Seat
from annotation.selectors.overview import Why, needs, progress_of
from annotation.selectors.rewriting_board import rewriting_board_of
from tests import factories
from tests.annotation.views.writing_desk import author, dream, judge, signed_in
from tests.dialogues import ACCEPT, CANDIDATES, DISCARD, QUESTION, RETURN, items, judge_next, take_writing, write_next

__all__ = ["author", "dream", "judge"]


@pytest.fixture
def client(dream, researcher):
    return signed_in(researcher)


@pytest.fixture
def story(dream, author, judge):
    """Eight items: one accepted at once, one mended and accepted, one discarded, one sent back, one to judge, one
    skipped, one being written, one untouched."""
    items(dream, 8)
    for verdict in (ACCEPT, RETURN, DISCARD):
        write_next(dream, author)
        judge_next(dream, judge, verdict)
        if verdict is RETURN:
            write_next(dream, author)
            judge_next(dream, judge, ACCEPT)
    write_next(dream, author)
    judge_next(dream, judge, RETURN)
    other = factories.person("bo", project=dream)
    write_next(dream, other)
    rewrites.skip(rewrite=take_writing(dream, other), reason="no_clue", by=other)
    take_writing(dream, other)


def text_of(answer) -> str:
    page = answer.content.decode()
    said = re.sub(r"<[^>]*>", " ", page[page.index("<main") : page.index("</main>")])
    return " ".join(html.unescape(said).split())


# ---- board ----------------------------------------------------------------------------------------------------------


def test_the_funnel_accounts_for_every_item(dream, story):
    funnel = rewriting_board_of(dream).funnel
    assert (funnel.items, funnel.untouched, funnel.begun) == (8, 2, 1)
    assert (funnel.submitted, funnel.waiting, funnel.returned, funnel.discarded, funnel.accepted) == (5, 1, 1, 1, 2)
    assert funnel.untouched + funnel.begun + funnel.submitted == funnel.items
    assert funnel.waiting + funnel.returned + funnel.discarded + funnel.accepted == funnel.submitted


def test_the_board_says_why_items_went_back_and_out(dream, story):
    board = rewriting_board_of(dream)
    assert (board.sent_back.verdicts, board.sent_back.key, board.sent_back.unique) == (2, 0, 2)
    assert (board.discards.verdicts, board.discards.key, board.discards.unique) == (1, 1, 1)
    assert board.skips == [("no_clue", 1)]


def test_the_board_counts_what_each_person_did(dream, story):
    board = rewriting_board_of(dream)
    an, bo = board.authors
    assert (an.label, an.written, an.waiting, an.sent_back, an.accepted, an.discarded) == ("An", 4, 0, 2, 2, 1)
    assert (bo.label, bo.written, bo.waiting, bo.skipped) == ("Bo", 1, 1, 1)
    [ivo] = board.inspectors
    assert (ivo.judged, ivo.right, ivo.accepted, ivo.sent_back, ivo.discarded) == (5, 5, 2, 2, 1)


def test_items_that_do_not_count_move_no_figure(dream, story):
    before = rewriting_board_of(dream)
    dream.items.filter(state="kept").update(purpose="gold")
    after = rewriting_board_of(dream)
    assert after.funnel.accepted == 0
    assert after.authors[0].written == before.authors[0].written - 2
    assert (before.judged, after.judged) == (5, 2)


def test_the_board_page_says_it_in_words(client, story):
    page = text_of(client.get("/projects/dream/"))
    assert "2 of 8 items accepted." in page
    assert "another one fits 2 times" in page
    assert "Nothing to reason about 1" in page
    assert "blind answers right 100.0 %" in page


def test_the_board_as_a_file(client, story):
    answer = client.get("/projects/dream/board.csv")
    rows = list(csv.reader(answer.content.decode("utf-8-sig").splitlines()))
    assert rows[0] == ["part", "name", "figure", "value"]
    assert ["funnel", "accepted", "items", "2"] in rows
    assert ["inspector", "Ivo", "judged", "5"] in rows


def test_an_empty_project_says_what_to_do_first(client):
    page = text_of(client.get("/projects/dream/"))
    assert "Import items" in page
    assert "DREAM" in page


@pytest.mark.parametrize("count", [3, 30])
def test_the_board_costs_the_same_with_many_items(client, dream, author, judge, count, django_assert_max_num_queries):
    items(dream, count)
    for _item in range(count):
        write_next(dream, author)
        judge_next(dream, judge, ACCEPT)
    with django_assert_max_num_queries(30):
        client.get("/projects/dream/")


# ---- items ----------------------------------------------------------------------------------------------------------


def test_the_items_stand_with_what_was_written_and_judged(client, story):
    page = text_of(client.get("/projects/dream/items/"))
    assert page.count(QUESTION) == 8
    assert all(text in page for text in CANDIDATES[1:])
    assert "Ivo sends back · blind answer right" in page
    assert "skipped by Bo: Nothing to reason about" in page
    assert "Round 1 · C: This fits as well." in page


@pytest.mark.parametrize(
    ("query", "found"),
    [("state=kept", 2), ("state=written", 1), ("state=skipped", 1), ("search=library+room", 8), ("search=4-3", 1),
     ("search=nothing", 0), ("state=nonsense", 8), ("after=6", 2)],
)  # fmt: skip
def test_items_are_found_by_state_question_and_id(query, found, client, story):
    assert len(client.get(f"/projects/dream/items/?{query}").context["page"].rows) == found


def test_the_list_of_items_costs_the_same_with_many(client, dream, author, django_assert_max_num_queries):
    items(dream, 40)
    for _item in range(30):
        write_next(dream, author)
    with django_assert_max_num_queries(16):
        client.get("/projects/dream/items/")


# ---- releases -------------------------------------------------------------------------------------------------------


def test_a_release_shows_its_statistics_beside_what_mutual_published(client, dream, story, researcher):
    page = text_of(client.get("/projects/dream/releases/"))
    assert "All items 8" in page and "Goes in 2" in page and "from 2 conversations" in page
    releases.freeze(project=dream, seed=0, report=factories.no_progress, by=researcher)
    page = text_of(client.get("/projects/dream/releases/1/"))
    assert "Release 1 2 instances" in page
    assert re.search(r"contexts with four candidates (\d ){3}2 8,860", page)
    assert "blind answers right 100.0 % of 5 answers" in page
    assert "1 discarded, 5 not finished" in page
    assert client.get("/projects/dream/releases/1/mutual.zip").getvalue().startswith(b"PK")


def test_without_an_accepted_item_the_page_says_where_they_stand(client, dream):
    assert "Bring items in first." in text_of(client.get("/projects/dream/releases/"))
    items(dream, 1)
    assert "no item is accepted" in text_of(client.get("/projects/dream/releases/"))


# ---- around the pages -----------------------------------------------------------------------------------------------


def test_the_rail_of_a_rewriting_project_leads_to_pages_that_make_sense_there(client, dream):
    page = client.get("/projects/dream/").content.decode()
    rail = page[page.index('class="rail"') : page.index("</nav>", page.index('class="rail"'))]
    assert re.findall(r'href="/projects/dream/([^"]*)"', rail) == [
        "",
        "import/",
        "items/",
        "releases/",
        "people/",
        "settings/",
    ]


@pytest.mark.parametrize("page", ["agreement/", "agreement.csv", "guideline/", "pairs/"])
def test_pages_about_grades_are_not_there(page, client):
    assert client.get(f"/projects/dream/{page}").status_code == 404


def test_a_rating_project_has_no_items_page(project, researcher):
    assert signed_in(researcher).get(reverse("items", args=["weibo"])).status_code == 404


def test_texts_are_counted_before_they_are_voided(client, story, author):
    assert "Void work" in text_of(client.get("/projects/dream/people/"))
    address = reverse("void_work", args=["dream", author.pk])
    count = Seat.objects.filter(person=author, state=SeatState.SUBMITTED).count()
    asked = {"since": timezone.localdate().isoformat()}
    assert f"{count} texts or verdicts would be voided." in text_of(client.get(address, asked))
    answer = client.post(address, asked | {"why": "copied"}, follow=True)
    assert f"{count} texts or verdicts were voided." in text_of(answer)
    assert Seat.objects.filter(person=author, state=SeatState.VOIDED).count() == count


def test_what_a_rewriting_project_needs_next_follows_its_work(dream, author, judge, researcher, client):
    mine = Project.objects.filter(pk=dream.pk)

    def whys():
        return [need.why for need in needs(mine, progress_of(mine))]

    assert whys() == [Why.NO_PAIRS]
    assert "“ Listening items ” has no items yet" in text_of(client.get("/"))
    items(dream, 1)
    assert whys() == []
    write_next(dream, author)
    assert whys() == [], "it still waits for an inspector"
    judge_next(dream, judge, RETURN)
    assert whys() == []
    projects.remove_member(project=dream, person=author, by=researcher)
    assert whys() == [Why.NO_RATERS]
    projects.add_member(project=dream, person=author, by=researcher)
    write_next(dream, author)
    judge_next(dream, judge, ACCEPT)
    assert whys() == [Why.ALL_RATED]
    assert "The only item of “ Listening items ” is judged" in text_of(client.get("/"))
