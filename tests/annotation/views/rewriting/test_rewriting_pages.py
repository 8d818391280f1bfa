"""A rewriting project for its researchers: board, items, releases, and links on other pages."""

import csv
import html
import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.actions.inspection import inspections
from annotation.actions.projects import projects
from annotation.actions.releases import releases
from annotation.actions.rewriting import rewrites
from annotation.domain.releases.plus import SAFE_REPLIES
from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment, Inspection, Project
from annotation.selectors.projects.overview import ProjectNeed, needs, progress_of
from annotation.selectors.rewriting.rewriting_board import rewriting_board_of
from core.models import Role
from tests import factories
from tests.annotation.views.rewriting.rewriting_page import author, dream, judge, signed_in
from tests.dialogues import (
    ACCEPT,
    CANDIDATES,
    DISCARD,
    QUESTION,
    RETURN,
    items,
    judge_next,
    rewriting_project,
    take_writing,
    write_next,
)

__all__ = ["author", "dream", "judge"]


@pytest.fixture
def client(dream, researcher):
    return signed_in(researcher)


@pytest.fixture
def story(dream, author, judge):
    """Eight items: one accepted at once, one revised and accepted, one discarded, one returned for revision, one to
    judge, one skipped, one being written, one untouched."""
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
    assert (board.returned_before.verdicts, board.returned_before.key, board.returned_before.unique) == (2, 0, 2)
    assert (board.discards.verdicts, board.discards.key, board.discards.unique) == (1, 1, 1)
    assert board.skips == [("no_clue", 1)]


def test_the_board_counts_what_each_person_did(dream, story):
    board = rewriting_board_of(dream)
    an, bo = board.authors
    assert (an.label, an.written, an.waiting, an.returned_before, an.accepted, an.discarded) == ("An", 4, 0, 2, 2, 1)
    assert (bo.label, bo.written, bo.waiting, bo.skipped) == ("Bo", 1, 1, 1)
    [ivo] = board.inspectors
    assert (ivo.judged, ivo.right, ivo.accepted, ivo.returned_before, ivo.discarded) == (5, 5, 2, 2, 1)


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


def test_the_board_says_how_long_the_rest_takes_at_this_weeks_pace(client, dream, author):
    items(dream, 6)
    for _item in range(3):
        write_next(dream, author)
    assert rewriting_board_of(dream).days_left is None, "today is not over"
    for days, assignment in zip((1, 1, 2), Assignment.objects.all(), strict=True):
        Assignment.objects.filter(pk=assignment.pk).update(ended_at=timezone.now() - timedelta(days=days))
    assert rewriting_board_of(dream).days_left == 2  # three items in two days, three are left
    assert "the rest is written in 2 working days." in client.get(reverse("board", args=["dream"])).content.decode()


def test_the_board_as_a_file(client, story):
    answer = client.get("/projects/dream/board.csv")
    rows = list(csv.reader(answer.content.decode("utf-8-sig").splitlines()))
    assert rows[0] == ["part", "name", "figure", "value"]
    assert ["funnel", "accepted", "items", "2"] in rows
    assert ["inspector", "Ivo", "judged", "5"] in rows


def test_an_empty_project_says_what_to_do_first(client):
    page = text_of(client.get("/projects/dream/"))
    assert "Import items" in page
    assert "the published DREAM file; or csv, tsv, xlsx, jsonl, JSON" in page


@pytest.mark.parametrize("count", [3, 30])
def test_the_board_costs_the_same_with_many_items(client, dream, author, judge, count, django_assert_max_num_queries):
    items(dream, count)
    for _item in range(count):
        write_next(dream, author)
        judge_next(dream, judge, ACCEPT)
    with django_assert_max_num_queries(34):
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
    [
        ("state=kept", 2),
        ("state=written", 1),
        ("state=skipped", 1),
        ("search=library+room", 8),
        ("search=4-3", 1),
        ("search=nothing", 0),
        ("state=nonsense", 8),
        ("state=flagged", 0),
        ("author=nobody", 8),
        ("page=2", 8),
    ],
)
def test_items_are_found_by_state_question_and_id(query, found, client, story):
    assert len(client.get(f"/projects/dream/items/?{query}").context["list"].rows) == found


def test_the_list_of_items_costs_the_same_with_many(client, dream, author, django_assert_max_num_queries):
    items(dream, 40)
    for _item in range(30):
        write_next(dream, author)
    for query in ("", "?sort=-written", "?sort=author", f"?author={author.pk}&inspector={author.pk}&since=2026-01-01"):
        with django_assert_max_num_queries(19):
            client.get(f"/projects/dream/items/{query}")


# ---- releases -------------------------------------------------------------------------------------------------------


def test_a_release_shows_its_statistics_beside_what_mutual_published(client, dream, story, researcher):
    page = text_of(client.get("/projects/dream/releases/"))
    assert "All items 8" in page and "Included 2" in page and "from 2 conversations" in page
    releases.freeze(project=dream, seed=0, report=factories.no_progress, by=researcher)
    page = text_of(client.get("/projects/dream/releases/1/"))
    assert "Release 1 2 instances" in page
    assert re.search(r"contexts with four candidates (\d ){3}2 8,860", page)
    assert "blind answers right 100.0 % of 5 answers" in page
    assert "1 discarded, 5 not finished" in page
    assert client.get("/projects/dream/releases/1/mutual.zip").getvalue().startswith(b"PK")


def test_without_an_accepted_item_the_page_says_where_they_stand(client, dream):
    assert "Import items first." in text_of(client.get("/projects/dream/releases/"))
    items(dream, 1)
    assert "no item is accepted" in text_of(client.get("/projects/dream/releases/"))


# ---- inspection by sample -------------------------------------------------------------------------------------------


@pytest.fixture
def sampled(dream, author, judge, researcher):
    """Six items of one author: the first two inspected, one of them discarded; four accepted without inspection."""
    wanted = {"inspected_percent": 1, "first_in_full": 2}
    projects.change_settings(project=dream, settings=wanted, by=researcher)
    items(dream, 6)
    for verdict in (ACCEPT, DISCARD):
        write_next(dream, author)
        judge_next(dream, judge, verdict)
    for _item in range(4):
        write_next(dream, author)


def test_what_was_accepted_without_inspection_stands_on_the_board_and_among_the_items(client, sampled):
    assert "Accepted without inspection: 4" in text_of(client.get("/projects/dream/"))
    rows = list(csv.reader(client.get("/projects/dream/board.csv").content.decode("utf-8-sig").splitlines()))
    assert ["funnel", "not_inspected", "items", "4"] in rows
    listed = text_of(client.get("/projects/dream/items/"))
    assert listed.count("accepted without inspection") == 4 + 1  # and one to filter by
    assert len(client.get("/projects/dream/items/?state=not_inspected").context["list"].rows) == 4


def test_a_release_counts_both_and_says_how_many_were_discarded(client, sampled, dream, researcher):
    assert "Accepted without inspection: 4" in text_of(client.get("/projects/dream/releases/"))
    releases.freeze(project=dream, seed=0, report=factories.no_progress, by=researcher)
    page = text_of(client.get("/projects/dream/releases/1/"))
    assert "instances accepted without inspection 4 of 5 instances" in page
    assert "instances inspected 2 of these discarded 50.0 % .095–.905" in page  # Wilson, 1 of 2
    assert "blind answers right 100.0 % of 2 answers" in page


def test_with_everything_inspected_nothing_is_said_of_samples(client, story, dream, researcher):
    releases.freeze(project=dream, seed=0, report=factories.no_progress, by=researcher)
    for address in ("", "items/?state=kept", "releases/", "releases/1/"):
        page = text_of(client.get(f"/projects/dream/{address}"))
        assert "ccepted without inspection" not in page.replace("accepted accepted without inspection discarded", "")


# ---- around the pages -----------------------------------------------------------------------------------------------


def test_the_rail_of_a_rewriting_project_leads_to_pages_that_make_sense_there(client, dream):
    page = client.get("/projects/dream/").content.decode()
    rail = page[page.index('class="rail"') : page.index("</nav>", page.index('class="rail"'))]
    assert re.findall(r'href="/projects/dream/([^"]*)"', rail) == [
        "",
        "import/",
        "items/",
        "flags/",
        "releases/",
        "people/",
        "guideline/",
        "settings/",
    ]


@pytest.mark.parametrize("page", ["agreement/", "agreement.csv", "gold/", "pairs/"])
def test_pages_about_grades_are_not_there(page, client):
    assert client.get(f"/projects/dream/{page}").status_code == 404


def test_a_rating_project_has_no_items_page(project, researcher):
    assert signed_in(researcher).get(reverse("items", args=["weibo"])).status_code == 404


def test_texts_are_counted_before_they_are_voided(client, story, author):
    assert "Void work" in text_of(client.get("/projects/dream/people/"))
    address = reverse("void_work", args=["dream", author.pk])
    count = Assignment.objects.filter(person=author, state=AssignmentState.SUBMITTED).count()
    asked = {"since": timezone.localdate().isoformat()}
    assert f"{count} transcripts, texts, verdicts or types would be voided." in text_of(client.get(address, asked))
    answer = client.post(address, asked | {"why": "copied"}, follow=True)
    assert f"{count} transcripts, texts, verdicts or types were voided." in text_of(answer)
    assert Assignment.objects.filter(person=author, state=AssignmentState.VOIDED).count() == count


def test_what_a_rewriting_project_needs_next_follows_its_work(dream, author, judge, researcher, client):
    mine = Project.objects.filter(pk=dream.pk)

    def whys():
        return [need.why for need in needs(mine, progress_of(mine))]

    assert whys() == [ProjectNeed.NO_PAIRS]
    assert "“ Listening items ” has no items yet" in text_of(client.get("/"))
    items(dream, 1)
    assert whys() == []
    write_next(dream, author)
    assert whys() == [], "it still waits for an inspector"
    judge_next(dream, judge, RETURN)
    assert whys() == []
    projects.remove_member(project=dream, person=author, by=researcher)
    assert whys() == [ProjectNeed.NO_ANNOTATORS]
    projects.add_member(project=dream, person=author, role=Role.ANNOTATOR, by=researcher)
    write_next(dream, author)
    judge_next(dream, judge, ACCEPT)
    assert whys() == [ProjectNeed.ALL_RATED]
    assert "The only item of “ Listening items ” is judged" in text_of(client.get("/"))


# ---- MuTual-plus ----------------------------------------------------------------------------------------------------


@pytest.fixture
def sent(monkeypatch):
    """Return the jobs that were sent to the broker."""
    sent = []
    monkeypatch.setattr("annotation.views.releases.releases.dispatch", sent.append)
    return sent


def freeze(client, **typed):
    return client.post(reverse("freeze", args=["dream"]), {"number": 1, "seed": 0, "sure": "on", **typed})


def test_a_release_is_frozen_with_its_variant_from_the_page(client, story, sent):
    page = client.get(reverse("releases", args=["dream"])).content.decode()
    assert SAFE_REPLIES[0] in html.unescape(page)
    own = [f"{reply} Please." for reply in SAFE_REPLIES]
    assert freeze(client, plus="on", safe_replies="\r\n".join(own)).status_code == 302
    [job] = sent
    releases.run_freeze(job, factories.no_progress)
    shown = text_of(client.get(reverse("release", args=["dream", 1])))
    assert "MuTual-plus" in shown
    assert own[0] in shown
    address = reverse("export_release", args=["dream", 1, "jsonl"])
    archive = client.get(address, {"variant": "plus"})
    assert 'filename="dream-1-plus-jsonl.zip"' in archive.headers["Content-Disposition"]
    assert archive.getvalue().startswith(b"PK")
    assert client.get(address, {"variant": "minus"}).status_code == 404
    scripted = client.get("/api/v1/projects/dream/releases/1/files/jsonl/", {"variant": "plus"})
    assert 'filename="dream-1-plus-jsonl.zip"' in scripted.headers["Content-Disposition"]
    assert scripted.getvalue().startswith(b"PK")


def test_without_the_box_there_is_no_variant(client, story, sent):
    freeze(client, safe_replies="whatever")
    assert sent[0].arguments == {"seed": 0, "safe_replies": []}


def test_too_short_a_list_is_said_beside_it_and_what_was_typed_stays(client, story, sent):
    answer = freeze(client, plus="on", safe_replies="Pardon?")
    assert answer.status_code == 422
    assert "Between 5 and 100 safe replies are needed, one per line; there are 1." in text_of(answer)
    assert "Pardon?" in text_of(answer)
    assert sent == []


# ---- reopening ------------------------------------------------------------------------------------------------------


@pytest.fixture
def accepted(dream, author, judge):
    """An accepted item, and one that waits for its inspector."""
    first, _second = items(dream, 2)
    write_next(dream, author)
    judge_next(dream, judge, ACCEPT)
    write_next(dream, author)
    return first


def reopen(client, item, comment="Choice C fits as well.", query=""):
    address = reverse("return_instance", args=["dream", item.pk])
    return client.post(f"{address}{query}", {f"{item.pk}-comment": comment}, follow=True)


def test_an_accepted_instance_goes_back_to_its_author_with_a_reason(client, accepted, author):
    page = client.get("/projects/dream/items/").content.decode()
    assert page.count("Send back to its author") == 1, "only accepted items"
    answer = reopen(client, accepted, query="?state=kept")
    assert answer.request["QUERY_STRING"] == "state=kept"
    assert "Sent back. It will be inspected again once it has been revised." in text_of(answer)
    accepted.refresh_from_db()
    assert accepted.state == "returned"
    theirs = signed_in(author)
    assert "To be changed: “ Choice C fits as well. ” Round 1 of 3." in text_of(theirs.get("/"))
    assert "Choice C fits as well." in theirs.get("/projects/dream/write/").content.decode()


def test_whoever_inspects_it_then_reads_why_it_was_sent_back(client, accepted, dream, author, judge):
    reopen(client, accepted)
    write_next(dream, author)
    inspector = signed_in(factories.person("ina", "inspector", project=dream))
    for _number in range(2):  # the item that waited for longer comes first
        page = inspector.get("/projects/dream/inspect/").content.decode()
        assert "fits as well" not in page, "not before the blind answer"
        assignment = Assignment.objects.get(person__username="ina", state=AssignmentState.HELD)
        inspection = Inspection.objects.get(assignment=assignment)
        inspections.answer(inspection=inspection, candidate=0, by=assignment.person)
        with_key = inspector.get("/projects/dream/inspect/").content.decode()
        assert ("Choice C fits as well." in with_key) == (assignment.slot.item == accepted)
        inspections.decide(inspection=inspection, by=assignment.person, **ACCEPT)


@pytest.mark.parametrize(
    ("comment", "said"), [("  ", "Say what must be changed"), ("x" * 2001, "at most 2000 are allowed")]
)
def test_a_reason_that_does_not_do_is_said_beside_it_and_stays(client, accepted, comment, said):
    answer = reopen(client, accepted, comment)
    assert answer.status_code == 422
    assert said in text_of(answer)
    assert comment.strip() in text_of(answer)
    accepted.refresh_from_db()
    assert accepted.state == "kept"


def test_what_went_back_meanwhile_is_not_sent_back_again(client, accepted):
    reopen(client, accepted)
    assert "Not sent back: this item is already being revised." in text_of(reopen(client, accepted))


def test_an_item_of_another_project_is_not_found(client, accepted, researcher):
    other = rewriting_project(researcher, "other")
    address = reverse("return_instance", args=[other.slug, accepted.pk])
    assert client.post(address, {f"{accepted.pk}-comment": "No."}).status_code == 404
