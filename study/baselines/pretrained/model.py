"""What all models with pre-trained weights have in common: how they begin, and the state they leave."""

import json
from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from core.domain.wording import gettext_noop
from study.baselines.base import RankingInstance, Requirement
from study.baselines.neural.model import STATE, NeuralModel
from study.baselines.neural.settings import OF_TRAINING, with_defaults
from study.baselines.pretrained.architectures import Architecture
from study.baselines.pretrained.weights import TENSORS, checked_config
from study.baselines.settings import Setting

WARM_UP = 0.1  # of all updates: over these the rate rises to its value, over the others it falls to 0
LEARNING = with_defaults(OF_TRAINING, epochs=3, batch=16, rate=2e-5, clip=1.0, negatives=3)
BEGINNING = "pretrained.json"  # in a state: what the network is made with


def length_of(default: int) -> Setting:
    help = gettext_noop(
        "Maximum number of tokens read per pair; a longer context loses its beginning. "
        "Weights with fewer positions set a lower limit."
    )
    return Setting("length", default, help, 16, 4_096)


class PretrainedModel(NeuralModel):
    """A network that begins with the weights of a folder.

    A state holds the whole network and its vocabulary, so that the folder may be gone when it is loaded.
    """

    needs = frozenset({Requirement.TRAIN, Requirement.WEIGHTS, Requirement.NEURAL})
    libraries = ("numpy", "torch", "transformers", "tokenizers", "safetensors")
    batch = 16  # on a processor half a minute with BERT-base
    asked_at_once = 64
    architecture: ClassVar[Architecture]

    tokenizer: Any
    config: dict[str, Any]
    candidates = 1  # that the head looks at

    @abstractmethod
    def network_of(self, weights: Path | None) -> Any:
        """Return the network with the weights of a file, or with drawn ones."""

    def prepare(self, train: Sequence[RankingInstance]) -> None:
        from study.baselines.neural.networks.pretrained import tokenizer_in

        assert self.weights is not None, "a plan of a run names them"
        self.config = checked_config(self.weights, self.architecture, model=self.title)
        self.tokenizer = tokenizer_in(self.weights, self.architecture.model_type)
        self.learned = {"length": self.most_read}

    def made(self) -> Any:
        assert self.weights is not None, "a plan of a run names them"
        return self.network_of(self.weights / TENSORS)

    @property
    def most_read(self) -> int:
        """How many tokens are read of a pair: as many as is set, and as the weights have positions for."""
        positions = self.config[self.architecture.sizes["positions"]] - self.architecture.reserved
        return int(min(self.whole("length"), positions))

    def length(self, lesson: Any) -> int:
        return sum(map(len, (*lesson.context, *lesson.responses)))

    def optimizer(self) -> Any:
        from study.baselines.neural.networks.pretrained import adam_with_decay

        return adam_with_decay(self.network, self.number("rate"))

    def rate_at(self, step: int, steps: int) -> float:
        rising = max(1, int(WARM_UP * steps))
        return (step + 1) / rising if step < rising else (steps - step) / (steps - rising)

    def save(self, folder: Path) -> None:
        super().save(folder)
        made_with = {"config": self.config, "candidates": self.candidates}
        (folder / BEGINNING).write_text(json.dumps(made_with), encoding="utf-8")
        self.tokenizer.save_pretrained(folder)

    def load(self, folder: Path) -> None:
        from safetensors.torch import load_file

        from study.baselines.neural.networks.pretrained import tokenizer_in

        made_with = json.loads((folder / BEGINNING).read_text(encoding="utf-8"))
        self.config, self.candidates = made_with["config"], made_with["candidates"]
        self.tokenizer = tokenizer_in(folder, self.architecture.model_type)
        self.network = self.network_of(None).to(self.device)
        self.network.load_state_dict(load_file(folder / STATE))
        self._settle()

    def _settle(self) -> None:
        """Stay in single precision: on the processor each pair is read by itself, so equal ones are equal."""
        self.network.eval()

    def at_once(self, rows: Sequence[Any]) -> list[Sequence[Any]]:
        """Return the rows in groups that the network reads together: all, or each by itself where digits count."""
        return [rows] if self.network.training or self.device != "cpu" else [[row] for row in rows]
