"""Runs on other material that serve a question set or a study: they predicted instances that say the same."""

from collections.abc import Callable, Sequence
from copy import copy

from core.models.people import User
from study.baselines.base import RankingInstance
from study.baselines.evaluate import Scored, evaluate_run, worst_scores
from study.models import Run
from study.permissions import runs_of
from study.selectors.runs.predicted import predicted, runs_that_predict
from study.selectors.runs.sources import Source


def runs_serving(source: Source, *, besides: Callable[[Run], bool], by: User) -> list[Run]:
    """Return copies of the runs that a person may see and that serve a set or a study, but for those `besides`.

    They have the figures over its questions in their whole context; `missing` of these have no prediction. Those that
    predict most come first, then the newest. [] of a corpus or release.
    """
    elsewhere = runs_of(by).counting().filter(ended_at__isnull=False).exclude(on=source.name)
    if (source.question_set is None and source.study is None) or not elsewhere.exists():
        return []
    asked = [instance for instance in source.instances() if not instance.condition]
    runs = (run for run in runs_that_predict(elsewhere, asked) if not besides(run))
    found = [_serving(run, source, asked) for run in runs]
    return sorted(found, key=lambda run: (run.figures["missing"], -run.pk))


def _serving(run: Run, source: Source, asked: Sequence[RankingInstance]) -> Run:
    rows = [(one, own) for one, own in zip(asked, predicted(run, asked), strict=True) if own is not None]
    instances, scores = [one for one, _own in rows], [own for _one, own in rows]
    served = copy(run)
    served.on_checksum = source.checksum
    missing = len(asked) - len(rows)
    served.metrics = {"model": run.model, **evaluate_run(instances, scores, seed=run.seed), "missing": missing}
    served.ranked = {
        one.id: ranked
        for one, own in rows
        if (ranked := Scored(own or worst_scores(one), one.answer).ranked) is not None
    }
    return served
