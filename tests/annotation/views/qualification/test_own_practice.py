"""Practice of authors on their pages and on those of inspectors and researchers: marked, told, refused, excused."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.actions.imports import imports
from annotation.domain.rewriting.rewriting import InspectionVerdict
from annotation.models import Assignment, Import, Item, PracticeDraft, Project, Purpose, Slot
from core.models import Job, Role, User
from tests import factories
from tests.annotation.views.rewriting.rewriting_page import draft, send, signed_in
from tests.factories import no_progress
from tests.rewriting import (
    CANDIDATES,
    answered,
    file_of,
    items,
    judge,
    practice_items,
    question,
    rewriting_project,
    write,
)

WRITE, PRACTICE, INSPECT = (f"/projects/listening/{page}/" for page in ("write", "write/practice", "inspect"))
QUALIFICATION = "/projects/listening/qualification/"


@pytest.fixture
def listening(researcher: User) -> Project:
    """Return a project with one attempt of three drafts, both of the last two to be accepted; one item to write, three
    to practise on.
    """
    chosen = {"practice": 3, "practice_window": 2, "practice_threshold": 100, "practice_attempts": 1}
    project = rewriting_project(researcher, **chosen)
    items(project)
    practice_items(project, 3)
    return project


@pytest.fixture
def author(listening: Project) -> User:
    return factories.person("an", project=listening)


@pytest.fixture
def inspector(listening: Project) -> User:
    return factories.person("ivo", Role.INSPECTOR, project=listening)


def text_of(client: Client, path: str) -> str:
    page = client.get(path).content.decode()
    page = page[page.index("<main") : page.index("</main>")]
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


def grade(project: Project, inspector: User, is_accepted: bool, said: str = "Says nothing.") -> None:
    becomes = InspectionVerdict.ACCEPT if is_accepted else InspectionVerdict.DISCARD
    judge(answered(project, inspector), becomes, comments={} if is_accepted else {"3": said})


def test_the_writing_page_is_marked_as_practice_and_hands_in_to_be_graded(listening, author):
    client = signed_in(author)
    page = client.get(WRITE).content.decode()
    assert "It does not count. An inspector grades it with comments." in page
    assert "Submit to be graded" in page
    assignment = Assignment.objects.get(person=author)
    assert assignment.slot.item.purpose == Purpose.PRACTICE
    answer = send(client, f"{WRITE}{assignment.pk}/submit/", draft(candidates=CANDIDATES, cut=3))
    assert answer.json()["next"] == WRITE
    assert "Submitted: an inspector grades it." in client.get(WRITE).content.decode()


def test_a_draft_with_flaws_is_refused_like_any(listening, author):
    client = signed_in(author)
    client.get(WRITE)
    assignment = Assignment.objects.get(person=author)
    answer = send(client, f"{WRITE}{assignment.pk}/submit/", draft(candidates=["", "a", "b", "c"], cut=3))
    assert (answer.status_code, answer.json()["code"]) == (409, "flaws")
    assert not PracticeDraft.objects.exists()


def test_the_home_page_says_where_the_author_stands(listening, author, inspector):
    client = signed_in(author)
    assert "Attempt 1 of 1: no draft is graded yet." in text_of(client, "/")
    write(listening, author)
    grade(listening, inspector, is_accepted=False)
    page = text_of(client, "/")
    assert "An , your qualification is not passed yet" in page
    assert "Attempt 1 of 1: 0 accepted of the last graded draft." in page
    assert client.get("/").content.decode().count("button-main") == 1


def test_the_practice_page_shows_the_drafts_with_what_was_said_and_by_nobody_s_name(listening, author, inspector):
    write(listening, author)
    write(listening, author)
    grade(listening, inspector, is_accepted=False, said="Fits as <b>well</b>.")
    page = text_of(signed_in(author), PRACTICE)
    assert "Once 2 of your last 2 graded drafts are accepted, your work counts." in page
    assert (
        "2 of 3 drafts of this attempt are submitted. One is waiting for an inspector; you can continue writing."
        in page
    )
    assert "Attempt 1, draft 1 not accepted" in page
    assert "D: Fits as &lt;b&gt;well&lt;/b&gt;." in page
    assert "Attempt 1, draft 2 waits for an inspector" in page
    assert "Ivo" not in page


def test_nothing_of_other_people_s_drafts(listening, author, inspector):
    other = factories.person("bo", project=listening)
    for _ in range(3):
        write(listening, other)
    grade(listening, inspector, is_accepted=False, said="For Bo alone.")
    client = signed_in(author)
    for path in ("/", PRACTICE, WRITE):
        assert "For Bo alone." not in client.get(path).content.decode()
        assert CANDIDATES[0] not in client.get(path).content.decode()


def test_with_every_draft_handed_in_the_author_is_told_to_wait(listening, author):
    for _ in range(3):
        write(listening, author)
    client = signed_in(author)
    assert client.get(WRITE).url == PRACTICE
    page = text_of(client, PRACTICE)
    assert "Every draft of this attempt is submitted, and 3 wait for an inspector." in page
    assert client.get("/").content.decode().count("button-main") == 0


def test_who_passed_is_handed_work(listening, author, inspector):
    for is_accepted in (False, True, True):
        write(listening, author)
        grade(listening, inspector, is_accepted)
    client = signed_in(author)
    assert "Qualification passed" in text_of(client, PRACTICE)
    assert "An , one item is waiting for you" in text_of(client, "/")
    page = client.get(WRITE).content.decode()
    assert "It does not count" not in page
    assert "Submit for inspection" in page


def test_who_used_up_the_attempts_is_told_who_decides_and_may_be_excused(listening, author, inspector, researcher):
    for _ in range(3):
        write(listening, author)
        grade(listening, inspector, is_accepted=False)
    client, judge_ = signed_in(author), signed_in(inspector)
    assert "The only attempt is used up. Who decides how you can continue: Ivo." in text_of(client, PRACTICE)
    assert "An has used up the attempts" in text_of(judge_, "/")
    assert "not passed" in text_of(judge_, QUALIFICATION)
    page = text_of(judge_, f"{QUALIFICATION}{author.pk}/")
    assert "The only attempt to qualify was not passed." in page
    assert "3 / 3" in page
    resume = f"{QUALIFICATION}{author.pk}/resume/"
    assert judge_.post(resume, {"why": ""}).status_code == 422
    said = judge_.post(resume, {"why": "talked it over"}, follow=True).content.decode()
    assert "An may practise once more." in said
    assert client.get(WRITE).status_code == 200
    again = judge_.post(resume, {"why": "once more"}, follow=True).content.decode()
    assert "An still has practice attempts left." in again


def test_no_draft_stands_on_the_qualification_page_before_it_was_judged(listening, author, inspector):
    write(listening, author)
    page = signed_in(inspector).get(f"{QUALIFICATION}{author.pk}/").content.decode()
    assert CANDIDATES[0] not in page


def test_a_researcher_is_told_that_practice_items_are_missing(researcher):
    rewriting_project(researcher, "empty", practice=30)
    page = text_of(signed_in(researcher), "/projects/empty/qualification/")
    assert "There is no practice item: no one can begin to practise" in page


def test_the_inspector_s_page_marks_practice_and_asks_no_third_question(listening, author, inspector):
    write(listening, author)
    client = signed_in(inspector)
    home = text_of(client, "/")
    assert "One item to judge" in home
    assert "one practice draft" in home
    assert "A practice draft" in client.get(INSPECT).content.decode()
    assignment = Assignment.objects.get(person=inspector)
    client.post(f"{INSPECT}{assignment.pk}/answer/", {"answer": 1})
    page = client.get(INSPECT).content.decode()
    assert 'name="is_revisable"' not in page
    assert "Do not accept" in page
    sent = {"is_correct": "doubt", "is_unique": "yes"}
    refused = send(client, f"{INSPECT}{assignment.pk}/decide/", sent)
    assert (refused.status_code, "its author will read it" in refused.json()["message"]) == (409, True)
    done = client.post(f"{INSPECT}{assignment.pk}/decide/", sent | {"comment_1": "Too easy."}, follow=True)
    assert "The practice draft is graded: not accepted." in done.content.decode()
    assert PracticeDraft.objects.get().is_accepted is False


def test_settings_ask_for_no_more_than_an_attempt_has(researcher):
    client = signed_in(researcher)
    page = client.get("/projects/new/?kind=rewriting").content.decode()
    assert "The MuTual study had 170." in page
    sent = {
        "slug": "x",
        "title": "X",
        "inspectors": 1,
        "rounds": 3,
        "lease_minutes": 240,
        "per_day": 30,
        "inspected_percent": 100,
        "first_in_full": 20,
        "practice": 10,
        "practice_window": 20,
        "practice_threshold": 80,
        "practice_attempts": 3,
    }
    answer = client.post("/projects/new/?kind=rewriting", sent)
    assert "Choose no more than the number of practice drafts per attempt." in answer.content.decode()
    client.post("/projects/new/?kind=rewriting", sent | {"practice_window": 10})
    assert Project.objects.get(slug="x").rewriting.practice_window == 10


def test_a_file_of_practice_items_is_marked_and_opens_no_work(listening, researcher):
    client, slots = signed_in(researcher), Slot.objects.count()
    file = SimpleUploadedFile("more.jsonl", file_of([question(900)]).encode())
    address = client.post("/projects/listening/import/", {"file": file, "format": "auto", "is_practice": "on"}).url
    received = imports.check(received=Import.objects.get(file_name="more.jsonl"), report=no_progress, by=researcher)
    imports.store(received=received, partial=False, report=no_progress, by=researcher)
    Job.objects.all().delete()
    assert "1 practice item is stored." in text_of(client, address)
    assert "more.jsonl practice stored" in text_of(client, "/projects/listening/import/")
    assert Slot.objects.count() == slots
    assert Item.objects.filter(purpose=Purpose.PRACTICE).count() == 4


def test_no_page_of_practice_for_those_who_rate(project, annotator):
    assert signed_in(annotator).get(f"/projects/{project.slug}/write/practice/").status_code == 404


def test_an_outsider_finds_nothing(listening):
    assert signed_in(factories.person("eva")).get(PRACTICE).status_code == 404


@pytest.mark.parametrize("count", [1, 12])
def test_the_pages_of_practice_cost_the_same_with_many_drafts(
    researcher, inspector, author, count, django_assert_num_queries
):
    project = rewriting_project(researcher, "long", practice=20, practice_window=20)
    practice_items(project, 3)
    for person, role in ((author, "annotator"), (inspector, "inspector")):
        project.memberships.create(person=person, role=role)
    for _ in range(count):
        write(project, author)
        grade(project, inspector, is_accepted=False)
    client, judging = signed_in(author), signed_in(inspector)
    with django_assert_num_queries(10):
        client.get("/projects/long/write/practice/")
    with django_assert_num_queries(10):
        judging.get("/projects/long/qualification/")
    with django_assert_num_queries(15):
        judging.get(f"/projects/long/qualification/{author.pk}/")
