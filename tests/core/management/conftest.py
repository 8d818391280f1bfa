import pytest

from tests.annotation.management.shell import Shell


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str]) -> Shell:
    """Return a shell in an installation without accounts."""
    return Shell(capsys)
