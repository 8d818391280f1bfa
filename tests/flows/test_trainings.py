"""Trainings through a real trainer: a queue of their own, kills at each stage, cancelling, a full disk."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.flows.broker_house import KINDS, BrokerDriver, a_house
from tests.flows.driving import is_over
from tests.flows.waiting import eventually


class TrainingHouse:
    """A house with a trainer and a folder in which the model of the tests says where it is, and is held."""

    def __init__(self, house: BrokerDriver) -> None:
        self.house, self.folder = house, house.folder

    @property
    def stages(self) -> list[str]:
        path = self.folder / "stages"
        return path.read_text().splitlines() if path.exists() else []

    def forget(self) -> None:
        (self.folder / "stages").unlink(missing_ok=True)

    def hold_at(self, stage: str) -> None:
        (self.folder / "hold").write_text(stage)

    def go_on(self) -> None:
        (self.folder / "hold").unlink()

    def reaches(self, stage: str) -> None:
        assert eventually(lambda: stage in self.stages), f"nothing reaches {stage}"

    def folder_of(self, job: int) -> Path:
        return self.folder / "runs" / str(self.house.ask("run_of", job)["pk"])


@pytest.fixture(scope="module", params=KINDS)
def a_training_house(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[TrainingHouse]:
    own = {"DJANGO_SETTINGS_MODULE": "tests.flows.training_settings"}
    with a_house(request, tmp_path_factory.mktemp("house"), **own) as house:
        house.ask("cook")
        house.start_trainer()
        yield TrainingHouse(house)


@pytest.fixture
def training(a_training_house: TrainingHouse) -> TrainingHouse:
    a_training_house.forget()
    return a_training_house


@pytest.fixture
def ask(training: TrainingHouse) -> Callable[..., object]:
    return training.house.ask


def test_an_import_asked_for_during_two_trainings_does_not_wait_for_them(training, ask):
    training.hold_at("step 3")
    first, second = ask("train"), ask("train", 1)
    training.reaches("step 3")
    assert ask("trainings_waiting") == [second]
    slug = training.house.project("meanwhile")
    assert training.house.done(ask("check", training.house.file(slug, 100)))["good"] == 100
    assert [ask("look", job)["state"] for job in (first, second)] == ["running", "queued"]
    training.go_on()
    assert [ask("run_of", training.house.done(job) and job)["predictions"] for job in (first, second)] == [5, 5]


def test_a_training_is_done_once_however_often_the_broker_asks(training, ask):
    training.hold_at("step 2")
    first, second = ask("train"), ask("train")
    ask("wake_trainers", 5)
    training.reaches("step 2")
    training.go_on()
    for job in (first, second):
        training.house.done(job)
    assert training.stages.count("begin") == 2
    assert [ask("look", job)["attempts"] for job in (first, second)] == [1, 1]


# What a trainer that is killed at a stage leaves to the next, and what the next one does before it scores.
KILLS = {
    "begin": ["step 1", "step 2", "step 3", "step 4", "step 5", "step 6"],
    "step 1": ["step 1", "step 2", "step 3", "step 4", "step 5", "step 6"],
    "step 4": ["step 4", "step 5", "step 6"],
    "trained": [],
    "score": [],
    "save": [],
    "store": [],
}


@pytest.mark.parametrize("stage", KILLS)
def test_a_training_that_is_killed_goes_on_from_its_checkpoint(training, ask, stage):
    house = training.house
    training.hold_at(stage)
    job = ask("train", 7)
    training.reaches(stage)
    house.kill_trainer()
    assert eventually(lambda: not house.children(job)), "the child outlives its trainer"
    assert (ask("look", job)["state"], ask("run_of", job)["predictions"]) == ("running", 0)
    training.forget()
    training.go_on()
    ask("sweep_a_silent", job)
    assert ask("trainings_waiting") == [job]
    house.start_trainer()
    result = house.done(job)
    assert training.stages == ["begin", *KILLS[stage], "trained", "score", "save", "store"]
    assert ask("look", job)["attempts"] == 2
    stored = ask("run_of", job)
    assert (stored["predictions"], stored["checksum"]) == (5, result["checksum"])
    if KILLS[stage]:
        assert ask("curve", job)[-1] == [6, 1 / 6, 1.0]
    assert [path.name for path in training.folder_of(job).iterdir()] == ["state"]
    assert result["checksum"] == ask("train_here", 7)


@pytest.mark.parametrize("stage", ["step 4", "score"])
def test_a_training_whose_own_process_is_killed_goes_on_from_its_checkpoint(training, ask, stage):
    training.hold_at(stage)
    job = ask("train", 7)
    training.reaches(stage)
    before = training.stages
    for child in training.house.children(job):
        os.kill(child, signal.SIGKILL)
    training.go_on()
    result = training.house.done(job)
    assert training.stages == [*before, "begin", *KILLS[stage], "trained", "score", "save", "store"]
    assert (ask("look", job)["attempts"], ask("run_of", job)["predictions"]) == (2, 5)
    assert result["checksum"] == ask("train_here", 7)


@pytest.mark.parametrize("stage", ["step 3", "score", "save"])
def test_a_training_that_is_cancelled_ends_and_leaves_no_checkpoint(training, ask, stage):
    training.hold_at(stage)
    job = ask("train")
    training.reaches(stage)
    assert training.folder_of(job).exists()
    ask("cancel", job)
    assert training.house.watch(job, until=is_over)[-1]["state"] == "cancelled"
    assert eventually(lambda: not training.house.children(job)), "the child goes on"
    assert eventually(lambda: not training.folder_of(job).exists()), "its checkpoints stay"
    training.go_on()
    assert ask("run_of", job)["predictions"] == 0


@pytest.mark.parametrize("stage", ["step 3", "save"])
def test_a_full_disk_ends_a_training_with_a_reason_and_makes_room(training, ask, stage):
    (training.folder / "full").write_text(stage)
    job = ask("train")
    last = training.house.watch(job, until=is_over)[-1]
    (training.folder / "full").unlink()
    assert (last["state"], last["error"]) == ("failed", "refused:no_space")
    assert eventually(lambda: not training.folder_of(job).exists()), "its checkpoints stay"


def test_a_training_that_dies_again_and_again_leaves_no_checkpoint(training, ask):
    house = training.house
    training.hold_at("step 2")
    job = ask("train")
    for attempt in (1, 2, 3):
        training.reaches("step 2")
        assert ask("look", job)["attempts"] == attempt
        house.kill_trainer()
        assert eventually(lambda: not house.children(job)), "the child outlives its trainer"
        training.forget()
        ask("sweep_a_silent", job)
        house.start_trainer()
    training.go_on()
    assert (ask("look", job)["state"], ask("look", job)["error"]) == ("failed", "died")
    assert not training.folder_of(job).exists()
