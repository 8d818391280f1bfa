"""Long work as a page shows it: how far it is, how long it may take, and what the page does when it is over."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.actions.releases import releases
from core.actions import jobs
from core.domain.transitions import JobQueue, JobState
from core.models import Job
from tests import factories
from tests.factories import no_progress, received

PAIRS = "吃了吗?\t吃了,你呢?\n"


@pytest.fixture
def client(researcher) -> Client:
    client = Client()
    client.force_login(researcher)
    return client


@pytest.fixture
def job(project, researcher) -> Job:
    file = received(project, PAIRS)
    return jobs.ask_for(kind="check_import", arguments={"import": file.pk}, scope=project, by=researcher)


def change(job: Job, *, ago: int = 0, **values: object) -> None:
    """Set what a worker would have set; `ago` is when it began, in seconds."""
    began = timezone.now() - timedelta(seconds=ago)
    Job.objects.filter(pk=job.pk).update(created_at=began, started_at=began, heartbeat_at=timezone.now())
    Job.objects.filter(pk=job.pk).update(**values)


def poll(client: Client, job: Job):
    """Ask as the page does."""
    return client.get(reverse("job", args=[job.pk]), headers={"Accept": "application/json"})


def told(client: Client, job: Job) -> str:
    return poll(client, job).json()["html"]


def test_a_running_job_says_how_far_it_is_and_how_long_it_takes(client, job):
    change(job, ago=10, state=JobState.RUNNING, done=41_200, total=51_500)
    text = told(client, job)
    assert "41,200 of 51,500" in text
    assert "s left" in text
    assert 'aria-valuenow="80"' in text
    assert 'width="80.0%"' in text


@pytest.mark.parametrize(
    ("ago", "done", "left"), [(10, 80, "3 s left"), (90, 10, "14 min left"), (1, 0, ""), (10, 100, "")]
)
def test_the_time_left_follows_from_the_time_taken(client, job, ago, done, left):
    change(job, ago=ago, state=JobState.RUNNING, done=done, total=100)
    text = told(client, job)
    assert left in text
    assert ("left" in text) == bool(left)


@pytest.mark.parametrize(("ago", "interval"), [(0, 300), (8, 300), (15, 1000), (120, 5000)])
def test_a_page_asks_often_at_first_and_seldom_later(client, job, ago, interval):
    change(job, ago=ago, state=JobState.RUNNING)
    assert f'data-every="{interval}"' in told(client, job)


def test_a_page_of_a_training_asks_every_five_seconds_after_the_first_ten(client, job):
    change(job, ago=15, state=JobState.RUNNING, queue=JobQueue.TRAINING)
    assert 'data-every="5000"' in told(client, job)


def test_a_job_that_nobody_takes_up_says_so_after_some_seconds(client, job):
    assert "waiting for a worker" in told(client, job)
    assert "No worker has taken this up yet." not in told(client, job)
    change(job, ago=6)
    assert "No worker has taken this up yet." in told(client, job)


@pytest.mark.parametrize(("silent", "says"), [(1, "The workers are busy"), (40, "No worker has taken this up yet.")])
def test_a_job_behind_others_says_that_the_workers_are_busy(client, job, silent, says):
    heartbeat = timezone.now() - timedelta(seconds=silent)
    Job.objects.create(kind=job.kind, state=JobState.RUNNING, heartbeat_at=heartbeat)
    change(job, ago=6)
    assert says in told(client, job)


def test_a_job_without_a_sign_of_life_says_so(client, job):
    silent_since = timezone.now() - timedelta(seconds=40)
    change(job, ago=60, state=JobState.RUNNING, heartbeat_at=silent_since, done=1, total=2)
    assert "No response for 40 s" in told(client, job)
    assert "left" not in told(client, job), "nobody knows how long it takes now"


@pytest.mark.parametrize("state", [JobState.DONE, JobState.FAILED, JobState.CANCELLED])
def test_when_it_is_over_the_page_goes_to_the_outcome(client, job, state):
    change(job, state=state)
    assert poll(client, job).json() == {"next": reverse("import", args=["weibo", job.arguments["import"]])}


def test_a_frozen_release_is_where_freezing_leads(client, project, annotator, partner, researcher):
    factories.pairs(project, 1)
    for person in (annotator, partner):
        factories.grade_next(project, person, 4)
    job = releases.ask_for_freeze(project=project, number=1, seed=0, by=researcher)
    change(job, state=JobState.CANCELLED)
    assert poll(client, job).json() == {"next": reverse("releases", args=["weibo"])}
    change(job, state=JobState.DONE, result=releases.run_freeze(job, no_progress))
    assert poll(client, job).json() == {"next": reverse("release", args=["weibo", 1])}


def test_a_job_has_a_page_of_its_own(client, job):
    address = reverse("job", args=[job.pk])
    assert "Reading the file" in client.get(address).content.decode()
    change(job, state=JobState.FAILED, error="died")
    text = client.get(address).content.decode()
    assert "The job stopped without an error message" in text
    assert reverse("import", args=["weibo", job.arguments["import"]]) in text
    assert "data-poll" not in text


def test_a_waiting_job_is_cancelled_at_once(client, job):
    answer = client.post(reverse("cancel_job", args=[job.pk]))
    assert answer.url == reverse("import", args=["weibo", job.arguments["import"]])
    job.refresh_from_db()
    assert job.state == JobState.CANCELLED


def test_a_running_job_is_asked_to_stop_and_the_page_says_so(client, job):
    change(job, state=JobState.RUNNING, done=5, total=10)
    answer = client.post(reverse("cancel_job", args=[job.pk]), follow=True)
    job.refresh_from_db()
    assert (job.state, job.cancel_asked) == (JobState.RUNNING, True)
    assert "stopping …" in answer.content.decode()
    assert reverse("cancel_job", args=[job.pk]) not in answer.content.decode()


def test_cancelling_what_is_over_changes_nothing(client, job):
    change(job, state=JobState.DONE, result={})
    client.post(reverse("cancel_job", args=[job.pk]))
    job.refresh_from_db()
    assert (job.state, job.cancel_asked) == (JobState.DONE, False)


def test_a_job_is_seen_by_those_of_its_project_alone(job, project):
    stranger = factories.person("sam", "researcher")
    client = Client()
    client.force_login(stranger)
    assert poll(client, job).status_code == 404
    assert client.post(reverse("cancel_job", args=[job.pk])).status_code == 404
    job.refresh_from_db()
    assert job.state == JobState.QUEUED


def test_watching_takes_few_queries(client, job, django_assert_max_num_queries):
    change(job, state=JobState.RUNNING, done=1, total=10)
    poll(client, job)
    with django_assert_max_num_queries(4):
        poll(client, job)
