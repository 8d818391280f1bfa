"""The loop in which every network learns: seeded, stopped early on dev, and able to go on where it was cut off."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from math import fsum, isfinite
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch

from study.baselines.base import Diverged, LearningProgress
from study.baselines.neural.networks import checkpoints

SMOOTHED = 20  # updates whose mean loss is reported


class Learner(Protocol):
    """What the loop trains.

    `batches` draws those of an epoch, numbered from 0, the same each time; `loss` is that of one, a tensor; `on_dev`
    says how well the network does now (None: there is no dev) and calls its argument now and then. `rate_at` is the
    share of the learning rate at an update.
    """

    network: Any

    def optimizer(self) -> Any: ...

    def batches(self, epoch: int) -> Sequence[Any]: ...

    def loss(self, batch: Any) -> Any: ...

    def on_dev(self, still_here: Callable[[], None]) -> float | None: ...

    def rate_at(self, step: int, steps: int) -> float: ...


@dataclass(frozen=True)
class Plan:
    """How a network is trained. `identity` names the training: the checkpoint of another is not taken up."""

    epochs: int
    patience: int
    clip: float
    seed: int
    device: str
    identity: str


@dataclass
class Course:
    """How far a training has come: `history` has loss and dev of each epoch."""

    step: int = 0
    best_epoch: int = 0  # from 1; without dev the last
    best_dev: float | None = None
    history: list[dict[str, float | None]] = field(default_factory=list)

    @property
    def epoch(self) -> int:
        return len(self.history)

    def has_ended(self, plan: Plan) -> bool:
        return self.epoch >= plan.epochs or self.epoch - self.best_epoch >= plan.patience

    def add(self, loss: float, dev: float | None) -> bool:
        """Add an epoch; return whether it is the best one so far."""
        self.history.append({"loss": round(loss, 6), "dev": dev})
        is_best = dev is None or self.best_dev is None or dev > self.best_dev
        if is_best:
            self.best_epoch, self.best_dev = self.epoch, dev
        return is_best


@contextmanager
def computing(*, threads: int, device: str) -> Iterator[None]:
    """Compute with so many threads and, on the processor, the same way each time."""
    before, was_deterministic = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    torch.set_num_threads(threads)
    torch.use_deterministic_algorithms(device == "cpu")
    try:
        yield
    finally:
        torch.set_num_threads(before)
        torch.use_deterministic_algorithms(was_deterministic)


def seed_everything(seed: int, *places: int) -> None:
    """Seed the draws of torch, such as those of dropout, for a place in the training."""
    torch.manual_seed(int(np.random.SeedSequence([seed % 2**64, *places]).generate_state(1)[0]))


def train(learner: Learner, plan: Plan, *, report: LearningProgress, folder: Path | None = None) -> dict[str, Any]:
    """Train the network, and leave it with the weights that did best on dev; return what is told of the training.

    After each epoch a checkpoint is written to the folder, and a training begins after the one that it finds there.
    Raises Diverged, and OSError where no checkpoint can be written.
    """
    optimizer = learner.optimizer()
    rates = [group["lr"] for group in optimizer.param_groups]
    course, best = _taken_up(learner.network, optimizer, plan, folder)
    if course.history:  # what was told of its last epoch may have died with the process
        report(course.step, step=course.step, dev=course.history[-1]["dev"])
    while not course.has_ended(plan):
        seed_everything(plan.seed, course.epoch)
        loss = _epoch(learner, optimizer, rates, plan, course, report)
        learner.network.eval()
        dev = learner.on_dev(lambda: report(course.step, step=course.step))
        if course.add(loss, dev):
            best = _copied(learner.network)
        report(course.step, step=course.step, dev=dev)
        if folder is not None:
            _leave(folder, learner.network, optimizer, best, course, plan)
    learner.network.load_state_dict(best)
    learner.network.eval()
    return {
        "epochs": course.epoch,
        "best_epoch": course.best_epoch,
        "dev": course.best_dev,
        "updates": course.step,
        "parameters": sum(each.numel() for each in learner.network.parameters()),
        "history": course.history,
    }


def _epoch(
    learner: Learner, optimizer: Any, rates: Sequence[float], plan: Plan, course: Course, report: LearningProgress
) -> float:
    """Go through the material once; return the mean loss of its updates."""
    learner.network.train()
    batches = learner.batches(course.epoch)
    steps = course.step + len(batches) * (plan.epochs - course.epoch)
    losses, last = list[float](), deque[float](maxlen=SMOOTHED)
    for batch in batches:
        for group, rate in zip(optimizer.param_groups, rates, strict=True):
            group["lr"] = rate * learner.rate_at(course.step, steps)
        course.step += 1
        loss = _update(learner, optimizer, batch, plan, course.step)
        losses.append(loss)
        last.append(loss)
        report(course.step, steps, step=course.step, loss=fsum(last) / len(last))
    return fsum(losses) / len(losses)


def _update(learner: Learner, optimizer: Any, batch: Any, plan: Plan, step: int) -> float:
    """Learn from a batch; return its loss. Raises Diverged."""
    optimizer.zero_grad(set_to_none=True)
    halved = plan.device == "cuda" and torch.cuda.is_bf16_supported()
    with torch.autocast(plan.device, dtype=torch.bfloat16, enabled=halved):
        loss = learner.loss(batch)
    loss.backward()
    length = torch.nn.utils.clip_grad_norm_(learner.network.parameters(), plan.clip)
    if not (isfinite(value := loss.item()) and isfinite(length.item())):
        raise Diverged(step)
    optimizer.step()
    return float(value)


def _copied(network: Any) -> dict[str, Any]:
    return {name: tensor.detach().cpu().clone() for name, tensor in network.state_dict().items()}


def _leave(folder: Path, network: Any, optimizer: Any, best: dict[str, Any], course: Course, plan: Plan) -> None:
    tensors = {f"network {name}": tensor for name, tensor in network.state_dict().items()}
    tensors |= {f"best {name}": tensor for name, tensor in best.items()}
    for number, moments in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer {number} {name}": tensor for name, tensor in moments.items()}
    checkpoints.write(folder, tensors, {"identity": plan.identity, "course": asdict(course)})


def _taken_up(network: Any, optimizer: Any, plan: Plan, folder: Path | None) -> tuple[Course, dict[str, Any]]:
    """Bring network and optimizer to where the folder's checkpoint left them, if there is one of this training."""
    found = checkpoints.read(folder, plan.identity) if folder is not None else None
    if found is None:
        return Course(), _copied(network)
    tensors, told = found
    network.load_state_dict(_named(tensors, "network "))
    moments: dict[int, dict[str, Any]] = {}
    for place, tensor in _named(tensors, "optimizer ").items():
        number, name = place.split(" ")
        moments.setdefault(int(number), {})[name] = tensor
    optimizer.load_state_dict(optimizer.state_dict() | {"state": moments})
    return Course(**told["course"]), _named(tensors, "best ")


def _named(tensors: dict[str, Any], beginning: str) -> dict[str, Any]:
    return {name.removeprefix(beginning): tensor for name, tensor in tensors.items() if name.startswith(beginning)}
