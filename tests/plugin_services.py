"""Fixtures for what a machine may lack: a test that asks for one skips where it is missing, and says why.

`--no-skips` makes every skipped test or file a failure: where everything is installed a skip hides a broken set-up.
"""

from collections.abc import Generator
from typing import TypeVar

import pytest

from tests import services

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)


@pytest.fixture(scope="session")
def postgres_url() -> str:
    return services.postgres_url() or pytest.skip("no PostgreSQL answers: start one or set TEST_POSTGRES_URL")


@pytest.fixture(scope="session")
def redis_url() -> str:
    return services.redis_url() or pytest.skip("no Redis answers: start one or set TEST_REDIS_URL")


@pytest.fixture(scope="session")
def chromium_path() -> str:
    return services.chromium_path() or pytest.skip("no Chromium is installed: install one or set CHROMIUM")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--no-skips", action="store_true", help="count every skipped test as a failure")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--no-skips"):
        config.pluginmanager.register(NoSkips())


class NoSkips:
    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        return failed_if_skipped((yield))

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        return failed_if_skipped((yield))


def failed_if_skipped(report: Report) -> Report:
    """An expected failure (xfail) is reported as skipped too; it ran, and stays what it is."""
    if report.skipped and not hasattr(report, "wasxfail"):
        why = report.longrepr[-1] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome, report.longrepr = "failed", f"skipped under --no-skips: {why}"
    return report
