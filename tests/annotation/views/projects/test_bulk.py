"""Acts for many rows of the lists at once: asked once with what follows, done to what fits, refused otherwise."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.actions import flags
from annotation.models import Flag, Item, Rating
from core.models import Event
from tests import factories, rewriting

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(researcher) -> Client:
    client = Client()
    client.force_login(researcher)
    return client


@pytest.fixture
def graded(project, annotator, partner):
    """Four pairs: kept, kept, with one grade, and with none."""
    items = factories.pairs(project, 4)
    factories.grade_next(project, annotator, 3, 3, 3)
    factories.grade_next(project, partner, 4, 3)
    return items


def ask(client, project, act, items=(), query="", **sent):
    page = "bulk_pairs" if project.kind == "rating" else "bulk_items"
    sent = {"act": act, "row": [item.pk for item in items], **sent}
    return client.post(reverse(page, args=[project.slug]) + query, sent)


def said(client, answer) -> str:
    """What the list says after an act."""
    page = client.get(answer.url).content.decode()
    return " ".join(re.findall(r"page-message.*?<p>(.*?)</p>", page, re.S))


def test_voiding_is_asked_once_with_what_follows_and_then_done(client, project, graded, researcher):
    answer = ask(client, project, "void", graded)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "Void the grades of 3 pairs" in page and "5 grades and decisions are kept and no longer count" in page
    assert "1 more that you chose has no grade" in page
    assert "Void 5 grades" in page
    assert Rating.objects.counting().count() == 5, "nothing is done before it is confirmed"
    answer = ask(client, project, "void", graded[:3], query="?state=kept&page=1", text="by the wrong guideline")
    assert answer.url == "/projects/weibo/pairs/?state=kept&page=1"
    assert "5 grades and decisions were voided." in said(client, answer)
    assert not Rating.objects.counting().exists()
    assert {item.state for item in Item.objects.all()} == {"open"}
    voided = Event.objects.filter(subject="assignment", became="voided")
    assert {(event.why, event.by) for event in voided} == {("by the wrong guideline", researcher)}
    assert voided.count() == 5


def test_without_a_reason_it_is_asked_again_and_nothing_is_done(client, project, graded):
    answer = ask(client, project, "void", graded, text="  ")
    assert answer.status_code == 422
    assert answer.context["form"].errors
    assert ask(client, project, "void", graded, text="x" * 501).status_code == 422
    assert Rating.objects.counting().count() == 5


def test_all_that_match_are_meant_and_no_others(client, project, graded, annotator):
    ask_all = {"all": "on", "query": "?state=kept"}
    assert [item.pk for item in ask(client, project, "void", **ask_all).context["items"]] == [
        graded[0].pk,
        graded[1].pk,
    ]


def test_at_most_so_many_are_meant_at_once(client, project, graded, monkeypatch):
    monkeypatch.setattr("core.forms.lists.MOST", 2)
    assert len(ask(client, project, "void", all="on").context["items"]) == 2
    assert len(ask(client, project, "void", graded).context["items"]) == 2


@pytest.mark.parametrize("rows", [[], ["x"], ["-1"], [str(2**70)], ["99999999"]])
def test_without_a_row_of_the_list_the_page_says_to_choose(rows, client, project, graded):
    answer = client.post(reverse("bulk_pairs", args=[project.slug]), {"act": "void", "row": rows})
    assert answer.status_code == 302
    assert "Choose the rows first." in said(client, answer)


def test_pairs_of_another_project_are_not_reached(client, project, graded, researcher):
    other = factories.another_project("other", researcher)
    answer = ask(client, other, "void", graded, text="mine")
    assert answer.status_code == 302
    assert Rating.objects.counting().count() == 5


@pytest.mark.parametrize("act", ["", "return", "remove", "__class__"])
def test_only_acts_of_the_list_are_known(act, client, project, graded):
    assert ask(client, project, act, graded).status_code == 404


def test_flags_are_resolved_with_one_note(client, project, graded, annotator, partner, researcher):
    for person in (annotator, partner):
        flags.raise_flag(assignment=person.assignments.get(slot__item=graded[0]), comment="?", by=person)
    flags.raise_flag(assignment=annotator.assignments.get(slot__item=graded[2]), comment="?", by=annotator)
    page = ask(client, project, "resolve", graded[:2]).content.decode()
    assert "2 open flags are resolved with the same note." in page
    assert ask(client, project, "resolve", graded[:2], text="").status_code == 422
    answer = ask(client, project, "resolve", graded[:2], text="Seen, thank you.")
    assert "2 flags were resolved." in said(client, answer)
    resolved = Flag.objects.exclude(resolved_at=None)
    assert {(flag.note, flag.resolved_by) for flag in resolved} == {("Seen, thank you.", researcher)}
    assert Flag.objects.open().get().assignment.slot.item == graded[2]
    assert Event.objects.filter(subject="flag", became="resolved", by=researcher).count() == 2
    answer = ask(client, project, "resolve", graded[:2], text="Again.")
    assert "no open flag" in said(client, answer)


def test_accepted_items_are_sent_back_with_one_comment(client, researcher):
    dream = rewriting.rewriting_project(researcher, "dream")
    author = factories.person("zoe", project=dream)
    judge = factories.person("ivo", "inspector", project=dream)
    items = rewriting.items(dream, 4)
    for _item in range(2):
        rewriting.write(dream, author)
        rewriting.inspect(dream, judge)
    rewriting.write(dream, author)
    page = ask(client, dream, "return", items).content.decode()
    assert "Send 2 items back to their authors" in page and "2 more that you chose are not accepted" in page
    answer = ask(client, dream, "return", items, text="Two choices fit.")
    assert answer.url == "/projects/dream/items/?"
    assert "2 items were sent back." in said(client, answer)
    states = list(dream.items.order_by("position").values_list("state", flat=True))
    assert states == ["returned", "returned", "written", "open"]
    assert ask(client, dream, "void", items).status_code == 404, "grades are of pairs"
    assert "are not accepted" in said(client, ask(client, dream, "return", items, text="Again."))


def test_what_a_rater_gave_is_taken_away_and_asked_of_others(client, project, graded, annotator, newcomer):
    ask(client, project, "void", graded[:1], text="by the wrong guideline")
    assert factories.take(project, annotator, 9)[-1].slot.item != graded[0]
    places = [assignment.slot.item for assignment in factories.take(project, newcomer, 9)]
    assert graded[0] in places
    newest = factories.person("dee", project=project)
    for person in (newcomer, newest):
        for assignment in factories.take(project, person, 9):
            if assignment.slot.item == graded[0]:
                factories.grade(assignment, 5)
    graded[0].refresh_from_db()
    assert graded[0].state == "kept"
