"""What all networks have in common: they learn in one loop, score pairs in batches, and save tensors."""

import json
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

from study.baselines.base import Baseline, LearningProgress, RankingInstance, Requirement, unreported
from study.baselines.neural.lessons import Lesson, Lessons, LessonsTaken, batches_by_length, in_batches
from study.baselines.tuning import dev_score

DIGITS = 8  # kept of a score that was computed in double precision: the rest depends on what else is in the batch
STATE = "network.safetensors"


class NeuralModel(Baseline):
    """A model that is a network. One that reads words is a `WordModel`.

    `prepare` reads the training material, `made` makes the network, `pair_scores` are those of pairs, as a tensor, and
    `loss` is that of a batch of lessons. Settings are those of `OF_TRAINING` at least.
    """

    needs = frozenset({Requirement.TRAIN, Requirement.NEURAL})
    uses_dev = True
    devices = ("cpu", "cuda")
    libraries: ClassVar[tuple[str, ...]] = ("numpy", "jieba", "torch", "safetensors")
    asked_at_once: ClassVar[int] = 256  # pairs

    network: Any
    lessons: LessonsTaken
    dev: Sequence[RankingInstance] = ()

    @classmethod
    def best_device(cls) -> str:
        if find_spec("torch") is None:
            return "cpu"
        import torch

        return "cuda" if torch.cuda.is_available() else "cpu"

    @abstractmethod
    def prepare(self, train: Sequence[RankingInstance]) -> None:
        """Read what has to be known before the network can be made."""

    def taken(self, train: Sequence[RankingInstance]) -> LessonsTaken:
        """Return the lessons that the training material gives. Raises NothingToLearn."""
        return Lessons(train, negatives=self.whole("negatives"), seed=self.seed)

    @abstractmethod
    def made(self) -> Any:
        """Return the network as it is before it has learned."""

    @abstractmethod
    def pair_scores(self, lessons: Sequence[Lesson]) -> Any:
        """Return the scores of all responses, in their order, as a tensor of one dimension."""

    @abstractmethod
    def loss(self, batch: Sequence[Lesson]) -> Any:
        """Return the mean loss of a batch, as a tensor."""

    @abstractmethod
    def length(self, lesson: Lesson) -> int:
        """Return about how much there is to read: lessons of equal length share a batch."""

    def fit(
        self,
        train: Sequence[RankingInstance],
        dev: Sequence[RankingInstance] = (),
        *,
        report: LearningProgress = unreported,
        checkpoints: Path | None = None,
    ) -> None:
        from study.baselines.neural.networks import training

        self.lessons = self.taken(train)
        self.dev = [instance for instance in dev if instance.gains]
        self.prepare(train)
        with self._computing():
            training.seed_everything(self.seed)
            self.network = self.made().to(self.device)
            plan = training.Plan(
                self.whole("epochs"),
                self.whole("patience"),
                self.number("clip"),
                self.seed,
                self.device,
                self._identity(),
            )
            self.learned = training.train(self, plan, report=report, folder=checkpoints) | self.learned
        self._settle()

    def score(self, instances: Sequence[RankingInstance]) -> list[list[float]]:
        with self._computing():
            return [[round(value, DIGITS) for value in scores] for scores in self._scored(instances)]

    def save(self, folder: Path) -> None:
        from study.baselines.neural.networks.checkpoints import save_tensors

        tensors = {name: tensor.float() for name, tensor in self.network.state_dict().items()}
        save_tensors(folder / STATE, tensors, {"model": self.key})

    def load(self, folder: Path) -> None:
        from safetensors.torch import load_file

        self.network = self.made().to(self.device)
        self.network.load_state_dict(load_file(folder / STATE))
        self._settle()

    def optimizer(self) -> Any:
        import torch

        return torch.optim.Adam(self.network.parameters(), lr=self.number("rate"))

    def rate_at(self, step: int, steps: int) -> float:
        """Return the share of the learning rate at an update: all of it."""
        return 1.0

    def batches(self, epoch: int) -> list[list[Lesson]]:
        lessons = self.lessons.of_epoch(epoch)
        seed = (self.seed % 2**64, epoch, 1)
        return batches_by_length(lessons, self.length, pairs=self.whole("batch"), seed=seed)

    def on_dev(self, still_here: Callable[[], None]) -> float | None:
        """Return how well the network orders the candidates of dev, None where there is none."""
        return dev_score(self._scored(self.dev, still_here), self.dev) if self.dev else None

    def whole(self, name: str) -> int:
        """Return the value of a setting that is a whole number."""
        return int(self.number(name))

    def _scored(
        self, instances: Sequence[RankingInstance], still_here: Callable[[], None] = lambda: None
    ) -> list[list[float]]:
        """Return the score of each candidate; equal ones of an instance are scored once, so that they are tied."""
        import torch

        asked = [Lesson(each.context, tuple(dict.fromkeys(each.candidates))) for each in instances]
        order = sorted((n for n, each in enumerate(asked) if each.responses), key=lambda n: self.length(asked[n]))
        values: list[float] = []
        with torch.inference_mode():
            for batch in in_batches([asked[number] for number in order], pairs=self.asked_at_once):
                still_here()
                values += self.pair_scores(batch).tolist()
        found = dict(zip(order, _divided(values, [asked[number] for number in order]), strict=True))
        return [[found[number][text] for text in each.candidates] for number, each in enumerate(instances)]

    def _computing(self) -> Any:
        from study.baselines.neural.networks.training import computing

        return computing(threads=self.whole("threads"), device=self.device)

    def _settle(self) -> None:
        """Bring the network into the form in which it is asked: on the processor in double precision."""
        import torch

        self.network.eval()
        if self.device == "cpu":
            self.network.to(torch.float64)

    def _identity(self) -> str:
        """Return a digest of all that a checkpoint belongs to: model, settings, seed, shapes and training material."""
        shapes = {name: list(tensor.shape) for name, tensor in self.network.state_dict().items()}
        digest = blake2b(json.dumps([self.key, dict(self.settings), self.seed, shapes]).encode(), digest_size=16)
        for text in self.lessons.texts:
            digest.update(f"{text}\0".encode())
        return digest.hexdigest()


def _divided(values: list[float], lessons: Sequence[Lesson]) -> Iterator[dict[str, float]]:
    """Yield the scores of each lesson's responses."""
    rest = iter(values)
    for lesson in lessons:
        yield {text: next(rest) for text in lesson.responses}
