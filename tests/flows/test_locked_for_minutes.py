"""Another program keeps the SQLite file locked while 24 people send grades: pages answer, and nothing is lost."""

import http.client
import json
import sqlite3
import threading
from contextlib import closing
from uuid import uuid4

import pytest

from tests import databases
from tests.flows.driving import a_clerk
from tests.flows.http_raters import PASSWORD, SLUG, HttpAnnotator
from tests.flows.log import Log
from tests.flows.waiting import PATIENCE, eventually
from tests.live_server import open_house

PEOPLE = 24
ADDED_UP = 120  # seconds: if 24 people waited one after the other, up to 20 each, most would take longer
READING = ("/", "/account/")


class Sender(HttpAnnotator):
    """A person whose page sends one grade, with the same key each time."""

    def begin(self) -> None:
        self.sign_in()
        [pair, *_others] = self.browser.open(self.base).page_state["pairs"]
        self.address = f"{self.base}{pair['assignment']}/grade/"
        self.sent = {"grade": 4, "reason": "", "milliseconds": 900, "key": str(uuid4())}
        self.answers: list[tuple[int, str | None, dict[str, object]]] = []

    def send_once(self) -> None:
        self.answers.append(self.ask("POST", self.address, self.sent))

    def ask(self, method: str, address: str, sent: object = None) -> tuple[int, str | None, dict[str, object]]:
        """Return status, Retry-After and, of JSON, the body."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=ADDED_UP)) as connection:
            cookies = "; ".join(f"{each.name}={each.value}" for each in self.browser.cookies)
            headers = {"Cookie": cookies, "X-CSRFToken": self.browser.cookie("csrftoken")}
            headers |= {"Content-Type": "application/json"} if sent else {}
            connection.request(method, address, json.dumps(sent) if sent else None, headers)
            answer = connection.getresponse()
            body = answer.read()
            return answer.status, answer.getheader("Retry-After"), json.loads(body) if sent else {}


@pytest.fixture
def house(tmp_path):
    own = {"DATABASE_URL": databases.sqlite(tmp_path), "SECRET_KEY": "of this test alone"}
    with open_house(tmp_path, CELERY_BROKER_URL="filesystem://", **own) as house:
        yield house


@pytest.fixture
def people(house, tmp_path):
    with a_clerk(house.environment) as clerk:
        clerk.ask("hire", SLUG, PEOPLE, PASSWORD, 2 * PEOPLE)
    people = [Sender(house.url, number, Log(tmp_path / "log")) for number in range(PEOPLE)]
    for person in people:
        person.port = house.port
        person.begin()
    return people


def test_all_who_send_are_answered_and_pages_that_only_read_go_on(house, people, tmp_path):
    with closing(sqlite3.connect(tmp_path / "colloquy.sqlite3", isolation_level=None)) as shell:
        shell.execute("BEGIN IMMEDIATE")
        threads = [threading.Thread(target=person.send_once) for person in people]
        for thread in threads:
            thread.start()
        assert eventually(lambda: any(person.answers for person in people)), "no one is told"
        reader = people[0]
        read = [reader.ask("GET", page)[0] for _time in range(10) for page in READING]
        still_waiting = [person for person in people if not person.answers]
        for thread in threads:
            thread.join(PATIENCE)
        assert read == [200] * len(read)
        assert still_waiting, "pages were read only after the last sender was refused"
        assert [len(person.answers) for person in people] == [1] * PEOPLE  # while the file is still locked
        shell.execute("ROLLBACK")
    for person in people:
        [(status, retry_after, said)] = person.answers
        assert (status, retry_after, said["code"]) == (503, "60", "storage_trouble")
        assert "Nothing is lost" in said["detail"]
        person.send_once()
        assert person.answers[-1][0] == 200
    with closing(sqlite3.connect(tmp_path / "colloquy.sqlite3")) as shell:
        assert shell.execute("SELECT count(*) FROM annotation_rating").fetchone() == (PEOPLE,)
