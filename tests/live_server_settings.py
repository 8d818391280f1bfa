"""Settings of a live server: a queue of its own, as test runs may share one broker, and quick password hashing."""

import os

from config.settings import *  # noqa: F403

CELERY_TASK_DEFAULT_QUEUE = os.environ["QUEUE"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
