"""The Celery application: `celery -A config worker`. The broker carries only a job's key (core/tasks.py)."""

import logging.config
import os
from threading import Thread
from typing import Any

from celery import Celery, bootsteps
from celery.beat import Scheduler, Service
from celery.signals import setup_logging
from click import Option
from kombu.transport import TRANSPORT_ALIASES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")  # the checks would load every page

TRANSPORT_ALIASES["filesystem"] = "config.broker:Transport"

app = Celery("colloquy")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def log_as_set(**_: Any) -> None:
    """Log as the web process does, without personal data, in the place of Celery's own form."""
    from django.conf import settings

    logging.config.dictConfig(settings.LOGGING)


class Beat(Thread):
    """The scheduler in a thread. Where it breaks, the process ends, so that both start again."""

    def __init__(self, app: Celery) -> None:
        super().__init__(name="beat", daemon=True)
        # It sees each second whether it should stop. All is due within a minute: no times need to be kept in a file.
        self.service = Service(app, max_interval=1, scheduler_cls=Scheduler)

    def run(self) -> None:
        try:
            self.service.start()
        except BaseException:
            logging.getLogger(__name__).exception("the scheduler has ended, and the worker with it")
            os._exit(1)

    def stop(self) -> None:
        self.service.stop()


class BeatStep(bootsteps.StartStopStep):  # type: ignore[misc]  # celery has no types
    """Part of a worker with --with-beat: Celery's own --beat forks a process, which no one starts again."""

    def __init__(self, worker: Any, with_beat: bool = False, **options: Any) -> None:
        self.enabled = with_beat
        super().__init__(worker, **options)

    def create(self, worker: Any) -> Beat:
        return Beat(worker.app)


app.user_options["worker"].add(Option(["--with-beat"], is_flag=True, help="run the scheduler in a thread"))
app.steps["worker"].add(BeatStep)
