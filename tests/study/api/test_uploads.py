"""Predictions sent by a program, with a token and without a page."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from knox.models import AuthToken

from core.models import Job, Role
from core.tasks import do_here
from study.models import Run
from tests import factories
from tests.study.instances import kitchen

pytestmark = pytest.mark.django_db
GOOD = b"d0\tA\tB\tC\tD\nd1\tB\tA\tC\tD\n"


@pytest.fixture
def token(researcher) -> str:
    kitchen(researcher, dev=3)
    return AuthToken.objects.create(researcher)[1]


def send(token: str, content: bytes = GOOD, **fields: object):
    sent = {"on": "kitchen:dev", "label": "ours", "file": SimpleUploadedFile("said.txt", content), **fields}
    return Client().post("/api/v1/uploads/", sent, headers={"Authorization": f"Token {token}"})


def read(token: str, address: str):
    return Client().get(address, headers={"Authorization": f"Token {token}"}).json()


def test_a_file_is_taken_imported_and_answers_with_its_run(token):
    answer = send(token)
    assert (answer.status_code, answer.json()["state"], answer.json()["run"]) == (202, "queued", None)
    do_here(answer.json()["upload"])
    found = read(token, answer["Location"])
    run = Run.objects.get()
    assert (found["state"], found["run"], found["refused"], found["rows"]) == ("done", run.pk, 0, [])
    assert (run.label, run.metrics["n"], run.metrics["missing"]) == ("ours", 2, 1)
    assert [each["upload"] for each in read(token, "/api/v1/uploads/")["results"]] == [found["upload"]]
    assert [each["id"] for each in read(token, f"/api/v1/runs/{run.pk}/predictions/")["results"]] == ["d0", "d1"]


def test_refused_rows_come_back_with_line_and_code_and_the_good_ones_are_stored_on_demand(token):
    bad = GOOD + b'{"id": "d2", "scores": [1, 2, 3, Infinity]}\nd9\tA\tB\tC\tD\n'
    answers = [send(token, bad).json(), send(token, bad, partial="true").json()]
    for answer in answers:
        do_here(answer["upload"])
    first, second = (read(token, f"/api/v1/uploads/{answer['upload']}/") for answer in answers)
    assert [(row["line"], row["code"]) for row in first["rows"]] == [(3, "score_not_finite"), (4, "instance_unknown")]
    assert (first["run"], second["run"], second["refused"]) == (None, Run.objects.get().pk, 2)


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"on": "pantry"}, "on"),
        ({"on": ""}, "on"),
        ({"label": ""}, "label"),
        ({"label": " \u200b"}, "label"),
        ({"seed": "-1"}, "seed"),
        ({"file": ""}, "file"),
    ],
)
def test_what_is_wrong_is_said_by_its_field(token, fields, wrong):
    answer = send(token, **fields)
    assert (answer.status_code, [*answer.json()]) == (400, [wrong])
    assert not Job.objects.exists()


def test_a_file_beyond_the_limit_is_refused(token, settings):
    settings.IMPORT_MAX_BYTES = 10
    assert send(token).json().keys() == {"file"}


def test_without_a_token_or_a_right_nothing_is_taken(token):
    assert send("nothing").status_code == 401
    rater = factories.person("rater", Role.ANNOTATOR)
    assert send(AuthToken.objects.create(rater)[1]).status_code == 403
    stranger = factories.person("stranger", Role.RESEARCHER)
    sent = send(token).json()
    address = f"/api/v1/uploads/{sent['upload']}/"
    headers = {"Authorization": f"Token {AuthToken.objects.create(stranger)[1]}"}
    assert Client().get(address, headers=headers).status_code == 404
