"""A model of the tests alone that trains in steps, keeps a checkpoint after each, and can be held at any stage."""

import errno
import json
import os
import time
from collections.abc import Sequence
from pathlib import Path

from core.domain.draws import uniforms
from study.baselines.base import Baseline, Cost, LearningProgress, RankingInstance, Requirement, unreported
from study.baselines.registry import BASELINES

STEPS = 6
STATE = "state.json"


def at_stage(stage: str) -> None:
    """Write the stage down, and stay while the file `hold` names it. Where `full` names it the disk is full."""
    folder = Path(os.environ["DATA_DIR"])
    with (folder / "stages").open("a") as stages:
        stages.write(f"{stage}\n")
    while _named(folder / "hold") == stage:
        time.sleep(0.01)
    if _named(folder / "full") == stage:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _named(path: Path) -> str:
    return path.read_text() if path.exists() else ""


class Stepwise(Baseline):
    key = "stepwise"
    title = "Stepwise"
    family = "tests"
    about = "A weight that grows by each step."
    needs = frozenset({Requirement.TRAIN})
    cost = Cost(training=60, scoring=1, megabytes=1)
    weight: float

    @property
    def learned(self) -> dict[str, float]:
        """Return what it learned, which is asked for while the run is stored."""
        at_stage("store")
        return {"weight": self.weight}

    @learned.setter
    def learned(self, learned: dict[str, float]) -> None:
        """Heed nothing."""

    def fit(
        self,
        train: Sequence[RankingInstance],
        dev: Sequence[RankingInstance] = (),
        *,
        report: LearningProgress = unreported,
        checkpoints: Path | None = None,
    ) -> None:
        at_stage("begin")
        kept = checkpoints / STATE if checkpoints else None
        step, self.weight = json.loads(kept.read_text()) if kept and kept.exists() else (0, 0.0)
        while step < STEPS:
            step += 1
            self.weight += uniforms(self.seed, self.key, step)[0]
            report(step, STEPS, step=step, loss=1 / step, dev=step / STEPS)
            at_stage(f"step {step}")
            if kept:
                draft = kept.with_suffix(".draft")
                draft.write_text(json.dumps([step, self.weight]))
                draft.rename(kept)
        at_stage("trained")

    def score(self, instances: Sequence[RankingInstance]) -> list[list[float]]:
        at_stage("score")
        return [[self.weight * len(candidate) for candidate in instance.candidates] for instance in instances]

    def save(self, folder: Path) -> None:
        (folder / STATE).write_text(json.dumps(self.weight))
        at_stage("save")

    def load(self, folder: Path) -> None:
        self.weight = json.loads((folder / STATE).read_text())


BASELINES[Stepwise.key] = Stepwise
