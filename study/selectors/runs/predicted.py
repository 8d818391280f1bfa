"""Predictions of runs for instances wherever they were asked: found by what the instances say (ADR 36)."""

from collections.abc import Sequence

from django.db.models import QuerySet
from django.db.models.expressions import RawSQL

from core.models.bulk import is_one_of
from study.baselines.base import RankingInstance
from study.baselines.content import moved
from study.models import Prediction, Run


def runs_that_predict(runs: QuerySet[Run], instances: Sequence[RankingInstance]) -> QuerySet[Run]:
    """Return those of the runs that were asked about one of these instances at least, the oldest first."""
    asked = Prediction.objects.filter(_says_one_of(instances), run__in=runs)
    return runs.filter(pk__in=asked.values("run")).order_by("pk")


def predicted(run: Run, instances: Sequence[RankingInstance]) -> list[list[float] | None]:
    """Return a run's scores of each instance, in the order of its candidates.

    None where it was not asked about it, [] where it gave no answer. Of several predictions with equal content an
    instance has the one under its own id, or the first.
    """
    rows = run.predictions.filter(_says_one_of(instances)).order_by("position")
    found: dict[str, dict[str, tuple[list[int], list[float]]]] = {}
    for content, id, places, scores in rows.values_list("content", "external_id", "places", "scores"):
        found.setdefault(content, {})[id] = places, scores
    return [_scores(instance, found.get(instance.content)) for instance in instances]


def _says_one_of(instances: Sequence[RankingInstance]) -> RawSQL:
    return is_one_of("content", [instance.content for instance in instances])


def _scores(instance: RankingInstance, found: dict[str, tuple[list[int], list[float]]] | None) -> list[float] | None:
    if found is None:
        return None
    places, scores = found.get(instance.id) or next(iter(found.values()))
    return moved(scores, places, instance.places)
