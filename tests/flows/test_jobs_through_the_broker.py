"""Large imports and a release through a real worker: progress, cancel, and a worker killed during a job."""

from collections.abc import Iterator

import pytest

from tests.flows.broker_house import KINDS, BrokerDriver, a_house
from tests.flows.driving import Look, is_over
from tests.flows.waiting import eventually

PAIRS = 20_000
MANY = 100_000  # rows: storing them takes seconds
TO_WATCH = 200_000  # rows: reading them takes long enough to be seen
SOME_ROWS = 4_000_000  # bytes, of more than 20 million


def is_on_its_way(look: Look) -> bool:
    return look["state"] == "running" and bool(look["done"])


@pytest.fixture(scope="module", params=KINDS)
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrokerDriver]:
    with a_house(request, tmp_path_factory.mktemp("house")) as house:
        yield house


def test_a_large_file_goes_through_the_worker(house):
    slug = house.project("story")
    file = house.file(slug, PAIRS)
    assert house.done(house.ask("check", file)) == {"rows": PAIRS, "good": PAIRS, "duplicate": 0, "refused": 0}
    assert house.done(house.ask("store", file)) == {"rows": PAIRS, "stored": PAIRS, "duplicate": 0, "refused": 0}
    stored = house.ask("stored", slug)
    assert [stored[name] for name in ("items", "slots", "digests", "positions")] == [PAIRS] * 4
    print("stored", stored)


def test_a_release_is_frozen_by_the_worker_once_however_often_the_broker_asks(house):
    slug = house.project("release")
    file = house.file(slug, 2_000)
    house.done(house.ask("check", file))
    house.done(house.ask("store", file))
    assert house.ask("rate", slug) == 4_000
    job = house.ask("freeze", slug)
    house.ask("send_again", job)
    result = house.done(job)
    house.ask("send_again", job)
    house.done(house.ask("check", house.file(slug, 10)))  # the worker has reached what was sent after it
    stored = house.ask("stored", slug)
    assert result["number"] == stored["releases"] == 1
    assert result["instances"] == stored["instances"] == 2_000 - result["left_out"]["removed"]


def test_progress_rises_while_a_file_is_read(house):
    slug = house.project("progress")
    seen = house.watch(house.ask("check", house.file(slug, TO_WATCH)), until=is_over)
    assert seen[-1]["state"] == "done"
    steps = [look["done"] for look in seen]
    assert steps == sorted(steps)
    assert steps[-1] == TO_WATCH
    assert any(0 < step < TO_WATCH for step in steps), "nothing was told on the way"
    assert {look["total"] for look in seen if look["done"]} == {TO_WATCH}


def test_a_cancelled_job_ends_its_process_and_leaves_nothing(house):
    slug = house.project("cancel")
    file = house.file(slug, TO_WATCH)
    job = house.ask("check", file)
    house.watch(job, until=is_on_its_way)
    house.ask("cancel", job)
    state = house.watch(job, until=is_over)[-1]["state"]  # a fast machine has read the file before it is told
    assert eventually(lambda: not house.children(job)), "the child goes on"
    assert house.ask("state_of", file) == {"cancelled": "received", "done": "checked"}[state]

    file = house.file(slug, PAIRS)
    house.done(house.ask("check", file))
    job = house.ask("store", file)
    house.watch(job, until=lambda look: is_over(look) or bool(house.children(job)))
    house.ask("cancel", job)
    state = house.watch(job, until=is_over)[-1]["state"]
    expected = {"cancelled": 0, "done": PAIRS}[state]
    stored = house.ask("stored", slug)
    assert stored["items"] == stored["slots"] == expected
    assert house.ask("state_of", file) == {"cancelled": "checked", "done": "stored"}[state]


def test_a_worker_killed_in_the_midst_takes_its_child_along_and_another_one_finishes(house):
    slug = house.project("killed")
    file = house.file(slug, MANY)
    house.done(house.ask("check", file))
    house.ask("empty_the_log")
    before = house.ask("bytes_written")
    job = house.ask("store", file)
    assert eventually(lambda: house.ask("bytes_written") - before > SOME_ROWS), "nobody stores"
    house.kill_worker()
    assert eventually(lambda: not house.children(job)), "the child outlives its worker"
    died_as = house.ask("look", job)
    assert died_as["state"] == "running", "nobody has noticed yet"
    assert house.ask("stored", slug)["items"] in {0, MANY}
    house.ask("sweep_a_silent", job)
    assert house.ask("look", job)["state"] == "queued"
    house.start_worker()
    assert house.done(job)["stored"] == MANY
    stored = house.ask("stored", slug)
    assert [stored[name] for name in ("items", "slots", "digests", "positions")] == [MANY] * 4
    assert house.ask("look", job)["attempts"] == 2
    assert house.ask("state_of", file) == "stored"
    print("killed as", died_as, "stored", stored)
