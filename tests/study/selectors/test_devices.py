"""Whether there is a GPU to train on: what a machine can tell without torch, and which processes tell it."""

from types import SimpleNamespace

import pytest

from core.models import last_times
from study import tasks
from study.selectors.runs import devices


@pytest.mark.parametrize(
    ("torch", "driver", "has_one"),
    [
        (None, True, False),
        ("2.9.1+cpu", True, False),
        ("2.9.1", False, False),
        ("2.9.1", True, True),
        ("2.9.1+cu128", True, True),
    ],
)
def test_a_gpu_takes_a_torch_that_uses_one_and_its_driver(monkeypatch, torch, driver, has_one):
    def load(name: str) -> None:
        if not driver:
            raise OSError(name)

    monkeypatch.setattr(devices, "find_spec", lambda name: torch)
    monkeypatch.setattr(devices, "version", lambda name: torch)
    monkeypatch.setattr(devices, "CDLL", load)
    monkeypatch.setattr(devices, "Path", lambda path: SimpleNamespace(exists=lambda: False))
    assert devices.may_have_gpu.__wrapped__() == has_one


@pytest.mark.parametrize(
    ("queue", "has_one", "told"), [("training", True, True), ("training", False, False), ("usual", True, False)]
)
def test_a_trainer_alone_tells_of_its_gpu(monkeypatch, settings, tmp_path, queue, has_one, told):
    settings.DATA_DIR = tmp_path
    serving = SimpleNamespace(amqp=SimpleNamespace(queues=SimpleNamespace(consume_from={queue: None})))
    monkeypatch.setattr(tasks, "current_app", serving)
    monkeypatch.setattr(devices, "may_have_gpu", lambda: has_one)
    tasks.note_gpu()
    assert (last_times.seconds_since("gpu") is not None) == told
