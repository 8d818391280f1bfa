"""Tasks of the worker and the scheduler for studies. The imported actions register the kinds of jobs they handle."""

from celery import shared_task

from study.actions import questions, results  # noqa: F401
from study.actions.runs import baselines  # noqa: F401
from study.actions.survey import participants


@shared_task
def close_overdue_surveys() -> None:
    participants.close_overdue()
