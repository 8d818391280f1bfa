"""Services on this machine for the tests that need more than Python. Each function returns None if there is none."""

import os
import shutil
from functools import cache

import psycopg
import redis

SECONDS = 30  # to wait for a busy service; a missing one refuses at once
# The first has no windows and takes a third less time.
BROWSERS = ("chromium-headless-shell", "/usr/bin/chromium", "chromium", "chromium-browser", "google-chrome")


@cache
def postgres_url() -> str | None:
    """Return a PostgreSQL server on which databases may be created: TEST_POSTGRES_URL, else the usual local one."""
    url = os.environ.get("TEST_POSTGRES_URL", "postgresql://postgres@127.0.0.1:5432/postgres")
    try:
        psycopg.connect(url, connect_timeout=SECONDS).close()
    except psycopg.OperationalError:
        return None
    return url


@cache
def redis_url() -> str | None:
    """Return a Redis database that tests may empty: TEST_REDIS_URL, else number 15 of the usual local server."""
    url = os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379/15")
    try:
        with redis.Redis.from_url(url, socket_connect_timeout=SECONDS, socket_timeout=SECONDS) as server:
            server.ping()
    except redis.RedisError:
        return None
    return url


@cache
def chromium_path() -> str | None:
    """Return a browser that Playwright can drive: CHROMIUM, else the first of the usual names that is installed."""
    named = os.environ.get("CHROMIUM")
    return next(filter(None, map(shutil.which, [named] if named else BROWSERS)), None)
