"""GPT-2: the candidate that makes the likeliest text is the choice (Cui et al. 2020)."""

from collections.abc import Sequence
from math import log
from pathlib import Path
from typing import Any

from core.domain.wording import gettext_noop
from study.baselines.base import Cost, LearningProgress, RankingInstance, Requirement, unreported
from study.baselines.neural.lessons import Lesson, LessonsTaken
from study.baselines.neural.settings import OF_TRAINING
from study.baselines.pretrained.architectures import GPT2
from study.baselines.pretrained.lessons import GoodResponses
from study.baselines.pretrained.model import LEARNING, PretrainedModel, length_of
from study.baselines.pretrained.reading import Row, SequenceReader
from study.baselines.settings import Setting

FAMILY = "generative"
SEQUENCE, RESPONSE = "sequence", "response"
LENGTH = length_of(1_024)
SCORED = Setting(
    "scored",
    SEQUENCE,
    gettext_noop(
        "What the perplexity is computed for: the sequence of context and response, or the response given the context."
    ),
    options=(SEQUENCE, RESPONSE),
)


class _LanguageModel(PretrainedModel):
    """The score is the mean log-likelihood of the tokens: the highest has the lowest perplexity."""

    family = FAMILY
    architecture = GPT2
    asked_at_once = 8

    def network_of(self, weights: Path | None) -> Any:
        from study.baselines.neural.networks.pretrained import pretrained

        return pretrained(weights, self.architecture.model_type, self.config)

    def rows(self, lessons: Sequence[Lesson]) -> list[Row]:
        reader = SequenceReader(self.tokenizer, self.most_read)
        return [reader.row(lesson.context, text) for lesson in lessons for text in lesson.responses]

    def pair_scores(self, lessons: Sequence[Lesson]) -> Any:
        import torch

        from study.baselines.neural.networks.pretrained import log_likelihoods

        of_response = self.settings["scored"] == RESPONSE
        by_guessing = -log(self.config["vocab_size"])  # of a token, where there is none
        found = [
            own.mean() if len(own) else own.new_tensor(by_guessing)
            for together in self.at_once(self.rows(lessons))
            for own in log_likelihoods(self.network, together, self.device, of_response=of_response)
        ]
        return torch.stack(found)

    def loss(self, batch: Sequence[Lesson]) -> Any:
        """Return the mean negative log-likelihood of all tokens of the sequences."""
        import torch

        from study.baselines.neural.networks.pretrained import log_likelihoods

        found = log_likelihoods(self.network, self.rows(batch), self.device, of_response=False)
        return -torch.cat(found).mean()


class Gpt2(_LanguageModel):
    key = "gpt2"
    title = "GPT-2"
    about = gettext_noop(
        "GPT-2 without training: the candidate that gives the sequence of context and "
        "response the lowest perplexity is chosen (Cui et al. 2020)."
    )
    needs = frozenset({Requirement.WEIGHTS, Requirement.NEURAL})
    uses_dev = False
    declares = (LENGTH, SCORED, *(each for each in OF_TRAINING if each.name == "threads"))
    cost = Cost(training=0, scoring=5_600, megabytes=700)  # of the smallest GPT-2, as below

    def fit(
        self,
        train: Sequence[RankingInstance],
        dev: Sequence[RankingInstance] = (),
        *,
        report: LearningProgress = unreported,
        checkpoints: Path | None = None,
    ) -> None:
        """Learn nothing: load the weights."""
        self.prepare(train)
        self.network = self.made().to(self.device)
        self._settle()

    def save(self, folder: Path) -> None:
        """Write nothing: there is no more to know than the weights."""

    def load(self, folder: Path) -> None:
        """Load the weights, as `fit` does."""
        self.fit([])


class Gpt2Ft(_LanguageModel):
    key = "gpt2-ft"
    title = "GPT-2-FT"
    about = gettext_noop(
        "GPT-2 fine-tuned on the contexts and correct responses of the training material; "
        "then the candidate that gives the sequence of context and response the lowest "
        "perplexity is chosen (Cui et al. 2020)."
    )
    declares = (*(each for each in LEARNING if each.name != "negatives"), LENGTH, SCORED)
    cost = Cost(training=12_000, scoring=5_600, megabytes=6_800)  # where one candidate in four is true

    def taken(self, train: Sequence[RankingInstance]) -> LessonsTaken:
        return GoodResponses(train)
