"""Figures of runs that differ in their seed alone."""

from collections.abc import Mapping, Sequence
from statistics import fmean, stdev
from typing import Any

from study.domain.results.graded import GRADED_METRICS
from study.domain.results.metrics import METRICS


def over_seeds(metrics: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return mean and standard deviation (of a sample: n - 1) of each figure, of rated prompts by cut.

    None where a run lacks the figure; the deviation is None for one run.
    """
    if "cuts" in metrics[0]:
        cuts = metrics[0]["cuts"]
        return {cut: _each(GRADED_METRICS, [figures["cuts"][cut] for figures in metrics]) for cut in cuts}
    return _each(METRICS, metrics)


def _each(names: Mapping[str, Any], metrics: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {name: _spread([figures[name] for figures in metrics]) for name in names}


def _spread(values: Sequence[float | None]) -> dict[str, float | None] | None:
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None
    return {"mean": fmean(known), "sd": stdev(known) if len(known) > 1 else None}
