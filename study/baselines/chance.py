"""Random guessing."""

from collections.abc import Sequence
from pathlib import Path

from core.domain.draws import uniforms
from core.domain.wording import gettext_noop
from study.baselines.base import Baseline, Cost, LearningProgress, RankingInstance, unreported


class Random(Baseline):
    """Model that draws a number for each candidate by the seed, the instance's id and the candidate's text.

    The order of instances and of candidates does not matter, and two equal candidates are tied.
    """

    key = "random"
    title = gettext_noop("Random")
    family = "chance"
    about = gettext_noop("A number drawn for each candidate from the seed, the instance and the text.")
    cost = Cost(training=0, scoring=0.1, megabytes=0)

    def fit(
        self,
        train: Sequence[RankingInstance],
        dev: Sequence[RankingInstance] = (),
        *,
        report: LearningProgress = unreported,
        checkpoints: Path | None = None,
    ) -> None:
        """Learn nothing."""

    def score(self, instances: Sequence[RankingInstance]) -> list[list[float]]:
        return [
            [uniforms(self.seed, self.key, instance.id, candidate)[0] for candidate in instance.candidates]
            for instance in instances
        ]

    def save(self, folder: Path) -> None:
        """Write nothing: there is no more to know than the seed."""

    def load(self, folder: Path) -> None:
        """Read nothing."""
