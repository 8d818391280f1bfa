"""The inspection page: what it shows when, what it stores, what it refuses."""

import re

import pytest

from annotation.actions.queue.assignments import claim
from annotation.actions.rewriting import rewrites
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, Inspection, Item, Step
from core.models import Role
from tests import factories
from tests.annotation.views.rewriting.rewriting_page import INSPECT, author, dream, judge, send, signed_in
from tests.dialogues import CANDIDATES, CUT, RETURN, TURNS, items, judge_next, rewriting_project, write_next
from tests.pages import on_one_line

__all__ = ["author", "dream", "judge"]
RIGHT_FIRST = [0, 2, 1, 3]  # an order in which the right one is shown first


@pytest.fixture
def client(dream, author, judge):
    """The inspector's browser, with one item to judge and another one after it."""
    items(dream, 2)
    write_next(dream, author)
    write_next(dream, author)
    return signed_in(judge)


@pytest.fixture
def base(client):
    """Return the address of the held item, with its candidates in a known order."""
    client.get(INSPECT)
    Inspection.objects.update(order=RIGHT_FIRST)
    return f"{INSPECT}{Assignment.objects.get(inspection__isnull=False).pk}/"


def text_of(answer) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", answer.content.decode()).replace("&#x27;", "'").split())


def verdict(is_correct="yes", is_unique="yes", is_revisable="", **comments: str) -> dict[str, str]:
    said = {f"comment_{name}": text for name, text in comments.items()}
    return {"is_correct": is_correct, "is_unique": is_unique, "is_revisable": is_revisable, **said}


# ---- the blind answer -----------------------------------------------------------------------------------------------


def test_the_first_step_shows_the_context_and_four_candidates_in_the_drawn_order(client, base):
    page = text_of(client.get(INSPECT))
    assert all(text in page for _speaker, text in TURNS[:CUT])
    assert not any(text in page for _speaker, text in TURNS[CUT:])
    shown = [
        page.index(CANDIDATES[number].removeprefix("Opening the courtyard would help, or")[:20]) for number in (2, 1, 3)
    ]
    assert shown == sorted(shown)
    assert "What does W say next?" in page


def test_the_page_says_in_its_trail_how_many_are_left(client, base):
    page = client.get(INSPECT)
    assert '<span aria-current="page">Inspection, 1 of 2</span>' in on_one_line(page.content)


def test_the_answer_is_stored_as_the_candidates_own_number_and_then_the_key_is_shown(client, base):
    assert send(client, f"{base}answer/", {"answer": "2"}).json() == {"next": INSPECT}
    assert Inspection.objects.get().answer == 2
    page = client.get(INSPECT).content.decode()
    first, second = re.findall(r'<div class="candidate(.*?)</div>', page, re.DOTALL)[:2]
    assert "is-key" in first and "your answer" not in first
    assert "is-key" not in second and "your answer" in second
    assert re.search(r"Answered B in \d+ s", page)


def test_who_cannot_decide_says_so(client, base):
    send(client, f"{base}answer/", {"answer": "0"})
    inspection = Inspection.objects.get()
    assert inspection.answer is None and inspection.answered_at
    page = client.get(INSPECT).content.decode()
    assert re.search(r"Not decided, after \d+ s", page)
    assert ">your answer<" not in page


@pytest.mark.parametrize("body", [{}, {"answer": ""}, {"answer": "5"}, {"answer": 1}, "[]", "x"])
def test_an_answer_that_is_none_of_the_four_is_refused(body, client, base):
    answer = send(client, f"{base}answer/", body)
    assert answer.status_code == 400
    assert answer.json() == {
        "message": "Choose one of the four, or say that you cannot decide.",
        "field": "answer",
    }
    assert Inspection.objects.get().answered_at is None


def test_a_second_other_answer_is_refused(client, base):
    send(client, f"{base}answer/", {"answer": "2"})
    assert send(client, f"{base}answer/", {"answer": "1"}).status_code == 409
    assert Inspection.objects.get().answer == 2


def test_no_verdict_before_the_answer(client, base):
    answer = send(client, f"{base}decide/", verdict())
    assert answer.status_code == 409
    assert Inspection.objects.get().decided_at is None


# ---- the verdict ----------------------------------------------------------------------------------------------------


@pytest.fixture
def answered(client, base):
    send(client, f"{base}answer/", {"answer": "1"})
    return base


@pytest.mark.parametrize(
    ("given", "state", "told"),
    [
        (verdict(), ItemState.KEPT, "accept"),
        (verdict("yes", "doubt", "yes", **{"2": "Fits as well."}), ItemState.RETURNED, "send back"),
        (verdict("doubt", "yes", "no"), ItemState.REMOVED, "discard"),
    ],
)
def test_a_verdict_moves_the_item_and_the_next_one_comes(given, state, told, client, answered):
    assert send(client, f"{answered}decide/", given).json() == {"next": INSPECT}
    assert Item.objects.get(position=1).state == state
    page = text_of(client.get(INSPECT))
    assert f"Your verdict is stored: {told}." in page
    assert "the next one." not in page  # the last verdict has none
    assert "Number 2." in page


def test_a_comment_is_stored_under_the_candidate_it_stands_below(client, answered):
    given = verdict("yes", "doubt", "yes", **{"2": "Fits as well.", "cut": "Too early.", "context": "  "})
    send(client, f"{answered}decide/", given)
    assert Inspection.objects.get(decided_at__isnull=False).comments == {"cut": "Too early.", "2": "Fits as well."}


@pytest.mark.parametrize(
    ("given", "status", "told", "field"),
    [
        (verdict("", "yes"), 400, "say whether the key is right", "is_correct"),
        (verdict("yes", ""), 400, "say whether it is the only right one", "is_unique"),
        (verdict("maybe", "yes"), 400, "say whether the key is right", "is_correct"),
        (verdict("yes", "maybe"), 400, "say whether it is the only right one", "is_unique"),
        (verdict("yes", "doubt", "maybe"), 400, "Say whether it can be fixed", "is_revisable"),
        (verdict("yes", "doubt"), 409, "Say whether it can be fixed", "is_revisable"),
        (verdict("yes", "doubt", "yes"), 409, "Say what must be changed", "comment_1"),  # the key is shown first
        (verdict(**{"2": "x" * 2_001}), 409, "the comment on B has 2001 characters; at most 2000", "comment_2"),
        (verdict(cut="x" * 2_001), 409, "the comment on the cut has 2001 characters", "comment_cut"),
    ],
)
def test_a_verdict_that_is_not_whole_is_refused_at_its_field(given, status, told, field, client, answered):
    answer = send(client, f"{answered}decide/", given)
    assert answer.status_code == status
    assert told in answer.json()["message"]
    assert answer.json()["field"] == field
    page = client.post(f"{answered}decide/", given).content.decode()
    assert re.search(rf'<(?:input|textarea)[^>]*name="{field}"[^>]* autofocus', page)
    [marked] = re.findall(r'<(?:fieldset|textarea)[^>]* aria-describedby="refusal"[^>]*>', page)
    assert ("data-wrong" in marked) or (f'name="{field}"' in marked and 'aria-invalid="true"' in marked)
    assert Item.objects.get(position=1).state == ItemState.WRITTEN


def test_a_refused_form_comes_back_with_what_was_chosen_and_written(client, answered):
    answer = client.post(f"{answered}decide/", verdict("yes", "doubt", **{"3": "The cut is too late."}))
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "The cut is too late." in page
    assert re.search(r'name="is_unique" value="doubt"[^>]* checked', on_one_line(page))


def test_a_late_verdict_is_refused_and_its_comments_stay(client, answered, dream, judge):
    slot = Assignment.objects.get(inspection__isnull=False).slot
    Assignment.objects.filter(slot=slot).update(state=AssignmentState.EXPIRED)
    slot.free = 1
    slot.save()
    other = factories.person("oda", Role.INSPECTOR, project=dream)
    judge_next(dream, other)
    answer = client.post(f"{answered}decide/", verdict("yes", "doubt", "yes", **{"2": "Fits as well."}))
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "Not counted" in page and "Fits as well." in page
    assert Inspection.objects.get(assignment__person=judge).comments == {"2": "Fits as well."}


def test_what_went_back_as_often_as_may_be_is_not_sent_back_again(researcher):
    project = rewriting_project(researcher, slug="short", rounds=1)
    author = factories.person("al", project=project)
    judge = factories.person("ira", Role.INSPECTOR, project=project)
    items(project, 1)
    returned = {"is_correct": True, "is_unique": False, "is_revisable": True, "comments": {"cut": "Too early."}}
    write_next(project, author)
    judge_next(project, judge, returned)
    write_next(project, author)
    client = signed_in(judge)
    client.get("/projects/short/inspect/")
    assignment = Assignment.objects.get(person=judge, state=AssignmentState.HELD)
    send(client, f"/projects/short/inspect/{assignment.pk}/answer/", {"answer": "1"})
    page = client.get("/projects/short/inspect/").content.decode()
    assert re.search(r'name="is_revisable" value="yes"[^>]* disabled', on_one_line(page))
    assert "no further round is left" in page
    assert "Too early." in page  # a comment of the first round


def test_what_was_revised_is_shown_beside_what_was_sent_back_but_never_before_the_answer(researcher):
    project = rewriting_project(researcher, slug="short")
    author = factories.person("al", project=project)
    judge = factories.person("ira", Role.INSPECTOR, project=project)
    items(project, 1)
    write_next(project, author)
    judge_next(project, judge, RETURN)
    assignment = claim(project=project, step=Step.WRITE, by=author)[0]
    rewrite = rewrites.open_assignment(assignment=assignment, by=author)
    revised = [*rewrite.candidates[:3], "The <b>other</b> hall is closed."]
    rewrites.submit(rewrite=rewrite, cut=CUT - 1, candidates=revised, revision=rewrite.revision, by=author)
    client = signed_in(judge)
    blind = client.get("/projects/short/inspect/").content.decode()
    assert "<del>" not in blind and "sent back before" not in blind
    assignment = Assignment.objects.get(person=judge, state=AssignmentState.HELD)
    send(client, f"/projects/short/inspect/{assignment.pk}/answer/", {"answer": "1"})
    page = client.get("/projects/short/inspect/").content.decode()
    assert len(re.findall(r'class="difference"', page)) == 1  # of the one that changed
    assert "&lt;b&gt;other&lt;/b&gt;" in page and "<b>other</b>" not in page
    assert f"Cut after turn {CUT - 1} instead of turn {CUT}." in page


# ---- whose, skipping, nothing left ----------------------------------------------------------------------------------


def test_nobody_judges_what_they_wrote(dream, author):
    items(dream, 1)
    write_next(dream, author)
    factories.change_role(author, dream, Role.INSPECTOR)
    assert "Nothing is left to inspect" in text_of(signed_in(author).get(INSPECT))


def test_a_skip_needs_a_reason_and_brings_the_next_item(client, base):
    assert send(client, f"{base}skip/", {"reason": ""}).status_code == 400
    assert send(client, f"{base}skip/", {"reason": "bored"}).status_code == 409
    assert send(client, f"{base}skip/", {"reason": "unclear"}).json() == {"next": INSPECT}
    assert "Number 2." in text_of(client.get(INSPECT))


@pytest.mark.parametrize("act", ["answer", "decide", "skip"])
def test_nobody_acts_on_another_persons_assignment(act, client, base, dream):
    other = signed_in(factories.person("oda", Role.INSPECTOR, project=dream))
    assert send(other, f"{base}{act}/", {**verdict(), "answer": "1", "reason": "other"}).status_code == 404


def test_the_plain_form_answers_and_judges(client, base):
    assert client.post(f"{base}answer/", {"answer": "1"}).url == INSPECT
    assert client.post(f"{base}decide/", verdict()).url == INSPECT
    assert Item.objects.get(position=1).state == ItemState.KEPT
