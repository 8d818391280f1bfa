"""Databases on which separate processes work together, and the product running on one of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import databases
from tests.flows.driving import CommandDriver, a_clerk
from tests.live_server import LiveServer, open_house


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Yield a new database of each kind in turn."""
    if request.param == "sqlite":
        yield databases.sqlite(tmp_path)
    else:
        with databases.postgresql(request.getfixturevalue("postgres_url")) as url:
            yield url


@pytest.fixture
def house(database_url: str, tmp_path: Path) -> Iterator[LiveServer]:
    own = {"SECRET_KEY": "of this test alone", "CELERY_BROKER_URL": "filesystem://"}
    with open_house(tmp_path, DATABASE_URL=database_url, **own) as house:
        yield house


@pytest.fixture
def clerk(house: LiveServer) -> Iterator[CommandDriver]:
    with a_clerk(house.environment) as clerk:
        yield clerk
