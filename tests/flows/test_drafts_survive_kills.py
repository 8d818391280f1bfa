"""Authors write over HTTP while the server is killed again and again: a reloaded page shows the draft last said to be
saved, or the one being sent.
"""

import threading
import time
import traceback
from typing import Any

from study.management.bots import Browser, Unreachable
from tests.flows.waiting import PATIENCE, eventually, patiently

SLUG, PASSWORD = "dream", "of these people alone"
AUTHORS, SAVES = 4, 24  # by each
KILLS = (20, 45, 70)  # numbers of acknowledged saves, of 96, after which the server is killed
PAUSE = 0.02  # seconds between two saves

Draft = list[str]


class PersistentAuthor:
    """Author who keeps writing, and reloads the page whenever the server is away."""

    def __init__(self, url: str, name: str) -> None:
        self.url, self.signin, self.page = url, f"{url}/signin/", f"{url}/projects/{SLUG}/write/"
        self.name = name
        self.browser = Browser()
        self.saved: list[Draft] = []  # every draft that was acknowledged
        self.returned_items = 0
        self.error = ""

    def write_all(self) -> None:
        try:
            patiently(lambda: self.browser.open(self.signin))
            patiently(lambda: self.browser.open(self.signin, {"username": self.name, "password": PASSWORD}))
            page_state = self.page_state()
            for number in range(SAVES):
                page_state = self.write(page_state, number)
                time.sleep(PAUSE)
        except Exception:
            self.error = traceback.format_exc()

    def write(self, page_state: dict[str, Any], number: int) -> dict[str, Any]:
        """Make one change, and send it until it is acknowledged."""
        draft = [*page_state["candidates"]]
        draft[number % 4] = f"{draft[number % 4]} {self.name} {number}.".strip()
        while True:
            sent = {"cut": page_state["cut"], "candidates": draft, "revision": page_state["revision"]}
            try:
                status, said = self.browser.post(f"{page_state['base']}save/", sent)
            except Unreachable:
                page_state = self.come_back(draft)
                continue
            assert status == 200, (status, said)
            self.saved.append(draft)
            return {**page_state, "candidates": draft, "revision": said["revision"]}

    def come_back(self, on_its_way: Draft) -> dict[str, Any]:
        self.returned_items += 1
        page_state = self.page_state()
        last = self.saved[-1] if self.saved else ["", "", "", ""]
        assert page_state["candidates"] in (last, on_its_way), (page_state["candidates"], last, on_its_way)
        return page_state

    def page_state(self) -> dict[str, Any]:
        page_state = patiently(lambda: self.browser.open(self.page)).page_state
        return {**page_state, "base": self.url + page_state["base"]}


def test_a_draft_that_was_saved_is_there_when_the_server_was_killed(house, clerk, capsys):
    clerk.ask("hire", SLUG, AUTHORS, PASSWORD, AUTHORS, "rewriting")
    authors = [PersistentAuthor(house.url, f"p{number}") for number in range(AUTHORS)]
    threads = [threading.Thread(target=author.write_all) for author in authors]
    for thread in threads:
        thread.start()
    for kill in KILLS:
        assert eventually(lambda kill=kill: saves(authors) >= kill or broke(authors)), "the authors do not get on"
        house.kill("web")
        house.start("web")
        house.wait_until_it_answers()
    for thread in threads:
        thread.join(PATIENCE)
    assert [author.error for author in authors if author.error] == []
    assert [author.page_state()["candidates"] for author in authors] == [author.saved[-1] for author in authors]
    returned_items = sum(author.returned_items for author in authors)
    assert returned_items > 0, "nobody noticed a kill, so nothing was shown"
    with capsys.disabled():
        database = house.environment["DATABASE_URL"].split(":")[0]
        print(f"\n{database}: drafts saved {saves(authors)}, killed {len(KILLS)}, came back {returned_items}")


def saves(authors: list[PersistentAuthor]) -> int:
    return sum(len(author.saved) for author in authors)


def broke(authors: list[PersistentAuthor]) -> bool:
    return any(author.error for author in authors)
