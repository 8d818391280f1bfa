"""Interface of the models: what one declares, learns, scores and saves; and the instances that it ranks."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Protocol

from study.baselines.asking import ChatServer
from study.baselines.content import content_of, places_of
from study.baselines.pretrained.architectures import Architecture
from study.baselines.settings import Setting, Value, completed


@dataclass(frozen=True)
class RankingInstance:
    """A context and its candidates; an instance without candidates serves for training only.

    `context` holds the texts of the turns, the earliest first; `speakers`, parallel to it, who says each ("" where it
    is unknown). `answer` is the index of the true candidate, None where it is unknown or where people graded the
    candidates: then `grades`, parallel to `candidates`, are the final grades, and the context is a prompt of one turn.
    `language` is that in which words are told apart: "zh" is written without spaces, "" is any other. `types` are the
    types of reasoning that people named. `condition` is what was done to the context ("": nothing), and `question` is
    the same in all conditions of a question.
    """

    id: str
    context: tuple[str, ...]
    candidates: tuple[str, ...] = ()
    answer: int | None = None
    speakers: tuple[str, ...] = ()
    grades: tuple[float, ...] = ()
    language: str = ""
    types: tuple[str, ...] = ()
    condition: str = ""
    question: str = ""

    @property
    def is_rated(self) -> bool:
        return bool(self.grades)

    @cached_property
    def content(self) -> str:
        """What tells it from others wherever it is asked, as study.baselines.content has it."""
        return content_of(self.context, self.candidates)

    @cached_property
    def places(self) -> list[int]:
        """The place of each candidate in the order of the texts."""
        return places_of(self.candidates)

    @property
    def gains(self) -> tuple[float, ...]:
        """How good each candidate is: its grade, or 1 for the true one and 0 for others; () where that is unknown."""
        if self.answer is None:
            return self.grades
        return tuple(float(number == self.answer) for number in range(len(self.candidates)))

    @property
    def dialogues(self) -> Iterator[tuple[str, ...]]:
        """What people say in it: the context with the true response, or a rated prompt with each of its responses."""
        if self.grades:
            yield from ((*self.context, candidate) for candidate in self.candidates)
        else:
            yield self.context if self.answer is None else (*self.context, self.candidates[self.answer])


class SeesCandidates(StrEnum):
    """Which candidates the score of one depends on."""

    ITSELF = "itself"  # on no other: the same text in the same context has the same score, whatever stands beside it
    ALL = "all"  # on the others too, in any order
    ORDER = "order"  # on the others and on the order of all: its figure is shown over shuffled orders


class Requirement(StrEnum):
    """What a model cannot do without."""

    TRAIN = "train"  # training material
    WEIGHTS = "weights"  # a folder of pre-trained weights
    NEURAL = "neural"  # the packages of requirements-neural.txt
    SERVER = "server"  # a chat server that an administrator allows


@dataclass(frozen=True)
class Cost:
    """Cost on one core, as benchmarks/baselines.py measured it: seconds for 10,000 candidates, and memory."""

    training: float  # seconds for 10,000 candidates, all epochs
    scoring: float  # seconds for 10,000 candidates
    megabytes: int  # at the peak, over those of the product itself


class LearningProgress(Protocol):
    """Callback of a model in training: how much is done, in a unit of its own, and how well it does.

    `step` counts updates; `loss` is that of the last ones, `dev` the score on dev, higher is better.
    """

    def __call__(
        self,
        done: int,
        total: int | None = None,
        *,
        step: int | None = None,
        loss: float | None = None,
        dev: float | None = None,
    ) -> None: ...


def unreported(done: int, total: int | None = None, **figures: Any) -> None:
    """Do nothing: the callback where no one watches."""


class Lack(StrEnum):
    """What is wrong with material from which nothing can be learned."""

    WORDS = "nothing_to_learn"
    PREFERENCES = "no_preferences"  # no candidate of an instance is better than another


class NothingToLearn(Exception):
    """Training material without anything that the model could learn from."""

    def __init__(self, lack: Lack = Lack.WORDS) -> None:
        super().__init__(lack)
        self.lack = lack


class Diverged(Exception):
    """Training whose loss or gradient is no longer a finite number; `step` is the update at which that happened."""

    def __init__(self, step: int) -> None:
        super().__init__(step)
        self.step = step


@dataclass
class Baseline(ABC):
    """A model: made with its settings, trained once, then asked. Equal settings, seed and material give equal scores.

    `settings` are complete and within their limits (None: to be chosen on dev). `device` is one of `devices`. `weights`
    is the folder that was named and `server` the one that was opened, for a model with that need. After `fit`,
    `learned` tells what was chosen or counted in training (JSON; a chosen setting under its name). Models are classes
    after this one, named in the registry; the module of one imports heavy packages inside its functions, since all
    modules are imported at every start.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    family: ClassVar[str]
    about: ClassVar[str]  # how it scores, in a sentence (marked for translation)
    needs: ClassVar[frozenset[Requirement]] = frozenset()
    uses_dev: ClassVar[bool] = False
    declares: ClassVar[tuple[Setting, ...]] = ()
    sees: ClassVar[SeesCandidates] = SeesCandidates.ITSELF
    devices: ClassVar[tuple[str, ...]] = ("cpu",)
    libraries: ClassVar[tuple[str, ...]] = ("numpy",)  # packages whose versions may change a score
    batch: ClassVar[int] = 1_000  # instances that it is asked about at a time
    cost: ClassVar[Cost]
    architecture: ClassVar[Architecture | None] = None  # of the weights, for a model with that need

    settings: Mapping[str, Value] = field(default_factory=dict)
    seed: int = 0
    device: str = "cpu"
    weights: Path | None = None
    server: ChatServer | None = None
    learned: dict[str, Any] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.settings = completed(self.declares, self.settings)

    @classmethod
    def best_device(cls) -> str:
        """Return the device on which it runs where none is named."""
        return cls.devices[0]

    def number(self, name: str) -> float:
        """Return the value of a setting that is a number and not chosen on dev."""
        return float(self.settings[name] or 0)

    def tried(self, name: str, on_dev: Sequence[Any], dev: Sequence[RankingInstance]) -> Sequence[Any]:
        """Return the values of a setting to try: the given one, those for dev, or without dev the declared one."""
        if (given := self.settings[name]) is not None:
            return [given]
        [declared] = (setting for setting in self.declares if setting.name == name)
        return on_dev if dev else [declared.without_dev]

    @abstractmethod
    def fit(
        self,
        train: Sequence[RankingInstance],
        dev: Sequence[RankingInstance] = (),
        *,
        report: LearningProgress = unreported,
        checkpoints: Path | None = None,
    ) -> None:
        """Train the model. One that needs no training gets an empty `train`; `dev` is empty where none is given.

        A long training keeps its state in the folder `checkpoints`, and goes on from what it finds there. Raises
        NothingToLearn, Diverged, and OSError where no checkpoint can be written.
        """

    @abstractmethod
    def score(self, instances: Sequence[RankingInstance]) -> list[list[float]]:
        """Return for each instance a finite number for each candidate, in their order; the highest is the choice.

        Scores do not depend on what else is in the batch. A model that asks a server has no scores at all, [], where
        no reply could be read.
        """

    def figures(self, instances: Sequence[RankingInstance]) -> dict[str, Any]:
        """Return figures of its own about the instances that it scored, which stand beside those of every model."""
        return {}

    def expenses(self) -> dict[str, Any]:
        """Return what asking a server has taken: see docs/data-formats.md."""
        return {}

    @abstractmethod
    def save(self, folder: Path) -> None:
        """Write to an empty folder what `load` needs to score as now; never code, such as pickles."""

    @abstractmethod
    def load(self, folder: Path) -> None:
        """Read what `save` wrote, in place of `fit`. Created with the settings of the one that was saved."""
