"""The page on which people name reasoning types, the homes that lead to it, and what the board says of it."""

import csv
import html
import re

import pytest

from annotation.actions import reasoning
from annotation.models import Assignment, Step, TypeChoice
from core.models import Role
from tests import factories
from tests.annotation.views.rewriting.rewriting_page import author, dream, judge, signed_in
from tests.dialogues import CANDIDATES, CUT, TURNS, items, judge_next, write_next
from tests.pages import on_one_line

__all__ = ["author", "dream", "judge"]
TYPES, BOARD = "/projects/dream/types/", "/projects/dream/"


@pytest.fixture
def accepted(dream, author, judge):
    """Three accepted instances that two people are asked about."""
    items(dream, 3)
    for _item in range(3):
        write_next(dream, author)
        judge_next(dream, judge)
    reasoning.ask_about(project=dream, by=dream.created_by)
    return dream


@pytest.fixture
def client(accepted, judge):
    return signed_in(judge)


@pytest.fixture
def staff(dream, researcher):
    return signed_in(researcher)


def text_of(answer) -> str:
    page = answer.content.decode()
    said = re.sub(r"<[^>]*>", " ", page[page.index("<main") : page.index("</main>")])
    return " ".join(html.unescape(said).split())


def claimed(person) -> str:
    """Return the address of the instance that the page shows the person."""
    held = Assignment.objects.filter(slot__queue__step=Step.TYPE, person=person, state="held")
    assignment = held.order_by("pk")[0]
    return f"{TYPES}{assignment.pk}/"


def name_all(project, person, *answers: str) -> None:
    for answer in answers:
        signed_in(person).get(TYPES)
        signed_in(person).post(f"{claimed(person)}name/", {"answer": answer})


# ---- the page -------------------------------------------------------------------------------------------------------
def test_the_page_shows_context_candidates_with_the_key_and_six_types(client):
    answer = client.get(TYPES)
    page = text_of(answer)
    assert all(text in page for _speaker, text in TURNS[1:CUT])
    assert not any(text in page for _speaker, text in TURNS[CUT:])
    assert all(text in page for text in CANDIDATES[1:])
    [key] = re.findall(r'<div class="candidate is-key">(.*?)</div>', answer.content.decode(), re.DOTALL)
    assert "nowhere to sit" in key
    assert re.findall(r'name="answer" value="(\w+)" aria-keyshortcuts="(.)"', on_one_line(answer.content)) == [
        ("attitude", "1"),
        ("algebraic", "2"),
        ("intention", "3"),
        ("situation", "4"),
        ("multi_fact", "5"),
        ("other", "6"),
        ("unsure", "?"),
    ]


def test_a_choice_is_a_plain_form_and_the_next_instance_comes(client, judge):
    client.get(TYPES)
    first = claimed(judge)
    answer = client.post(f"{first}name/", {"answer": "multi_fact", "milliseconds": "5200"}, follow=True)
    choice = TypeChoice.objects.get()
    assert (choice.answer, choice.milliseconds) == ("multi_fact", 5200)
    assert re.search(r"Multi-fact, saved at \d\d:\d\d:\d\d", text_of(answer))
    assert claimed(judge) != first


@pytest.mark.parametrize("sent", [{}, {"answer": "guess"}, {"answer": ""}])
def test_what_is_no_choice_is_said_and_nothing_is_stored(sent, client, judge):
    client.get(TYPES)
    answer = client.post(f"{claimed(judge)}name/", sent, follow=True)
    assert "Choose one of the six types, or say that you are unsure." in text_of(answer)
    assert not TypeChoice.objects.exists()


def test_the_script_is_sent_what_is_held_and_what_can_be_changed(client, judge):
    client.get(TYPES)
    first = claimed(judge)
    answer = client.post(f"{first}name/", {"answer": "other", "milliseconds": "900"}, content_type="application/json")
    assert answer.status_code == 200
    state = answer.json()
    assert [each["answer"] for each in state["past"]] == ["other"]
    assert state["past"][0]["assignment"] == state["assignment"]
    assert f"{TYPES}{state['pairs'][0]['assignment']}/" == claimed(judge)
    assert (state["today"], state["left"]) == (1, 2)
    skipped = client.post(f"{claimed(judge)}skip/", {"reason": "other"}, content_type="application/json").json()
    assert skipped["past"][0]["skipped"] == "other"
    address = f"{TYPES}{skipped['assignment']}/undo-skip/"
    assert client.post(address, {}, content_type="application/json").json()["left"] == 2
    refused = client.post(f"{first}name/", {"answer": "attitude"}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (409, "named")


def test_near_the_end_nobody_holds_what_others_could_name(accepted, judge):
    for username in ("bo", "cy"):
        factories.person(username, project=accepted)
    signed_in(judge).get(TYPES)
    # Six places are open to four people, one of whom wrote the texts.
    assert Assignment.objects.filter(slot__queue__step=Step.TYPE, person=judge, state="held").count() == 2


def test_the_last_choice_can_be_changed(client, judge):
    client.get(TYPES)
    first = claimed(judge)
    client.post(f"{first}name/", {"answer": "other"})
    [assignment] = re.findall(r'\?change=(\d+)"', client.get(TYPES).content.decode())
    page = client.get(f"{TYPES}?change={assignment}")
    assert "You are changing an earlier choice: Other." in text_of(page)
    assert f'action="{first}name/?anew"' in page.content.decode()
    client.post(f"{first}name/?anew", {"answer": "attitude"})
    assert TypeChoice.objects.get(replaced_at=None).answer == "attitude"


def test_an_instance_can_be_left_to_others(client, judge):
    client.get(TYPES)
    page = text_of(client.post(f"{claimed(judge)}skip/", {"reason": "other"}, follow=True))
    assert "Left to others." in page
    assert "the next one." not in page  # perhaps none is left
    assert Assignment.objects.get(state="skipped").reason == "other"


def test_nobody_sees_what_another_person_named(client, accepted, judge):
    other = factories.person("bo", project=accepted)
    name_all(accepted, other, "algebraic", "algebraic", "algebraic")
    before = text_of(client.get(TYPES))
    TypeChoice.objects.update(answer="attitude")
    assert text_of(client.get(TYPES)) == before


def test_an_author_is_asked_about_nothing_of_their_own(accepted, author):
    assert "No instance is waiting for its reasoning type" in text_of(signed_in(author).get(TYPES))


def test_before_anybody_asked_the_page_says_so(dream, judge):
    assert "no one has been asked yet" in text_of(signed_in(judge).get(TYPES))


def test_somebody_else_s_instance_is_not_there(client, accepted, judge):
    client.get(TYPES)
    other = signed_in(factories.person("bo", project=accepted))
    assert other.post(f"{claimed(judge)}name/", {"answer": "other"}).status_code == 404


def test_the_page_costs_the_same_with_many(client, accepted, author, judge, django_assert_max_num_queries):
    items(accepted, 12)
    for _item in range(12):
        write_next(accepted, author)
        judge_next(accepted, judge)
    reasoning.ask_about(project=accepted, by=accepted.created_by)
    name_all(accepted, judge, *["other"] * 6)
    with django_assert_max_num_queries(32):
        client.get(TYPES)


# ---- the homes ------------------------------------------------------------------------------------------------------
def test_the_home_of_an_inspector_and_of_another_author_leads_there(client, accepted, author):
    assert "Reasoning types · 3 instances are waiting" in text_of(client.get("/"))
    other = factories.person("bo", project=accepted)
    assert "Reasoning types · 3 instances are waiting" in text_of(signed_in(other).get("/"))
    assert "Reasoning types" not in text_of(signed_in(author).get("/"))


# ---- the board ------------------------------------------------------------------------------------------------------
def test_a_researcher_asks_about_a_sample_from_the_board(staff, dream, author, judge):
    items(dream, 3)
    for _item in range(3):
        write_next(dream, author)
        judge_next(dream, judge)
    assert "Two people are asked about 2 more instances." in text_of(
        staff.post(f"{TYPES}ask/", {"instances": "2"}, follow=True)
    )
    assert "asked about 2 of 3" in text_of(staff.get(BOARD))
    assert "about one more instance" in text_of(staff.post(f"{TYPES}ask/", {"instances": ""}, follow=True))
    assert "Nothing added" in text_of(staff.post(f"{TYPES}ask/", {"instances": "3"}, follow=True))


@pytest.mark.parametrize("sent", ["0", "many"])
def test_a_number_that_is_none_is_refused(sent, staff, accepted):
    assert "Nothing added" not in text_of(staff.post(f"{TYPES}ask/", {"instances": sent}, follow=True))


def test_without_an_accepted_instance_there_is_nothing_to_ask_about(staff, dream):
    assert "Nothing is accepted yet" in staff.post(f"{TYPES}ask/", {}, follow=True).content.decode()


def test_the_board_shows_progress_shares_and_agreement_beside_the_published_ones(staff, accepted, judge):
    other = factories.person("bo", project=accepted)
    name_all(accepted, judge, "attitude", "attitude", "situation")
    name_all(accepted, other, "attitude", "situation")
    page = text_of(staff.get(BOARD))
    assert "labelled by two people 2 of 3" in page
    assert re.search(r"Attitude 75\.0 % \d+\.\d – \d+\.\d 13 %", page)
    assert "same answer .500" in page


def test_an_undefined_kappa_is_said_in_words(staff, accepted, judge):
    other = factories.person("bo", project=accepted)
    name_all(accepted, judge, "attitude", "attitude")
    name_all(accepted, other, "attitude", "attitude")
    assert "All answers are the same: chance agreement is 1, so the coefficient is undefined." in text_of(
        staff.get(BOARD)
    )


def test_the_board_as_a_file_has_the_shares(staff, accepted, judge):
    other = factories.person("bo", project=accepted)
    name_all(accepted, judge, "attitude")
    name_all(accepted, other, "other")
    rows = list(csv.reader(staff.get(f"{BOARD}board.csv").content.decode("utf-8-sig").splitlines()))
    assert ["reasoning", "attitude", "share", "0.5"] in rows
    assert ["reasoning", "", "instances", "1"] in rows


def test_an_expert_has_no_way_in(accepted):
    expert = factories.person("eva", Role.EXPERT, project=accepted)
    assert signed_in(expert).get(TYPES).status_code == 403
