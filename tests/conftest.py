"""The cast: who plays in the tests, and the project they play in."""

from collections.abc import Iterator

import pytest
from django.db import connection
from hypothesis import settings
from pytest_django import DjangoDbBlocker

from annotation.actions import projects
from annotation.models import Kind, Project, Role, User
from tests import factories

settings.register_profile("untimed", settings(), deadline=None)  # a busy machine fails no test
settings.load_profile("untimed")


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """PostgreSQL drops no database that somebody is on: a page may have asked its server when its test was over."""
    yield
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )


@pytest.fixture
def administrator(db: None) -> User:
    return factories.person("ada", Role.ADMINISTRATOR)


@pytest.fixture
def researcher(db: None) -> User:
    return factories.person("rui", Role.RESEARCHER)


@pytest.fixture
def project(researcher: User) -> Project:
    """The researcher's rating project with the study's settings: grades 1 to 5, two raters, a gap of at most 1."""
    return projects.create(slug="weibo", kind=Kind.RATING, title="Weibo pairs", by=researcher)


@pytest.fixture
def rater(project: Project) -> User:
    return factories.person("an", project=project)


@pytest.fixture
def partner(project: Project) -> User:
    return factories.person("bo", project=project)


@pytest.fixture
def newcomer(project: Project) -> User:
    """A third rater."""
    return factories.person("chen", project=project)


@pytest.fixture
def inspector(project: Project) -> User:
    return factories.person("ines", Role.INSPECTOR, project=project)


@pytest.fixture
def expert(project: Project) -> User:
    return factories.person("eva", Role.EXPERT, project=project)


@pytest.fixture
def outsider(researcher: User) -> User:
    """A rater who belongs to no project."""
    return factories.person("olu")
