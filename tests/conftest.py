"""The cast: who plays in the tests, and the project they play in."""

import pytest
from hypothesis import settings

from annotation.actions.projects import projects
from annotation.models import Kind, Project
from core.models import Role, User
from tests import factories

settings.register_profile("untimed", settings(), deadline=None)  # a busy machine fails no test
settings.load_profile("untimed")


@pytest.fixture
def administrator(db: None) -> User:
    return factories.person("ada", Role.ADMINISTRATOR)


@pytest.fixture
def researcher(db: None) -> User:
    return factories.person("rui", Role.RESEARCHER)


@pytest.fixture
def project(researcher: User) -> Project:
    """The researcher's rating project with the study's settings: grades 1 to 5, two annotators, a gap of at most 1."""
    return projects.create(slug="weibo", kind=Kind.RATING, title="Weibo pairs", by=researcher)


@pytest.fixture
def annotator(project: Project) -> User:
    return factories.person("an", project=project)


@pytest.fixture
def partner(project: Project) -> User:
    return factories.person("bo", project=project)


@pytest.fixture
def newcomer(project: Project) -> User:
    """A third annotator."""
    return factories.person("chen", project=project)


@pytest.fixture
def inspector(project: Project) -> User:
    return factories.person("ines", Role.INSPECTOR, project=project)


@pytest.fixture
def expert(project: Project) -> User:
    return factories.person("eva", Role.EXPERT, project=project)


@pytest.fixture
def outsider(researcher: User) -> User:
    """An annotator who belongs to no project."""
    return factories.person("olu")
