import pytest

from tests.annotation.management.shell import Shell


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str], administrator: object) -> Shell:
    return Shell(capsys)
