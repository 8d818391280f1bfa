"""The databases on which processes of their own work together."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import databases


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A new database of each kind in turn."""
    if request.param == "sqlite":
        yield databases.sqlite(tmp_path)
    else:
        with databases.postgresql(request.getfixturevalue("postgres_url")) as url:
            yield url
