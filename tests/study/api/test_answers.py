"""Answers given elsewhere, sent by a program: the same rules, refusals and counts as import_answers."""

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from knox.models import AuthToken

from core.models import Job, Role
from core.tasks import do_here
from study.actions.answer_jobs import run_import
from study.actions.imported_answers import import_answers
from study.models import Answer, Study
from tests import factories
from tests.study.results_cases import closed_study, example_a_file, question_set

pytestmark = pytest.mark.django_db
TWO = b"participant,question,correct\nann,q1,1\nbo,q1,\n"


def token_of(person) -> str:
    return AuthToken.objects.create(person)[1]


@pytest.fixture
def token(researcher) -> str:
    return token_of(researcher)


def send(token: str, content: bytes = TWO, **fields: object):
    sent = {"study": "elsewhere", "file": SimpleUploadedFile("answers.csv", content), **fields}
    return Client().post("/api/v1/answers/", sent, headers={"Authorization": f"Token {token}"})


def read(token: str, address: str):
    return Client().get(address, headers={"Authorization": f"Token {token}"}).json()


def sent_and_imported(token: str, *content: bytes, **fields: object):
    answer = send(token, *content, **fields)
    assert answer.status_code == 202, answer.content
    do_here(answer.json()["upload"])
    return read(token, answer["Location"])


def test_a_file_becomes_a_study_and_says_what_the_command_says(token, tmp_path, researcher):
    path = example_a_file(tmp_path)
    found = sent_and_imported(token, path.read_bytes(), candidates=5)
    assert (found["state"], found["error"], found["refused"], found["rows"]) == ("done", "", 0, [])
    by_command = import_answers(slug="other", path=path, candidates=5, report=factories.no_progress, by=researcher)
    assert found["outcome"] == {**by_command._asdict(), "study": "elsewhere"}
    assert (found["outcome"]["stored"], Study.objects.get(slug="elsewhere").is_imported) == (80, True)
    assert [row["k"] for row in read(token, "/api/v1/studies/elsewhere/results/")["cells"]][:1] == [58]
    assert [each["upload"] for each in read(token, "/api/v1/answers/")["results"]] == [found["upload"]]


def test_more_answers_are_added_and_the_same_ones_add_nothing(token):
    sent_and_imported(token)
    again = sent_and_imported(token)["outcome"]
    more = sent_and_imported(token, TWO + b"bo,q2,0\n")["outcome"]
    assert (again["created"], again["stored"], again["duplicate"]) == (False, 0, 2)
    assert (more["stored"], more["duplicate"], more["questions"], Answer.objects.count()) == (1, 2, 1, 2)


def test_one_refused_row_and_nothing_is_stored(token):
    found = sent_and_imported(token, TWO + b"ann,q1,0\nbo,q2,7\n")
    assert [(row["line"], row["code"]) for row in found["rows"]] == [(4, "answered_twice"), (5, "no_whole_number")]
    assert (found["state"], found["outcome"], found["refused"]) == ("done", None, 2)
    assert not Study.objects.exists()


def test_a_job_that_runs_twice_stores_once_and_says_the_same_and_its_file_is_not_kept(token):
    job = Job.objects.get(pk=send(token).json()["upload"])
    first = run_import(job, factories.no_progress)
    assert run_import(Job.objects.get(pk=job.pk), factories.no_progress) == first
    assert (first["outcome"]["stored"], Answer.objects.count()) == (1, 1)
    assert not default_storage.exists(job.arguments["file"])


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"study": ""}, "study"),
        ({"study": "not a name"}, "study"),
        ({"study": "new"}, "study"),
        ({"file": ""}, "file"),
        ({"candidates": "1"}, "candidates"),
        ({"candidates": "many"}, "candidates"),
    ],
)
def test_what_is_wrong_is_said_by_its_field(token, fields, wrong):
    answer = send(token, **fields)
    assert (answer.status_code, [*answer.json()]) == (400, [wrong])
    assert not Job.objects.exists()


def test_a_study_with_participants_of_its_own_takes_no_answers(token, researcher):
    closed_study(researcher, question_set(researcher))
    assert send(token, study="summer").json().keys() == {"study"}


def test_a_file_beyond_the_limit_is_refused(token, settings):
    settings.IMPORT_MAX_BYTES = 10
    assert send(token).json().keys() == {"file"}


def test_who_may_create_no_study_or_is_a_stranger_to_it_sends_nothing(token):
    assert send("nothing").status_code == 401
    rater = factories.person("rater", Role.ANNOTATOR)
    assert send(token_of(rater)).status_code == 403
    found = sent_and_imported(token)
    stranger = token_of(factories.person("stranger", Role.RESEARCHER))
    assert send(stranger).json().keys() == {"study"}
    headers = {"Authorization": f"Token {stranger}"}
    assert Client().get(f"/api/v1/answers/{found['upload']}/", headers=headers).status_code == 404
