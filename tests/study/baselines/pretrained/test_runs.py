"""Models of pre-trained weights as runs: from a folder that the shell names, stored with checksum and state."""

import pytest

from study.actions.runs.baselines import ask_for_run, run_asked_for, run_now
from study.models import Run
from tests.annotation.management.shell import Shell
from tests.factories import no_progress
from tests.study.instances import kitchen

ON = {"on": "kitchen:dev", "train": "kitchen:train", "settings": {"epochs": 1, "length": 32}, "seed": 0}


@pytest.fixture
def rui(researcher, settings, tmp_path, folders):
    settings.DATA_DIR, settings.WEIGHTS_DIR = tmp_path, folders["bert"].parent
    kitchen(researcher, dev=5)
    return researcher


@pytest.mark.django_db
def test_a_run_by_name_is_the_run_by_path(rui, folders, settings):
    queued = ask_for_run(model="bert-mc", weights="bert", **ON, by=rui)
    run_asked_for(queued.job, no_progress)
    queued.refresh_from_db()
    now = run_now(model="bert-mc", weights=folders["bert"], **ON, report=no_progress, by=rui)
    assert (queued.weights, now.weights) == ("bert", str(folders["bert"]))
    assert queued.checksum == now.checksum
    assert queued.weights_checksum == now.weights_checksum
    assert len(now.weights_checksum) == 64
    assert set(now.metrics["over_orders"]) >= {"R@1", "MRR"}
    assert now.circumstances["libraries"].keys() >= {"torch", "transformers", "tokenizers", "safetensors"}
    assert {path.suffix for path in (settings.DATA_DIR / now.state_folder).iterdir()} == {".json", ".safetensors"}


@pytest.mark.django_db
def test_the_shell_names_a_folder_by_path_or_by_name(rui, folders, capsys, administrator):
    shell = Shell(capsys)
    asked = ("run_baseline", "gpt2", "--on", "kitchen:dev", "--set", "length=32", "--json", "--weights")
    by_name, by_path = shell(*asked, "gpt2"), shell(*asked, folders["gpt2"])
    assert by_name.json["checksum"] == by_path.json["checksum"]
    assert (by_name.json["weights"], by_path.json["weights"]) == ("gpt2", str(folders["gpt2"]))
    assert by_name.json["weights_checksum"] == Run.objects.first().weights_checksum
    wrong = shell("run_baseline", "bert", "--on", "kitchen:dev", "--train", "kitchen:train", "--weights", "gpt2")
    assert (wrong.code, "This is GPT-2; BERT needs BERT." in wrong.err) == (1, True)
    without = shell("run_baseline", "random", "--on", "kitchen:dev", "--weights", "gpt2")
    assert "random begins without weights: gpt2 was not read." in without.err
