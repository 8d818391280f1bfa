"""The product's settings with a queue of their own, as several test runs may share one broker, and quick passwords."""

import os

from config.settings import *  # noqa: F403

CELERY_TASK_DEFAULT_QUEUE = os.environ["QUEUE"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
