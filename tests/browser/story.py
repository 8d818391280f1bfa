"""Helpers for the stories: the whole product as `bin/start` runs it, and people with browsers of their own."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests import databases
from tests.browser.conftest import DESKTOP, PATIENCE_MS
from tests.live_server import LiveServer, open_house

QUIET = ("ERR_INTERNET_DISCONNECTED", "ERR_FAILED")  # messages of the browser itself while it has no network


class StoryPerson:
    """A person with a browser of their own; messages of the console are kept."""

    def __init__(self, chromium: Browser, house: LiveServer, **options: Any) -> None:
        self.context: BrowserContext = chromium.new_context(
            **{"viewport": DESKTOP, "base_url": house.url, "locale": "en-GB", "accept_downloads": True, **options}
        )
        self.context.set_default_timeout(PATIENCE_MS)
        self.page: Page = self.context.new_page()
        self.said: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))

    def sign_in(self, username: str, password: str) -> None:
        self.page.goto("/signin/")
        self.page.fill("[name=username]", username)
        self.page.fill("[name=password]", password)
        self.page.keyboard.press("Enter")
        expect(self.page).not_to_have_url(re.compile("signin"))

    def complaints(self) -> list[str]:
        return [line for line in self.said if not any(part in line for part in QUIET)]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[LiveServer]:
    with databases.of_this_run(tmp_path) as url, open_house(tmp_path / "house", DATABASE_URL=url) as house:
        yield house
