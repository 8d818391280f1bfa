"""How well a model orders the candidates of dev, by which it chooses its settings and when it stops learning."""

from collections.abc import Sequence
from math import fsum

from study.baselines.base import RankingInstance
from study.domain.results.graded import CUTS, average_precision, tied_blocks

RIGHT = 1.0  # gain of the true candidate, where one is true


def dev_score(scores: Sequence[Sequence[float]], instances: Sequence[RankingInstance]) -> float:
    """Return the mean average precision, for rated prompts the mean of it at the three cuts; 0 where nothing counts.

    With one true candidate it is the mean reciprocal rank. Ties are by expectation.
    """
    rated = any(instance.grades for instance in instances)
    of_cuts = [_at_cut(cut, scores, instances) for cut in (CUTS if rated else (RIGHT,))]
    known = [value for value in of_cuts if value is not None]
    return fsum(known) / len(known) if known else 0.0


def _at_cut(cut: float, scores: Sequence[Sequence[float]], instances: Sequence[RankingInstance]) -> float | None:
    precisions = [
        average_precision(list(tied_blocks(own, [gain >= cut for gain in instance.gains])))
        for own, instance in zip(scores, instances, strict=True)
        if instance.gains and max(instance.gains) >= cut
    ]
    return fsum(precisions) / len(precisions) if precisions else None
