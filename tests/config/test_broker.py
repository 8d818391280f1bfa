"""The filesystem broker: a process reads whole what another one writes, or not at all."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from kombu import Connection, Exchange, Queue
from kombu.transport.virtual.base import Empty

from config.celery import app  # also registers our transport instead of kombu's
from tests.live_server import PATIENCE

MESSAGES, SECONDS = 200, PATIENCE
QUEUE = Queue("jobs", Exchange("jobs"), routing_key="jobs")


@pytest.fixture
def connect(tmp_path: Path) -> Callable[[], Connection]:
    (tmp_path / "control").mkdir()
    options = {
        "data_folder_in": str(tmp_path),
        "data_folder_out": str(tmp_path),
        "control_folder": str(tmp_path / "control"),
    }

    def open_one() -> Connection:
        return Connection("filesystem://localhost", transport_options=options)

    with open_one() as connection, connection.channel() as channel:
        QUEUE(channel).declare()  # as a worker does before anything is sent
    return open_one


def send(connect: Callable[[], Connection], numbers: range) -> None:
    with connect() as connection:
        producer = connection.Producer()
        for number in numbers:
            producer.publish({"job": number}, exchange="jobs", routing_key="jobs", declare=[QUEUE])


def receive(connect: Callable[[], Connection], wanted: int) -> list[Any]:
    """Return what two readers find together while others write."""
    found: list[Any] = []
    with connect() as connection, connection.channel() as channel:
        bound = QUEUE(channel)
        bound.declare()
        until = monotonic() + SECONDS
        while len(found) < wanted and monotonic() < until:
            try:
                if message := bound.get(no_ack=True):
                    found.append(message.payload["job"])
            except Empty:
                continue
    return found


def test_messages_of_many_writers_arrive_whole_and_once(connect):
    with ThreadPoolExecutor(5) as people:
        reader = people.submit(receive, connect, 4 * MESSAGES)
        writers = [people.submit(send, connect, range(n * MESSAGES, (n + 1) * MESSAGES)) for n in range(4)]
        for writer in writers:
            writer.result()
        assert sorted(reader.result()) == list(range(4 * MESSAGES))


def test_a_free_worker_looks_for_a_job_many_times_a_second():
    """A second goes by between two looks of kombu's own: so long would each job wait after the click."""
    with app.connection_for_read() as connection:
        assert connection.transport.polling_interval <= 0.1
