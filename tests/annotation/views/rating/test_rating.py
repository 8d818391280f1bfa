"""The rating page and what it sends: grades, changes, skips, with and without JavaScript."""

import re
from datetime import datetime, timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from annotation.actions.projects import projects
from annotation.actions.queue import assignments
from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment, Item, Project, Rating, Step
from core.models import Role, User
from tests import factories
from tests.annotation.views.rating.rating_page import PAGE, expire_all, first_assignment, page_state_of, send, signed_in
from tests.pages import on_one_line

# Session and person, as this client does not say whose page it is; the savepoint of the test's transaction, twice; the
# pair with its locks, what is around it, the next slot, the assignments, the grade, the audit log.
GRADE_QUERIES = 10


@pytest.fixture(autouse=True)
def pairs(project: Project) -> list[Item]:
    return factories.pairs(project, 12)


@pytest.fixture
def rating_client(annotator: User) -> Client:
    return signed_in(annotator)


# ---- the page -------------------------------------------------------------------------------------------------------
def test_the_page_shows_the_first_pair_and_brings_five_more(rating_client, annotator, pairs):
    answer = rating_client.get(PAGE)
    assert pairs[0].content["response"] in answer.content.decode()
    shown = page_state_of(rating_client)["pairs"]
    assert [pair["response"]["text"] for pair in shown] == [pair.content["response"] for pair in pairs[:6]]
    assert Assignment.objects.filter(person=annotator, state=AssignmentState.HELD).count() == 6


def test_the_page_shows_the_guideline_in_both_languages(rating_client):
    html = rating_client.get(PAGE).content.decode()
    assert '<span lang="zh-Hans">万能回复</span>' in html
    assert '<span class="gloss" lang="en">versatile, fits anything</span>' in html


def test_texts_are_shown_as_texts(rating_client, pairs):
    pairs[0].content = {"prompt": "<b>bold</b>", "response": "</script><script>alert(1)</script>"}
    pairs[0].save()
    html = rating_client.get(PAGE).content.decode()
    assert "<b>bold" not in html
    assert "<script>alert" not in html
    assert page_state_of(rating_client)["pairs"][0]["response"]["text"] == "</script><script>alert(1)</script>"


def test_each_text_carries_its_own_language(rating_client, pairs):
    pairs[0].content = {"prompt": "你好", "response": "Hello"}
    pairs[0].save()
    shown = page_state_of(rating_client)["pairs"][0]
    assert (shown["prompt"]["lang"], shown["response"]["lang"]) == ("zh-Hans", "en")


def test_numbers_in_addresses_have_no_thousands_separator(rating_client, annotator, project):
    Assignment.objects.create(
        pk=1_234_567,
        slot=project.queues.get(step=Step.RATE).slots.first(),
        person=annotator,
        slot_number=1,
        lease_until=timezone.now() + timedelta(hours=1),
    )
    send(rating_client, 1_234_567, grade=4)
    html = rating_client.get(PAGE).content.decode()
    assert 'href="?change=1234567"' in html
    assert "1,234,567" not in html


def test_a_project_without_pairs_says_so(researcher, annotator):
    empty = projects.create(slug="empty", kind="rating", by=researcher)
    projects.add_member(project=empty, person=annotator, role=Role.ANNOTATOR, by=researcher)
    html = signed_in(annotator).get("/projects/empty/rate/").content.decode()
    assert "There are no pairs here yet." in html


def test_when_nothing_is_left_the_page_says_so(rating_client, annotator, project):
    factories.grade_next(project, annotator, *[4] * 12)
    assert "There is nothing for you here right now." in rating_client.get(PAGE).content.decode()


@pytest.mark.parametrize(
    ("grades", "saves"),
    [
        ("1..5", True),
        ("-2..2", True),
        ("7..12", True),
        ("0..9", True),
        ("0..10", False),
        ("1..21", False),
        ("-10..-1", False),
    ],
)
def test_typing_saves_where_no_grade_is_the_beginning_of_another(grades, saves, researcher, annotator):
    scaled = projects.create(slug="scaled", kind="rating", settings={"grades": grades}, by=researcher)
    projects.add_member(project=scaled, person=annotator, role=Role.ANNOTATOR, by=researcher)
    client = signed_in(annotator)
    assert page_state_of(client, "/projects/scaled/rate/")["typingSaves"] is saves
    html = on_one_line(client.get("/projects/scaled/rate/").content)
    assert ("Choose with ← and →" in html) is not saves
    assert ('name="grade" value="9" aria-keyshortcuts' in html) is (saves and grades in ("7..12", "0..9"))


def test_the_page_is_never_shown_again_from_a_cache(rating_client):
    assert "no-store" in rating_client.get(PAGE)["Cache-Control"]


@pytest.mark.parametrize("graded", [0, 3, 9, 12])
def test_the_page_knows_how_many_pairs_are_left(graded, rating_client, annotator, project):
    factories.grade_next(project, annotator, *[4] * graded)
    assert page_state_of(rating_client)["left"] == 12 - graded


# ---- grading --------------------------------------------------------------------------------------------------------
def test_a_grade_is_stored_and_the_answer_brings_the_next_pair(rating_client, pairs):
    assignment = first_assignment(rating_client)
    before = timezone.now()
    answer = send(rating_client, assignment, grade=3, reason="versatile", milliseconds=9100, key=str(uuid4()))
    assert answer.status_code == 200
    stored = Rating.objects.get()
    assert (stored.assignment_id, stored.grade, stored.reason, stored.milliseconds) == (
        assignment,
        3,
        "versatile",
        9100,
    )
    said = answer.json()
    assert before <= datetime.fromisoformat(said["saved_at"]) <= timezone.now()
    assert (said["assignment"], said["guideline"], said["today"]) == (assignment, 1, 1)
    texts = [pair["response"]["text"] for pair in said["pairs"]]
    assert texts == [pair.content["response"] for pair in pairs[1:7]]


def test_a_grade_sent_twice_with_one_key_is_stored_once(rating_client):
    assignment, key = first_assignment(rating_client), str(uuid4())
    answers = [send(rating_client, assignment, grade=4, key=key) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert Rating.objects.count() == 1


def test_a_grade_costs_the_same_number_of_queries_each_time(rating_client, django_assert_num_queries):
    for pair in page_state_of(rating_client)["pairs"][:3]:
        with django_assert_num_queries(GRADE_QUERIES):
            assert send(rating_client, pair["assignment"], grade=4, key=str(uuid4())).status_code == 200


def test_a_late_grade_on_a_slot_given_again_names_the_newer_assignment(rating_client, annotator, project):
    old = Assignment.objects.get(pk=first_assignment(rating_client))
    expire_all()
    claimed = assignments.claim(project=project, step=Step.RATE, count=12, by=annotator)
    [newer] = [assignment for assignment in claimed if assignment.slot_id == old.slot_id]
    assert send(rating_client, old.pk, grade=4).json()["assignment"] == newer.pk != old.pk


# ---- changing and skipping ------------------------------------------------------------------------------------------
def test_one_of_the_last_five_grades_can_be_changed(rating_client, annotator, project):
    claimed = factories.grade_next(project, annotator, 4, 3, 4, 4, 4, 4)
    assert [pair["assignment"] for pair in page_state_of(rating_client)["past"]] == [
        assignment.pk for assignment in claimed[:0:-1]
    ]
    assert send(rating_client, claimed[1].pk, "change", grade=1, reason="nonsense").status_code == 200
    given = [(rating.grade, rating.replaced_at is None) for rating in claimed[1].ratings.order_by("pk")]
    assert given == [(3, False), (1, True)]
    answer = send(rating_client, claimed[0].pk, "change", grade=1, reason="nonsense")
    assert (answer.status_code, answer.json()["code"]) == (409, "too_late_to_change")


def test_an_earlier_grade_can_be_opened_by_its_link(rating_client, annotator, project):
    [assignment] = factories.grade_next(project, annotator, 3)
    html = rating_client.get(f"{PAGE}?change={assignment.pk}").content.decode()
    assert f'action="{PAGE}{assignment.pk}/change/"' in html
    assert re.search(r'value="3"[^>]*checked', html)
    assert re.search(r'value="versatile"[^>]*checked', html)


@pytest.mark.parametrize("wrong", ["0", "x", "", "-1", "9" * 40])
def test_a_link_to_a_grade_that_cannot_be_changed_shows_the_next_pair(rating_client, wrong, pairs):
    html = rating_client.get(f"{PAGE}?change={wrong}").content.decode()
    assert f'action="{PAGE}{Assignment.objects.order_by("pk").first().pk}/grade/"' in html


def test_a_skipped_pair_goes_to_others_with_its_reason(rating_client, pairs):
    assignment = first_assignment(rating_client)
    answer = send(rating_client, assignment, "skip", reason="cut_off")
    assert answer.status_code == 200
    skipped = Assignment.objects.get(pk=assignment)
    assert (skipped.state, skipped.reason) == (AssignmentState.SKIPPED, "cut_off")
    assert pairs[0].content["prompt"] not in [pair["prompt"]["text"] for pair in answer.json()["pairs"]]


def test_a_skip_needs_one_of_the_reasons(rating_client):
    assignment = first_assignment(rating_client)
    assert send(rating_client, assignment, "skip", reason="bored").json()["code"] == "reason_wrong"
    assert send(rating_client, assignment, "skip").status_code == 400
    assert Assignment.objects.get(pk=assignment).state == AssignmentState.HELD


# ---- a page that was left open ---------------------------------------------------------------------------------------
def test_a_page_can_ask_what_is_still_in_hand(rating_client, annotator, project):
    [assignment] = factories.grade_next(project, annotator, 5)
    expire_all()
    answer = rating_client.post(PAGE + "next/", "{}", content_type="application/json").json()
    assert len(answer["pairs"]) == 6
    assert [(pair["assignment"], pair["grade"], pair["reason"]) for pair in answer["past"]] == [
        (assignment.pk, 5, "informative")
    ]


@pytest.mark.parametrize(("hours_ago", "counts"), [(11, True), (13, False)])
def test_the_day_begins_at_midnight_where_the_person_is(hours_ago, counts, rating_client, annotator, project):
    now = timezone.now()
    rating_client.cookies["timezone"] = f"Etc/GMT{now.hour - 12:+d}"  # it is midday there now
    [assignment] = factories.grade_next(project, annotator, 4)
    Assignment.objects.filter(pk=assignment.pk).update(ended_at=now - timedelta(hours=hours_ago))
    assert page_state_of(rating_client)["today"] == int(counts)


# ---- without JavaScript ---------------------------------------------------------------------------------------------
def test_the_plain_form_grades_and_shows_the_next_pair(rating_client, pairs):
    assignment = first_assignment(rating_client)
    answer = rating_client.post(f"{PAGE}{assignment}/grade/", {"grade": "3", "reason": "limited"}, follow=True)
    assert answer.redirect_chain == [(PAGE, 302)]
    assert Rating.objects.get().reason == "limited"
    assert pairs[1].content["response"] in answer.content.decode()


@pytest.mark.parametrize(
    ("fields", "message"),
    [({}, "Choose a grade first."), ({"grade": "3"}, "grade 3 needs a reason")],
)
def test_the_plain_form_says_what_is_missing(rating_client, fields, message):
    assignment = first_assignment(rating_client)
    answer = rating_client.post(f"{PAGE}{assignment}/grade/", fields, follow=True)
    assert message in answer.content.decode()
    assert not Rating.objects.exists()


def test_the_plain_form_skips_with_the_button_that_was_pressed(rating_client):
    assignment = first_assignment(rating_client)
    rating_client.post(f"{PAGE}{assignment}/skip/", {"grade": "4", "reason": ["versatile", "other"]})
    assert Assignment.objects.get(pk=assignment).reason == "other"


@pytest.mark.every_database
@pytest.mark.parametrize("number", [2**63 - 1, 2**63, 10**30])
def test_a_number_that_no_pair_can_have_is_not_found(rating_client, number):
    sent = {"grade": 4, "key": str(uuid4())}
    assert rating_client.post(f"{PAGE}{number}/grade/", sent, content_type="application/json").status_code == 404
