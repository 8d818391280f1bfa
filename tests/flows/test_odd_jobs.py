"""Jobs that go wrong end alone: the worker goes on, and what they took is free again."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.flows.broker_house import KINDS, BrokerDriver, a_house
from tests.flows.driving import is_over
from tests.flows.waiting import eventually


@pytest.fixture(scope="module", params=KINDS)
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrokerDriver]:
    own = {"DJANGO_SETTINGS_MODULE": "tests.flows.odd_settings", "JOB_MEMORY": "600"}
    with a_house(request, tmp_path_factory.mktemp("house"), **own) as house:
        yield house


def megabytes(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20


def test_a_job_that_grows_beyond_its_memory_fails_and_says_so(house):
    last = house.watch(house.ask("send", "grow"), until=is_over)[-1]
    assert (last["state"], last["error"], last["attempts"]) == ("failed", "memory", 1)
    assert house.done(house.ask("send", "leak"))["found"] == 0


def test_what_a_job_leaves_behind_goes_with_its_process(house):
    before = megabytes(house.worker.pid)
    results = [house.done(house.ask("send", "leak")) for _time in range(3)]
    assert {result["found"] for result in results} == {0}
    assert len({result["of"] for result in results}) == 3
    assert house.worker.pid not in {result["of"] for result in results}
    assert megabytes(house.worker.pid) < before + 100
    assert {result["niceness"] for result in results} == {min(19, os.nice(0) + 10)}


def test_each_score_on_dev_reaches_the_curve_with_the_loss_of_its_step(house):
    job = house.ask("send", "learn")
    house.done(job)
    curve = house.ask("curve", job)
    assert [point for point in curve if point[2] is not None] == [
        [250, 1 / 250, 0.25],
        [750, 1 / 750, 0.75],
        [1000, 1 / 1000, 1.0],
    ]
    assert len(curve) < 100  # of so many losses in so short a time only some are told


def test_a_job_whose_process_is_killed_fails_and_the_next_one_runs(house):
    last = house.watch(house.ask("send", "vanish"), until=is_over)[-1]
    assert (last["state"], last["error"]) == ("failed", "died")
    assert house.done(house.ask("send", "leak"))["found"] == 0


def test_a_job_that_heeds_nothing_is_cancelled_all_the_same(house):
    job = house.ask("send", "stay")
    house.watch(job, until=lambda look: bool(look["done"]))
    house.ask("cancel", job)
    assert house.watch(job, until=is_over)[-1]["state"] == "cancelled"
    assert eventually(lambda: not house.children(job)), "the child goes on"


def test_a_worker_that_is_killed_takes_a_job_along_that_heeds_nothing(house):
    job = house.ask("send", "stay")
    assert eventually(lambda: bool(house.children(job))), "the job does not begin"
    house.kill_worker()
    assert eventually(lambda: not house.children(job)), "the child outlives its worker"
    house.ask("sweep_a_silent", job)
    house.ask("cancel", job)
    house.start_worker()
    assert house.done(house.ask("send", "leak"))["found"] == 0
    assert house.ask("look", job)["state"] == "cancelled"


def test_a_worker_killed_between_two_jobs_leaves_the_second_to_the_next(house):
    assert house.done(house.ask("send", "leak"))["found"] == 0
    house.kill_worker()
    job = house.ask("send", "leak")
    assert house.ask("look", job)["state"] == "queued"
    house.start_worker()
    house.done(job)
    assert house.ask("look", job)["attempts"] == 1


def test_a_worker_without_its_nursery_ends(house):
    worker = house.worker.pid
    [nursery] = Path(f"/proc/{worker}/task/{worker}/children").read_text().split()
    os.kill(int(nursery), signal.SIGKILL)
    assert house.worker.wait() == 1
    house.start_worker()
    assert house.done(house.ask("send", "leak"))["found"] == 0
