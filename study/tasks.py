"""Tasks of the worker and the scheduler for studies. The imported actions register the kinds of jobs they handle."""

from typing import Any

from celery import current_app, shared_task
from celery.signals import heartbeat_sent

from core.domain.transitions import JobQueue
from core.models import last_times
from study.actions import answer_jobs, reports, results  # noqa: F401
from study.actions.questions import audits, questions  # noqa: F401
from study.actions.runs import baselines, upload_jobs  # noqa: F401
from study.actions.survey import exports, participants, retention, studies  # noqa: F401
from study.selectors.runs import devices


@shared_task
def close_overdue_surveys() -> None:
    participants.close_overdue()


@shared_task
def close_due_studies() -> None:
    studies.close_due()


@shared_task
def delete_personal_data() -> None:
    retention.forget_due()


@heartbeat_sent.connect
def note_gpu(**_: Any) -> None:
    """Note with each sign of life of a trainer that it may have a GPU."""
    if JobQueue.TRAINING in current_app.amqp.queues.consume_from and devices.may_have_gpu():
        last_times.note(devices.GPU)
