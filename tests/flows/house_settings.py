"""The product's settings with a queue of their own: several test runs may share one broker."""

import os

from config.settings import *  # noqa: F403

CELERY_TASK_DEFAULT_QUEUE = os.environ["QUEUE"]
