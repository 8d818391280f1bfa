"""Database of the tests, and the cast: the people in them, and their project."""

import os
from collections.abc import Iterator
from typing import Any

import dj_database_url
import pytest
from django.conf import settings as django_settings
from django.db import connections, transaction
from django.db.models.signals import post_migrate
from hypothesis import HealthCheck, settings
from pytest_django import DjangoDbBlocker

from annotation.actions.projects import projects
from annotation.models import Kind, Project
from core.models import Role, User, hidden_draws
from tests import databases, factories
from tests.samples import SampleData

# On a busy machine.
UNHURRIED: dict[str, Any] = {"deadline": None, "max_examples": 30, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("here", **UNHURRIED)
settings.register_profile("ci", derandomize=True, database=None, print_blob=True, **UNHURRIED)
settings.load_profile("ci" if "CI" in os.environ else "here")


@pytest.fixture(scope="session", autouse=True)
def same_secret_draws() -> Iterator[None]:
    """Give all projects and studies one secret, so that a test meets the same gold and orders each time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hidden_draws, "token_hex", lambda size: "7e" * size)
        yield


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Copy a migrated database for the tests of this process, instead of migrating one.

    Django would write the permissions of its own, which the product has no use for, each time a database is emptied.
    """
    post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
    with databases.of_this_run(django_settings.DATA_DIR) as url:
        connections.settings["default"]["NAME"] = dj_database_url.parse(url)["NAME"]
        yield
        with django_db_blocker.unblock():
            connections.close_all()


@pytest.fixture(scope="module")
def sample(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[SampleData]:
    """Load the sample once for a module. Each of its tests runs within this transaction and undoes what it changes."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield SampleData.load()
        transaction.set_rollback(True)


@pytest.fixture
def administrator(db: None) -> User:
    return factories.person("ada", Role.ADMINISTRATOR)


@pytest.fixture
def researcher(db: None) -> User:
    return factories.person("rui", Role.RESEARCHER)


@pytest.fixture
def project(researcher: User) -> Project:
    """Return the researcher's rating project with the study's settings: grades 1 to 5, two annotators, a gap of at most
    1.
    """
    return projects.create(slug="weibo", kind=Kind.RATING, title="Weibo pairs", by=researcher)


@pytest.fixture
def annotator(project: Project) -> User:
    return factories.person("an", project=project)


@pytest.fixture
def partner(project: Project) -> User:
    return factories.person("bo", project=project)


@pytest.fixture
def newcomer(project: Project) -> User:
    """Return a third annotator."""
    return factories.person("chen", project=project)


@pytest.fixture
def inspector(project: Project) -> User:
    return factories.person("ines", Role.INSPECTOR, project=project)


@pytest.fixture
def expert(project: Project) -> User:
    return factories.person("eva", Role.EXPERT, project=project)


@pytest.fixture
def outsider(researcher: User) -> User:
    """Return an annotator who is a member of no project."""
    return factories.person("olu")
