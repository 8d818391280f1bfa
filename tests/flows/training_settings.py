"""Settings of a worker that knows the model of the tests, too."""

from tests.live_server_settings import *  # noqa: F403

CELERY_IMPORTS = ["tests.flows.stepwise"]
