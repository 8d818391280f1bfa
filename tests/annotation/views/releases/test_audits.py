"""The page of an audit: requested, watched, read by all who may read the corpus."""

import csv
import io
import json

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from annotation.actions.releases import audits
from core import tasks as tasks
from core.actions import jobs
from core.domain.transitions import JobState
from core.models import Job, Role
from tests import factories
from tests.corpora import stored
from tests.factories import no_progress

pytestmark = pytest.mark.django_db

PAGE = "/corpora/lamps/audit/"
AS_POLL = {"Accept": "application/json"}
HARBOUR = "The ferry leaves at nine & my <cousin> waits near the harbour with two heavy bags."


@pytest.fixture
def client(researcher) -> Client:
    client = Client()
    client.force_login(researcher)
    return client


@pytest.fixture
def sent(monkeypatch) -> list[Job]:
    """Return the jobs that were sent to the broker."""
    sent: list[Job] = []
    monkeypatch.setattr("annotation.views.releases.audits.dispatch", sent.append)
    return sent


@pytest.fixture
def lamps(researcher):
    rows = [
        {
            "id": f"{split}_1",
            "split": split,
            "turns": [{"speaker": "m", "text": text}],
            "candidates": ["Yes.", "yes", "No.", "=1+1"],
            "answer": 2,
        }
        for split, text in (("train", HARBOUR), ("dev", HARBOUR), ("test", HARBOUR.upper()))
    ]
    return stored("lamps", rows, by=researcher)


def done(job: Job) -> None:
    """Finish the job as the worker does."""
    started = jobs.start(job_pk=job.pk)
    tasks._write_down(started, tasks.carry_out(started, no_progress), was_stopped=False)


def text_of(response) -> str:
    return " ".join(strip_tags(response.content.decode()).split())


def test_an_audit_is_begun_watched_and_read(client, lamps, sent):
    assert "Begin the audit" in text_of(client.get(PAGE))
    assert client.post(PAGE).url == PAGE
    [job] = sent
    watched = client.get(PAGE)
    assert "Auditing for leaks and shortcuts" in text_of(watched)
    assert "Begin the audit" not in text_of(watched)
    done(job)
    page = client.get(PAGE)
    text = text_of(page)
    assert "1 context is in two splits." in text
    assert "too few instances" in text
    assert "Equal options: 3 examples" in text
    assert "&lt;cousin&gt;" in page.content.decode()
    assert "<cousin>" not in page.content.decode()


def test_a_way_of_guessing_opens_the_instances_that_it_gets_right(client, researcher, sent):
    rows = [
        {
            "id": f"lamp {number}",
            "turns": [{"speaker": "m", "text": f"{number} lamps or {number + 1}?"}],
            "candidates": ["One.", f"The longest of them, {number}.", "Two.", "None."],
            "answer": 1,
        }
        for number in range(60)
    ]
    stored("lamps", rows, by=researcher)
    client.post(PAGE)
    done(sent[0])
    text = text_of(client.get(PAGE))
    assert "Always the longest: 10 examples that it gets right" in text
    assert "lamp 9" in text and "lamp 10" not in text
    assert "Always the shortest: " not in text, "it is looked at, and gets nothing right"
    report = client.get("/api/v1/corpora/lamps/audit/").json()
    assert report["shortcuts"]["longest"]["examples"][0] == {"position": 0, "id": "lamp 0", "split": ""}


def test_an_audit_under_way_is_not_begun_again(client, lamps, sent):
    client.post(PAGE)
    client.post(PAGE)
    assert Job.objects.filter(kind="audit").count() == 1


def test_who_reads_the_corpus_reads_its_audit_and_only_who_asked_may_stop_it(client, lamps, sent):
    client.post(PAGE)
    other = Client()
    other.force_login(factories.person("ida", Role.RESEARCHER))
    watched = other.get(PAGE)
    assert "Auditing for leaks" in text_of(watched)
    assert "Cancel" not in text_of(watched)
    assert "Cancel" in text_of(client.get(PAGE))
    assert "Auditing for leaks" in other.get(PAGE, headers=AS_POLL).json()["html"]
    done(sent[0])
    assert other.get(PAGE, headers=AS_POLL).json() == {"next": PAGE}
    assert "1 context is in two splits." in text_of(other.get(PAGE))


def test_one_that_ended_early_says_so_and_can_be_begun_again(client, lamps, sent, researcher):
    client.post(PAGE)
    jobs.cancel(job=sent[0], by=researcher)
    text = text_of(client.get(PAGE))
    assert "Cancelled" in text
    assert "Begin the audit" in text


def test_where_nothing_can_be_found_the_page_says_so(client, researcher, sent):
    talk = [{"id": str(number), "turns": [{"speaker": "m", "text": HARBOUR}]} for number in range(3)]
    done(audits.ask_for(subject=stored("talk", talk, by=researcher), by=researcher))
    text = text_of(client.get("/corpora/talk/audit/"))
    assert "nothing can leak from one to another" in text
    assert "there is nothing to guess" in text
    assert "Always the longest" not in text


def test_the_leaks_are_a_table_to_take_away(client, lamps, sent):
    address = reverse("corpus_leaks_csv", args=["lamps"])
    assert client.get(address).status_code == 404
    client.post(PAGE)
    done(sent[0])
    rows = list(csv.reader(io.StringIO(client.get(address).content.decode("utf-8-sig"))))
    assert rows == [
        ["leak", "likeness", "split", "id"],
        ["1", "exact", "train", "train_1"],
        ["1", "exact", "dev", "dev_1"],
        ["1", "exact", "test", "test_1"],
    ]


def test_what_was_found_is_in_the_api(client, lamps, sent):
    address = "/api/v1/corpora/lamps/audit/"
    assert client.get(address).status_code == 404
    client.post(PAGE)
    done(sent[0])
    assert client.get(address).json() == json.loads(json.dumps(audits.audit_report(lamps, no_progress)))


def test_a_job_keeps_the_first_rows_alone(lamps, researcher, monkeypatch):
    monkeypatch.setattr(audits, "ROWS_KEPT", 2)
    done(audits.ask_for(subject=lamps, by=researcher))
    job = Job.objects.get(kind="audit")
    assert job.state == JobState.DONE
    equal = job.result["shortcuts"]["equal_options"]
    assert (equal["n"], len(equal["rows"])) == (3, 2)
