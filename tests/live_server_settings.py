"""Settings of a live server: queues of its own, as test runs may share one broker, and quick password hashing."""

import os

from config.settings import *  # noqa: F403
from config.settings import CELERY_BROKER_URL

if CELERY_BROKER_URL.startswith("redis"):
    CELERY_BROKER_TRANSPORT_OPTIONS = {"global_keyprefix": f"{os.environ['QUEUE']}:"}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
