"""Jobs that store what they made in one long write: the page says that they cannot be stopped, and is answered at once.

On SQLite a cancellation would wait until everything is stored.
"""

import threading

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.urls import reverse

from annotation.actions.cleaning import cleaning_scan
from annotation.actions.corpora import corpora, reviews
from annotation.actions.imports import import_jobs
from annotation.actions.releases import releases
from core.actions import jobs
from core.domain.transitions import JobState
from core.models import Job
from tests import factories
from tests.corpora import mutual_files, tar_of
from tests.factories import checked, no_progress
from tests.live_server import PATIENCE
from tests.threads import at_once

PAIRS = "吃了吗?\t吃了,你呢?\n"


@pytest.fixture
def client(researcher) -> Client:
    client = Client()
    client.force_login(researcher)
    return client


@pytest.fixture
def freezing(project, annotator, partner, researcher) -> Job:
    factories.pairs(project, 1)
    for person in (annotator, partner):
        factories.grade_next(project, person, 4)
    return releases.ask_for_freeze(project=project, number=1, seed=0, by=researcher)


@pytest.fixture
def scanning(project, researcher) -> Job:
    factories.stored(project, "你好\t你好\n")
    return cleaning_scan.ask_for_scan(project=project, by=researcher)


@pytest.fixture
def importing(researcher, tmp_path) -> Job:
    file = tar_of(tmp_path / "a.tar.gz", mutual_files(1, 2)).read_bytes()
    review = reviews.receive(name="lamps", file=SimpleUploadedFile("a.tar.gz", file), format="mutual", by=researcher)
    Job.objects.filter(pk=review.pk).update(state=JobState.DONE, result=reviews.run_review(review, no_progress))
    review.refresh_from_db()
    return reviews.ask_for_import(review=review, name="lamps", source="", licence="CC0", by=researcher)


LONG_WRITES = [
    ("freezing", releases, "insert"),
    ("scanning", cleaning_scan, "_write"),
    ("importing", corpora, "insert"),
]


def ask(client: Client, job: Job) -> str:
    """Return what a page that is open gets."""
    return client.get(reverse("job", args=[job.pk]), headers={"Accept": "application/json"}).json().get("html", "")


def handled(job: Job) -> None:
    jobs.KINDS[job.kind].handler(Job.objects.get(pk=job.pk), no_progress)


@pytest.mark.every_database
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("name", "module", "write"), LONG_WRITES, ids=[name for name, *_rest in LONG_WRITES])
def test_a_cancel_while_it_is_stored_is_answered_before_it_is(request, client, monkeypatch, name, module, write):
    job = request.getfixturevalue(name)
    jobs.start(job_pk=job.pk)
    assert "cannot be stopped" not in ask(client, job), "it reads first"
    began, answered, said = threading.Event(), threading.Event(), []
    whole = getattr(module, write)

    def waits(*args: object, **named: object) -> object:
        """Keep the turn to write until the page is answered."""
        began.set()
        assert answered.wait(PATIENCE)
        return whole(*args, **named)

    monkeypatch.setattr(module, write, waits)

    def click() -> None:
        assert began.wait(PATIENCE)
        try:
            said.append(ask(client, job))
            said.append(client.post(reverse("cancel_job", args=[job.pk]), follow=False).status_code)
        finally:
            answered.set()

    at_once([lambda: handled(job), click])
    assert "cannot be stopped" in said[0]
    assert said[1] == 302
    job.refresh_from_db()
    assert (job.state, job.cancel_asked) == (JobState.RUNNING, False)


def test_rows_of_an_import_can_be_cancelled_while_they_wait_and_not_while_they_are_stored(client, project, researcher):
    file = checked(project, PAIRS)
    job = import_jobs.ask_for_store(received=file, partial=False, by=researcher)
    address, button = reverse("cancel_job", args=[job.pk]), f'id="cancel-{job.pk}"'
    page = reverse("import", args=["weibo", file.pk])
    assert f'<form {button} method="post" action="{address}">' in client.get(page).content.decode()
    jobs.start(job_pk=job.pk)
    for text in (client.get(page).content.decode(), ask(client, job)):  # a page that is open loses its button
        assert address not in text
        assert text.count(button) == 1
        assert "cannot be stopped" in text
    assert client.post(address).url == page
    job.refresh_from_db()
    assert (job.state, job.cancel_asked) == (JobState.RUNNING, False)


@pytest.mark.every_database
@pytest.mark.django_db(transaction=True)
def test_a_cancel_while_rows_are_stored_is_answered_before_they_are(client, project, researcher):
    job = import_jobs.ask_for_store(received=checked(project, PAIRS), partial=False, by=researcher)
    jobs.start(job_pk=job.pk)
    began, answered = threading.Event(), threading.Event()

    def store() -> None:
        """Keep the turn to write, as a job does, until the page is answered."""
        with transaction.atomic():
            Job.objects.filter(pk=job.pk).update(done=1)
            began.set()
            assert answered.wait(PATIENCE)

    def click() -> None:
        assert began.wait(PATIENCE)
        try:
            assert client.post(reverse("cancel_job", args=[job.pk])).status_code == 302
        finally:
            answered.set()

    at_once([store, click])
