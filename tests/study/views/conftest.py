"""People who read studies."""

import pytest
from django.test import Client

from core.models import Role, User
from tests import factories


@pytest.fixture
def own(researcher) -> Client:
    """Return the researcher's browser."""
    client = Client()
    client.force_login(researcher)
    return client


@pytest.fixture
def colleague(db: None) -> User:
    """Return a researcher who is a member of no study."""
    return factories.person("kim", Role.RESEARCHER)


@pytest.fixture
def stranger(colleague) -> Client:
    client = Client()
    client.force_login(colleague)
    return client
