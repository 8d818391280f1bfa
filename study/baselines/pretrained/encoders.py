"""BERT and RoBERTa: each candidate scored by itself, or all candidates of an instance at once (Cui et al. 2020)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from core.domain.wording import gettext_noop
from study.baselines.base import Cost, RankingInstance, SeesCandidates
from study.baselines.neural.lessons import Lesson, LessonsTaken
from study.baselines.pretrained.architectures import BERT, ROBERTA
from study.baselines.pretrained.lessons import WholeInstances
from study.baselines.pretrained.model import LEARNING, PretrainedModel, length_of
from study.baselines.pretrained.reading import PairReader

LENGTH = length_of(512)
COST = Cost(training=28_000, scoring=3_200, megabytes=4_400)  # of BERT-base, contexts as long as those of MuTual


class _Encoder(PretrainedModel):
    """A model that reads a context and a candidate together and goes by the vector of the first token, [CLS]."""

    marks_between: ClassVar[int] = 1

    def network_of(self, weights: Path | None) -> Any:
        from study.baselines.neural.networks.pretrained import pretrained, with_head

        encoder = pretrained(weights, self.architecture.model_type, self.config)
        return with_head(encoder, places=self.candidates)

    def vectors_of(self, lessons: Sequence[Lesson]) -> Iterator[Any]:
        """Yield the vectors of the responses in their contexts, in their order: of those that are read together."""
        from study.baselines.neural.networks.pretrained import vectors

        reader = PairReader(self.tokenizer, self.most_read, self.marks_between)
        rows = [reader.row(lesson.context, text) for lesson in lessons for text in lesson.responses]
        yield from (vectors(self.network, together, self.device) for together in self.at_once(rows))

    def pair_scores(self, lessons: Sequence[Lesson]) -> Any:
        import torch

        return torch.cat([self.network["head"](vectors).squeeze(1) for vectors in self.vectors_of(lessons)])


class _ByItself(_Encoder):
    """The score is a weighted sum of the vector; its loss the cross entropy of the target, with a sigmoid."""

    family = "pre-trained, individual scoring"
    declares = (*LEARNING, LENGTH)
    cost = COST

    def loss(self, batch: Sequence[Lesson]) -> Any:
        from torch import tensor
        from torch.nn.functional import binary_cross_entropy_with_logits

        targets = tensor([target for lesson in batch for target in lesson.targets], device=self.device)
        return binary_cross_entropy_with_logits(self.pair_scores(batch).float(), targets)


class _MultiChoice(_Encoder):
    """The loss is the cross entropy over the candidates of an instance, with a softmax; grades are shares of it."""

    family = "pre-trained, multi-choice"
    declares = (*(each for each in LEARNING if each.name != "negatives"), LENGTH)
    cost = COST

    def taken(self, train: Sequence[RankingInstance]) -> LessonsTaken:
        return WholeInstances(train)

    def scores_of_each(self, lessons: Sequence[Lesson]) -> list[Any]:
        """Return the scores of the responses of each lesson."""
        return list(self.pair_scores(lessons).split([len(lesson.responses) for lesson in lessons]))

    def loss(self, batch: Sequence[Lesson]) -> Any:
        from torch import stack, tensor

        losses = [
            -(tensor(lesson.targets, device=self.device) * scores.float().log_softmax(0)).sum()
            for lesson, scores in zip(batch, self.scores_of_each(batch), strict=True)
        ]
        return stack(losses).mean()


class _Concatenated(_MultiChoice):
    """The vectors of all candidates, one after another, go into one layer with a score for each place.

    There are as many places as the training material has candidates at most; places without one hold zeros.
    """

    sees = SeesCandidates.ORDER
    cost = replace(COST, scoring=2 * COST.scoring)  # once in the order given, once for all drawn ones

    def prepare(self, train: Sequence[RankingInstance]) -> None:
        super().prepare(train)
        self.candidates = max(len(instance.candidates) for instance in train)

    def scores_of_each(self, lessons: Sequence[Lesson]) -> list[Any]:
        from torch import cat

        vectors = cat(list(self.vectors_of(lessons))).split([len(lesson.responses) for lesson in lessons])
        return [self.scores_in_places(each) for each in vectors]

    def scores_in_places(self, vectors: Any) -> Any:
        """Return the scores of an instance's candidates, of their vectors."""
        from torch.nn.functional import pad

        full = pad(vectors, (0, 0, 0, self.candidates - len(vectors))).flatten()
        return self.network["head"](full)[: len(vectors)]

    def _scored(
        self, instances: Sequence[RankingInstance], still_here: Callable[[], None] = lambda: None
    ) -> list[list[float]]:
        """Return the scores of all candidates in their places, of equal ones, too.

        Equal pairs that follow each other, as in other orders of an instance, are read once.
        """
        import torch

        scores = []
        read: dict[str, Any] = {}
        context: tuple[str, ...] | None = None
        with torch.inference_mode():
            for instance in instances:
                still_here()
                if instance.context != context:
                    read, context = {}, instance.context
                if new := tuple(text for text in dict.fromkeys(instance.candidates) if text not in read):
                    vectors = self.vectors_of([Lesson(instance.context, new)])
                    read |= zip(new, torch.cat(list(vectors)), strict=True)
                own = torch.stack([read[text] for text in instance.candidates])
                scores.append(self.scores_in_places(own).tolist())
        return scores


class Bert(_ByItself):
    key = "bert"
    title = "BERT"
    about = gettext_noop(
        "BERT reads the context and a candidate together; a linear layer on the [CLS] vector gives the score. Each "
        "candidate is scored by itself (Cui et al. 2020)."
    )
    architecture = BERT


class Roberta(_ByItself):
    key = "roberta"
    title = "RoBERTa"
    about = gettext_noop(
        "RoBERTa reads the context and a candidate together; a linear layer on the [CLS] vector gives the score. Each"
        " candidate is scored by itself (Cui et al. 2020)."
    )
    architecture = ROBERTA
    marks_between = 2


class BertMc(_Concatenated):
    key = "bert-mc"
    title = "BERT-MC"
    about = gettext_noop(
        "BERT reads the context with each candidate; one linear layer on the concatenated [CLS] vectors of all "
        "candidates gives their scores. Another candidate or another order changes them (Cui et al. 2020)."
    )
    architecture = BERT


class RobertaMc(_Concatenated):
    key = "roberta-mc"
    title = "RoBERTa-MC"
    about = gettext_noop(
        "RoBERTa reads the context with each candidate; one linear layer on the concatenated "
        "[CLS] vectors of all candidates gives their scores. Changing a candidate or the "
        "order changes the scores (Cui et al. 2020)."
    )
    architecture = ROBERTA
    marks_between = 2


class BertMcShared(_MultiChoice):
    key = "bert-mc-shared"
    title = gettext_noop("BERT-MC, shared head")
    about = gettext_noop(
        "BERT-MC as common libraries implement it: one linear layer, the same for every candidate, trained with a "
        "softmax over the candidates of an instance. After training, the other candidates do not affect a score."
    )
    architecture = BERT


class RobertaMcShared(_MultiChoice):
    key = "roberta-mc-shared"
    title = gettext_noop("RoBERTa-MC, shared head")
    about = gettext_noop(
        "RoBERTa-MC as implemented in common libraries: one linear layer, shared by all "
        "candidates, trained with a softmax over the candidates of an instance. After "
        "training, the other candidates do not affect a score."
    )
    architecture = ROBERTA
    marks_between = 2
