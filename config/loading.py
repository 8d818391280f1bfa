"""Loads the whole application, so that processes forked from this one share it and answer at once."""

import gc
from importlib import import_module

import django
from django.conf import settings
from django.db import connection, connections
from django.template.loader import get_template
from django.utils.module_loading import autodiscover_modules
from django.utils.translation import activate, deactivate


def load() -> None:
    """Import all pages and tasks, and leave no connection to a database open: a fork must not use its parent's."""
    django.setup()
    import_module(settings.ROOT_URLCONF)
    autodiscover_modules("tasks")
    connection.ops.compiler("SQLCompiler")  # which Django loads with the first query
    for database in connections.all(initialized_only=True):
        database.close()
        if database.vendor == "postgresql":
            database.close_pool()  # type: ignore[attr-defined]  # of PostgreSQL alone
    _keep()


def warm() -> None:
    """Compile the templates, read the texts of all languages and load what draws, or each process would for itself."""
    folder = settings.BASE_DIR / "templates"
    for template in folder.rglob("*.html"):
        get_template(template.relative_to(folder).as_posix())
    for language, _name in settings.LANGUAGES:
        activate(language)
    deactivate()
    import_module("core.figures.canvas").families()
    import_module("matplotlib.backends.backend_svg")  # of the figures on pages
    _keep()


def _keep() -> None:
    """Spare what is loaded from collections of garbage, which would write into the memory that forks share."""
    gc.collect()
    gc.freeze()
