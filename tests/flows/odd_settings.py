"""Settings of a worker that knows the odd jobs, too."""

from tests.live_server_settings import *  # noqa: F403

CELERY_IMPORTS = ["tests.flows.odd_jobs"]
