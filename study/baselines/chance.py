"""Random guessing."""

from collections.abc import Sequence

from core.domain.draws import uniforms
from core.domain.wording import gettext_noop
from study.baselines.base import LearningProgress, RankingInstance


class Random:
    """Model that draws a number for each candidate by the seed, the instance's id and the candidate's text.

    The order of instances and of candidates does not matter, and two equal candidates are tied.
    """

    key = "random"
    title = gettext_noop("Random")
    family = "chance"
    about = gettext_noop("A number drawn for each candidate by the seed, the instance and the text.")
    needs_training = False

    def fit(self, train: Sequence[RankingInstance], seed: int, report: LearningProgress) -> None:
        self.seed = seed

    def score(self, instance: RankingInstance) -> list[float]:
        return [uniforms(self.seed, self.key, instance.id, candidate)[0] for candidate in instance.candidates]
