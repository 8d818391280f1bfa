"""Loads the whole application, so that processes forked from this one share it and answer at once."""

import gc
from importlib import import_module

import django
from django.conf import settings
from django.db import connections
from django.utils.module_loading import autodiscover_modules


def load() -> None:
    """Import all pages and tasks, and leave no connection to a database open: a fork must not use its parent's."""
    django.setup()
    import_module(settings.ROOT_URLCONF)
    autodiscover_modules("tasks")
    for database in connections.all(initialized_only=True):
        database.close()
        if database.vendor == "postgresql":
            database.close_pool()  # type: ignore[attr-defined]  # of PostgreSQL alone
    gc.collect()
    gc.freeze()  # a later collection would write into the memory that forks share
