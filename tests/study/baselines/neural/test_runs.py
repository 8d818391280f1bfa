"""Networks as runs: stored with their state, twice the same, and taken up where a worker was killed."""

import pytest

from study.actions.runs.baselines import ask_for_run, run_asked_for, run_now
from study.actions.runs.records import checkpoints_of, folder_of
from tests.factories import no_progress
from tests.study.instances import kitchen

ON = {"model": "dual-rnn", "on": "kitchen:dev", "train": "kitchen:train", "settings": {"epochs": 4}, "seed": 0}


class StruckError(Exception):
    """Stands for a worker that is killed."""


@pytest.fixture
def rui(researcher, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    kitchen(researcher, dev=5)
    return researcher


@pytest.mark.django_db
def test_a_run_twice_has_the_same_checksum_and_its_state_is_stored(rui):
    first, second = (run_now(**ON, report=no_progress, by=rui) for _ in range(2))
    assert first.checksum == second.checksum
    assert first.circumstances["libraries"].keys() >= {"torch", "safetensors"}
    assert first.learned["epochs"] == 4
    assert {path.name for path in (folder_of(first) / "state").iterdir()} == {"network.safetensors", "vocabulary.json"}


@pytest.mark.django_db
def test_a_run_whose_worker_was_killed_goes_on_after_its_last_epoch(rui):
    whole, run = run_now(**ON, report=no_progress, by=rui), ask_for_run(**ON, by=rui)
    done = []

    def kill_in_third_epoch(amount, total=None, **figures):
        if figures.get("loss") is not None:  # an update, not what it says of dev
            done.append(amount)
        if amount == 3:
            raise StruckError

    with pytest.raises(StruckError):
        run_asked_for(run.job, kill_in_third_epoch)
    assert [path.name for path in checkpoints_of(run).iterdir()] == ["checkpoint.safetensors"]
    done.clear()
    with pytest.raises(StruckError):
        run_asked_for(run.job, kill_in_third_epoch)
    assert done == [3], "two epochs of one update each are not done again"
    assert run_asked_for(run.job, no_progress)["checksum"] == whole.checksum
