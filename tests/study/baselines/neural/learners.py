"""Networks small enough to learn within a second or two."""

from pathlib import Path
from typing import Any

from study.baselines.base import LearningProgress, RankingInstance, unreported
from study.baselines.neural.model import NeuralModel
from study.baselines.registry import BASELINES

SMALL: dict[str, dict[str, Any]] = {
    "dual-rnn": {"embedding": 32, "hidden": 32, "batch": 32, "rate": 0.005},
    "dual-lstm": {"embedding": 32, "hidden": 32, "batch": 32, "rate": 0.005},
    "bilstm": {"embedding": 32, "hidden": 16, "batch": 32, "rate": 0.005},
    "cnn": {"embedding": 32, "hidden": 32, "batch": 32, "rate": 0.005},
    "smn": {"embedding": 32, "hidden": 16, "batch": 32, "rate": 0.005, "turns": 3, "words": 9},
    "dam": {"embedding": 16, "layers": 1, "batch": 32, "rate": 0.005, "turns": 3, "words": 9},
}


def small(key: str, **settings: Any) -> NeuralModel:
    model = BASELINES[key](SMALL[key] | settings, seed=3)
    assert isinstance(model, NeuralModel)
    return model


def taught(
    key: str,
    train: list[RankingInstance],
    dev: list[RankingInstance] | tuple[()] = (),
    *,
    report: LearningProgress = unreported,
    checkpoints: Path | None = None,
    **settings: Any,
) -> NeuralModel:
    model = small(key, **settings)
    model.fit(train, dev, report=report, checkpoints=checkpoints)
    return model
