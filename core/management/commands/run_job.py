"""Run one job in this process. The worker starts this command for each long job. Example: manage.py run_job 12"""

import json
import os
import sys
import threading
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils.module_loading import autodiscover_modules

from core.models import Job
from core.tasks import carry_out

EVERY = 0.2  # seconds between two lines of progress


class Command(BaseCommand):
    help = __doc__
    requires_system_checks: list[str] = []  # the checks would load every page and delay the job

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("job", type=int)

    def handle(self, *, job: int, **options: Any) -> None:
        autodiscover_modules("tasks")
        threading.Thread(target=end_with_the_parent, daemon=True).start()
        outcome = carry_out(Job.objects.select_related("created_by").get(pk=job), JobProgress())
        say(**outcome)
        if "error" in outcome:
            raise SystemExit(1)


class JobProgress:
    """Print progress at most five times a second."""

    def __init__(self) -> None:
        self.said_at = 0.0

    def __call__(self, done: int, total: int | None = None) -> None:
        if time.monotonic() - self.said_at >= EVERY or done == total:
            self.said_at = time.monotonic()
            say(done=done, total=total)


def say(**words: Any) -> None:
    sys.stdout.write(json.dumps(words) + "\n")
    sys.stdout.flush()


def end_with_the_parent() -> None:
    """Exit when the worker is gone: standard input is a pipe from the worker, and it closes then."""
    if not sys.stdin.isatty():
        sys.stdin.read()
        os._exit(3)
