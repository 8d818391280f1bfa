"""Chromium for the browser tests. A console message, or a breach of the page's policy, fails the test."""

import os
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe_playwright_python.base import AxeResults
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.core.signals import request_finished, request_started
from django.db import connections
from django.test import Client
from playwright.sync_api import Browser, Page, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from annotation.models import Project
from core.models import User
from tests import factories
from tests.browser.rating import PATH
from tests.live_server import PATIENCE
from tests.services import chromium_path

# Playwright runs an event loop in the thread of the tests, which Django would take for an asynchronous caller. A
# callback of Playwright (a route, an event) has a context of its own, so a query there would open a connection that is
# never closed: callbacks keep what they are given, and tests ask the database.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

DESKTOP = {"width": 1440, "height": 900}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SWITCHES = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-extensions",
    "--disable-features=PreloadTopChromeWebUI",
]
AT_400_PERCENT = {"viewport": {"width": 320, "height": 256}}  # what a screen of 1280 by 1024 has then
OF_COLOURS = ["color-contrast", "link-in-text-block"]  # the rules whose answer another theme can change
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

AXE = Axe()

PATIENCE_MS = 120_000  # for one thing on one page, so that a missing one fails a test in two minutes, not in fifteen
OpenPage = Callable[..., Page]

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = chromium_path()
    if path is None:
        pytest.skip("Chromium is not installed: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=SWITCHES)
        yield browser
        browser.close()
        connections.close_all()  # before the loop ends, after which the connection is out of reach


@pytest.fixture
def forgiven() -> list[str]:
    """Return parts of console messages that the test causes itself, for example "ERR_INTERNET_DISCONNECTED"."""
    return []


class RequestsUnderWay:
    """The requests that the server has begun and not ended, each by the thread that answers it.

    Not a number of them: the end of a request that began before anybody counted must not be taken for another's.
    """

    def __init__(self) -> None:
        self._threads: set[int] = set()
        self._changed = threading.Condition()

    def begin(self, **_: Any) -> None:
        with self._changed:
            self._threads.add(threading.get_ident())

    def end(self, **_: Any) -> None:
        with self._changed:
            self._threads.discard(threading.get_ident())
            self._changed.notify_all()

    def wait_for_none(self) -> None:
        """Wait for requests of closed pages, which would hold locks while the database is emptied."""
        with self._changed:
            assert self._changed.wait_for(lambda: not self._threads, timeout=PATIENCE), "a request does not end"


@pytest.fixture
def requests_under_way() -> Iterator[RequestsUnderWay]:
    requests = RequestsUnderWay()
    request_started.connect(requests.begin)
    request_finished.connect(requests.end)
    yield requests
    request_started.disconnect(requests.begin)
    request_finished.disconnect(requests.end)


@pytest.fixture
def open_page(
    transactional_db: None,
    live_server: LiveServer,
    chromium: Browser,
    requests_under_way: RequestsUnderWay,
    forgiven: list[str],
) -> Iterator[OpenPage]:
    """Return `open_page("/some/path/", by=person)`, which opens a page in a browser of its own, signed in as `person`
    if given.

    Further options are those of Playwright's `new_context`: a phone, a language, a colour scheme.
    """
    contexts, said = [], []

    def open_(path: str, by: User | None = None, **options: Any) -> Page:
        context = chromium.new_context(**{"viewport": DESKTOP, "base_url": live_server.url, **options})
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        if by is not None:
            context.add_cookies([session_cookie(by, live_server.url)])
        page = context.new_page()
        page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: said.append(f"error: {error}"))
        page.goto(path)
        return page

    yield open_
    for context in contexts:
        context.close()
    requests_under_way.wait_for_none()
    assert [line for line in said if not any(part in line for part in forgiven)] == []


def session_cookie(person: User, url: str) -> dict[str, str]:
    client = Client()
    client.force_login(person)
    name = settings.SESSION_COOKIE_NAME
    return {"name": name, "value": client.cookies[name].value, "url": url}


@pytest.fixture
def assert_accessible() -> Callable[[Page], None]:
    """Check that axe finds nothing on the page in light, and nothing about its colours in dark.

    A click does not wait for the page that it leads to: expect a part of that page first.
    """

    def check(page: Page) -> None:
        page.wait_for_load_state()
        page.evaluate(AXE.axe_script)
        for scheme, rules in (("light", RULES), ("dark", OF_COLOURS)):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # no colour in transition
            found = page.evaluate("how => axe.run(how)", {"runOnly": rules, "resultTypes": ["violations"]})
            result = AxeResults(found)
            assert result.violations_count == 0, f"{scheme}: {result.generate_report()}"

    return check


@pytest.fixture
def rating_page(open_page: OpenPage, project: Project, annotator: User) -> Page:
    """Return the annotator's page of a project with twelve pairs."""
    factories.pairs(project, 12)
    return open_page(PATH, by=annotator)
