"""The life of a job: its row says what is true, whatever happens to processes and broker."""

from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from django.utils import timezone

from annotation.models import Project
from core.actions import jobs
from core.actions.refusals import Refused
from core.domain.curves import MOST_POINTS, CurvePoint
from core.domain.transitions import JobQueue, JobState
from core.models import Event, Job, User
from core.selectors.jobs import jobs_waiting


@pytest.fixture
def job(project: Project, researcher: User) -> Job:
    return jobs.ask_for(kind="count", arguments={"to": 3}, scope=project, by=researcher)


def silent_since(job: Job, moment: datetime) -> None:
    Job.objects.filter(pk=job.pk).update(heartbeat_at=moment)


def swept() -> list[Job]:
    return jobs.sweep(jobs.find_silent())


def asked_at(job: Job, moment: datetime) -> None:
    Job.objects.filter(pk=job.pk).update(created_at=moment)


def long_ago() -> datetime:
    return timezone.now() - timedelta(minutes=5)


def history(job: Job) -> list[str]:
    return list(Event.objects.filter(subject="job", subject_id=job.pk).values_list("became", flat=True))


def test_a_job_is_asked_for_started_watched_and_done(job, researcher):
    assert (job.state, job.created_by, job.arguments) == (JobState.QUEUED, researcher, {"to": 3})
    started = jobs.start(job_pk=job.pk)
    assert (started.state, started.attempts) == (JobState.RUNNING, 1)
    assert started.started_at == started.heartbeat_at is not None
    assert jobs.beat(job_pk=job.pk, done=2, total=3)
    jobs.finish(job_pk=job.pk, becomes=JobState.DONE, result={"counted": 3})
    job.refresh_from_db()
    assert (job.state, job.done, job.total, job.result) == (JobState.DONE, 2, 3, {"counted": 3})
    assert job.is_over
    assert job.ended_at is not None
    assert history(job) == ["queued", "running", "done"]


def test_a_job_is_started_once(job):
    assert jobs.start(job_pk=job.pk) is not None
    assert jobs.start(job_pk=job.pk) is None
    assert history(job) == ["queued", "running"]


def test_a_beat_without_progress_keeps_what_was_said_before(job):
    jobs.start(job_pk=job.pk)
    jobs.beat(job_pk=job.pk, done=2, total=3)
    silent_since(job, long_ago())
    assert jobs.beat(job_pk=job.pk)
    job.refresh_from_db()
    assert (job.done, job.total) == (2, 3)
    assert job.heartbeat_at > timezone.now() - timedelta(minutes=1)


def test_a_failed_job_keeps_its_error(job):
    jobs.start(job_pk=job.pk)
    jobs.finish(job_pk=job.pk, becomes=JobState.FAILED, error="broken:ValueError")
    job.refresh_from_db()
    assert (job.state, job.error, job.result) == (JobState.FAILED, "broken:ValueError", None)


def test_a_job_that_is_over_stays_as_it_ended(job):
    jobs.start(job_pk=job.pk)
    jobs.finish(job_pk=job.pk, becomes=JobState.DONE, result=1)
    jobs.finish(job_pk=job.pk, becomes=JobState.FAILED, error="died")
    assert not jobs.beat(job_pk=job.pk, done=9)
    job.refresh_from_db()
    assert (job.state, job.result, job.error, job.done) == (JobState.DONE, 1, "", 0)


def test_a_queued_job_is_cancelled_at_once_and_never_started(job, researcher):
    jobs.cancel(job=job, by=researcher)
    job.refresh_from_db()
    assert job.state == JobState.CANCELLED
    assert jobs.start(job_pk=job.pk) is None
    assert Event.objects.get(subject="job", became="cancelled").by == researcher


def test_a_running_job_is_told_to_stop_at_its_next_beat(job, researcher):
    jobs.start(job_pk=job.pk)
    jobs.cancel(job=job, by=researcher)
    assert not jobs.beat(job_pk=job.pk)
    job.refresh_from_db()
    assert job.state == JobState.RUNNING
    jobs.finish(job_pk=job.pk, becomes=JobState.CANCELLED)
    assert history(job) == ["queued", "running", "cancel asked", "cancelled"]


def test_cancelling_a_job_that_is_over_changes_nothing(job, researcher):
    jobs.start(job_pk=job.pk)
    jobs.finish(job_pk=job.pk, becomes=JobState.DONE)
    jobs.cancel(job=job, by=researcher)
    assert history(job)[-1] == "done"


def test_a_job_that_stores_cannot_be_cancelled_until_another_attempt_reads_again(job, researcher):
    jobs.start(job_pk=job.pk)
    jobs.begin_storing(job)
    with pytest.raises(Refused) as refused:
        jobs.cancel(job=job, by=researcher)  # as it was before, on a page that waited to write
    assert refused.value.code == "storing"
    assert history(job) == ["queued", "running"]
    assert jobs.beat(job_pk=job.pk)
    silent_since(job, long_ago())
    swept()
    again = jobs.start(job_pk=job.pk)
    jobs.cancel(job=again, by=researcher)
    assert not jobs.beat(job_pk=job.pk)


def test_a_job_that_was_asked_to_stop_is_not_said_to_store(job, researcher):
    jobs.start(job_pk=job.pk)
    jobs.cancel(job=job, by=researcher)
    jobs.begin_storing(job)
    job.refresh_from_db()
    assert (job.cancel_asked, job.is_storing) == (True, False)


def test_a_job_whose_process_died_is_queued_again(job):
    jobs.start(job_pk=job.pk)
    silent_since(job, long_ago())
    assert swept() == [job]
    job.refresh_from_db()
    assert job.state == JobState.QUEUED
    assert Event.objects.filter(subject="job", became="queued").last().why == "no sign of life"
    assert jobs.start(job_pk=job.pk).attempts == 2


def test_a_job_that_died_three_times_fails(job):
    for _attempt in range(3):
        assert jobs.start(job_pk=job.pk) is not None
        silent_since(job, long_ago())
        again = swept()
    assert again == []
    job.refresh_from_db()
    assert (job.state, job.error, job.attempts) == (JobState.FAILED, "died", 3)


def test_a_job_that_died_after_somebody_cancelled_it_is_not_run_again(job, researcher):
    jobs.start(job_pk=job.pk)
    jobs.cancel(job=job, by=researcher)
    silent_since(job, long_ago())
    assert swept() == []
    job.refresh_from_db()
    assert job.state == JobState.CANCELLED


def test_a_job_that_gives_signs_of_life_is_left_alone(job):
    jobs.start(job_pk=job.pk)
    jobs.beat(job_pk=job.pk)
    assert swept() == []
    job.refresh_from_db()
    assert job.state == JobState.RUNNING


def test_a_job_whose_signs_of_life_waited_for_the_database_is_left_alone(job):
    jobs.start(job_pk=job.pk)
    silent_since(job, long_ago())
    silent = jobs.find_silent()
    assert set(silent) == {job.pk}
    jobs.beat(job_pk=job.pk)
    assert jobs.sweep(silent) == []
    job.refresh_from_db()
    assert (job.state, job.attempts) == (JobState.RUNNING, 1)


def test_a_queued_job_that_the_broker_forgot_is_handed_over_again_but_not_at_every_sweep(job):
    assert swept() == []
    asked_at(job, long_ago())
    assert swept() == [job]
    assert swept() == []
    silent_since(job, long_ago())
    assert swept() == [job]


def test_a_job_without_project_and_person_has_a_life_too(db):
    job = jobs.ask_for(kind="count", arguments={}, scope=None, by=None)
    jobs.start(job_pk=job.pk)
    jobs.finish(job_pk=job.pk, becomes=JobState.DONE)
    assert history(job) == ["queued", "running", "done"]


def point(step: int, loss: float | None = None, dev: float | None = None) -> CurvePoint:
    return CurvePoint(step, step, loss, dev, timezone.now())


def curve(job: Job) -> list[tuple[int, float | None, float | None]]:
    return list(job.points.values_list("step", "loss", "dev"))


def test_what_is_told_of_one_step_at_two_times_is_one_point(job):
    jobs.plot(job_pk=job.pk, points=[point(10, loss=0.9), point(20, loss=0.8)])
    jobs.plot(job_pk=job.pk, points=[point(20, dev=0.5), point(30, loss=0.7), point(30, dev=0.6)])
    assert curve(job) == [(10, 0.9, None), (20, 0.8, 0.5), (30, 0.7, 0.6)]


def test_a_training_that_goes_on_from_its_checkpoint_replaces_what_came_later(job):
    jobs.plot(job_pk=job.pk, points=[point(step, loss=1 / step) for step in (10, 20, 30, 40)])
    jobs.plot(job_pk=job.pk, points=[point(25, loss=0.5)])
    assert curve(job) == [(10, 0.1, None), (20, 0.05, None), (25, 0.5, None)]


def test_a_long_curve_is_thinned_out_and_keeps_its_checks_on_dev_and_its_end(job):
    for begin in range(1, 5_001, 100):
        points = [
            point(step, loss=1 / step, dev=step / 5_000 if step % 500 == 0 else None)
            for step in range(begin, begin + 100)
        ]
        jobs.plot(job_pk=job.pk, points=points)
    found = curve(job)
    assert len(found) <= MOST_POINTS
    assert [step for step, _loss, dev in found if dev is not None] == list(range(500, 5_001, 500))
    steps = [step for step, _loss, _dev in found]
    assert steps[-1] == 5_000
    assert max(later - earlier for earlier, later in pairwise(steps)) < 200


@pytest.fixture
def trainings(db) -> list[Job]:
    def training() -> Job:
        return jobs.ask_for(kind="train", arguments={}, scope=None, queue=JobQueue.TRAINING, by=None)

    return [training() for _number in range(3)]


def test_trainings_start_in_the_order_in_which_they_were_asked_for(trainings, job, researcher):
    assert list(jobs_waiting(JobQueue.TRAINING)) == trainings
    assert jobs.start_next(queue=JobQueue.TRAINING) == trainings[0]
    assert list(jobs_waiting(JobQueue.TRAINING)) == trainings[1:]
    jobs.cancel(job=trainings[1], by=researcher)
    assert list(jobs_waiting(JobQueue.TRAINING)) == trainings[2:]
    assert jobs.start_next(queue=JobQueue.TRAINING) == trainings[2]
    assert jobs.start_next(queue=JobQueue.TRAINING) is None
    assert list(jobs_waiting(JobQueue.USUAL)) == [job]


def test_a_training_that_died_is_the_next_again(trainings):
    jobs.start_next(queue=JobQueue.TRAINING)
    silent_since(trainings[0], long_ago())
    swept()
    assert list(jobs_waiting(JobQueue.TRAINING)) == trainings
    assert jobs.start_next(queue=JobQueue.TRAINING) == trainings[0]


def test_trainings_that_wait_for_hours_do_not_fill_the_broker(trainings, job):
    for waiting in [*trainings, job]:
        asked_at(waiting, long_ago())
    assert swept() == [job, trainings[0]]
