"""Fixtures for what a machine may lack: a test that uses one is skipped with a reason if it is missing.

`--no-skips` makes every skipped test or file a failure: on a machine with everything installed, a skip hides a broken
set-up. `--on-another-database` leaves out tests whose result is the same on each database. A second database may answer
the queries of the layers that write them (OF_QUERIES), and the whole product, in its own way: so tests in a folder of
one of these layers run there if they touch the database, and so do stories and tests marked with `every_database`.
`--slow` also runs tests marked with `slow`: long simulations, each with a short version in every run.
"""

from collections.abc import Callable, Generator
from typing import TypeVar

import pytest

from tests import services

OF_DATABASE = {"db", "transactional_db", "live_server"}  # fixtures that a test on a database has
OF_PRODUCT = "house"  # the fixture of a test that starts the whole product
OF_QUERIES = {"actions", "models", "selectors"}
LONG = {"browser", "flows"}  # folders of tests that take seconds
EVERY_PAGE = "test_every_page"
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
    parser.addoption("--on-another-database", action="store_true", help="leave out what is alike on each database")
    parser.addoption("--slow", action="store_true", help="run simulations at length too")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "every_database: asks for what a database may answer in its own way")
    config.addinivalue_line("markers", "slow: simulates at length; a short version of it runs each time")
    if config.getoption("--no-skips"):
        config.pluginmanager.register(NoSkips())


@pytest.hookimpl(trylast=True)  # after pytest-django has put them in an order of its own
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--on-another-database"):
        leave_out(config, items, lambda item: not depends_on_database(item))
    if not config.getoption("--slow"):
        leave_out(config, items, lambda item: item.get_closest_marker("slow") is not None)
    items.sort(key=turn)


def turn(item: pytest.Item) -> int:
    """Return the test's place in the order: what takes a minute, what takes seconds, the rest.

    So none of the long ones is left for the end, where the other processes would wait for it.
    """
    if OF_PRODUCT in getattr(item, "fixturenames", ()) or EVERY_PAGE in item.nodeid:
        return 0
    return 1 if LONG & {*item.path.parts} else 2


def leave_out(config: pytest.Config, items: list[pytest.Item], is_out: Callable[[pytest.Item], bool]) -> None:
    config.hook.pytest_deselected(items=[item for item in items if is_out(item)])
    items[:] = [item for item in items if not is_out(item)]


def depends_on_database(item: pytest.Item) -> bool:
    """Return whether the test is to run on every kind of database."""
    if item.get_closest_marker("every_database") or OF_PRODUCT in getattr(item, "fixturenames", ()):
        return True
    return touches_database(item) and not OF_QUERIES.isdisjoint(item.path.parts)


def touches_database(item: pytest.Item) -> bool:
    fixtures = getattr(item, "fixturenames", ())
    return item.get_closest_marker("django_db") is not None or not OF_DATABASE.isdisjoint(fixtures)


class NoSkips:
    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        return failed_if_skipped((yield))

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        return failed_if_skipped((yield))


def failed_if_skipped(report: Report) -> Report:
    """Turn a skip into a failure. An expected failure (xfail), which is also reported as skipped, stays as it is."""
    if report.skipped and not hasattr(report, "wasxfail"):
        why = report.longrepr[-1] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome, report.longrepr = "failed", f"skipped under --no-skips: {why}"
    return report
