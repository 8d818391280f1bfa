"""Result cells: a figure for each part of a study, its precision, and what is needed to judge it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.domain.draws import uniforms
from core.domain.statistics import (
    DRAWS,
    FEWEST,
    INDEPENDENT,
    LEVEL,
    FloatArray,
    Headline,
    Interval,
    MissingFigure,
    TwoWay,
    headline,
    starred,
    two_way,
    two_way_bootstraps,
)
from study.domain.results.answer_table import Table
from study.domain.results.labels import ResultPart
from study.domain.results.metrics import OF_PEOPLE, chance_between

# Crossings of labels that results have cells of, in the order of the cells; () is all answers.
CELLS: tuple[tuple[str, ...], ...] = (
    (),
    ("corpus",),
    ("group",),
    ("form",),
    ("condition",),
    ("turns",),
    ("type",),
    ("corpus", "group"),
)


@dataclass(frozen=True)
class ResultCell:
    """One metric over one part.

    A share (every answer right or wrong) has `k` and the intervals for independent answers, a mean has not. `left_out`
    answers do not identify the metric: from a first choice alone only R@1 follows. `found` is None without answers.
    `chance` is between what guessing lies: both ends are equal where all questions have as many candidates, None where
    their number is unknown.
    """

    part: ResultPart
    metric: str
    n: int
    left_out: int
    is_share: bool
    found: TwoWay | None
    headline: Headline
    bootstrap: Interval | None
    chance: Interval | None = None

    @property
    def p(self) -> float | None:
        """The figure itself, from 0 to 1."""
        return self.found.mean if self.found else None

    @property
    def k(self) -> int | None:
        """Number of right answers among `n`; None for a mean."""
        return round(self.found.mean * self.n) if self.found and self.is_share else None

    def starred(self, fewest: float = FEWEST) -> bool | None:
        """Return whether fewer than `fewest` answers are right or wrong, by default as the study starred it."""
        return None if self.k is None else starred(self.k, self.n, fewest)

    def independent(self, method: str) -> Interval | None:
        """Return the 95 % interval by a method of INDEPENDENT, as if answers were independent; None for a mean."""
        return None if self.k is None else INDEPENDENT[method](self.k, self.n, LEVEL)


def cells_of(
    table: Table,
    crossings: Sequence[Sequence[str]] = CELLS,
    metrics: Sequence[str] = OF_PEOPLE,
    *,
    seed: int = 0,
    draws: int = DRAWS,
    report: Callable[[int, int], None] = lambda done, total: None,
) -> list[ResultCell]:
    """Compute metrics over every part of each crossing of labels; without `draws` no bootstrap.

    Draws are keyed by the people and the questions of the answers, so that no cell depends on another and a part that
    is the whole has its interval. `report` hears how many parts are done.
    """
    values = {metric: table.values(metric) for metric in metrics}
    parts = [part for crossing in crossings for part in table.parts(crossing)]
    cells: list[ResultCell] = []
    for done, part in enumerate(parts, 1):
        cells += _cells_of_part(table, part, values, seed, draws)
        report(done, len(parts))
    return cells


def _cells_of_part(
    table: Table, part: ResultPart, values: dict[str, FloatArray], seed: int, draws: int
) -> list[ResultCell]:
    """Compute every metric over one part. Metrics of the same answers are resampled together: their draws are equal."""
    inside = table.of_part(part)
    known = {metric: inside & ~np.isnan(value) for metric, value in values.items()}
    found = {metric: _mean(table, metric, values[metric], rows) for metric, rows in known.items() if rows.any()}
    intervals: dict[str, Interval | None] = {}
    varying = [metric for metric, mean in found.items() if draws and mean.by_answers > 0]
    for first in varying:
        if first in intervals:
            continue
        same = [name for name in varying if name not in intervals and np.array_equal(known[name], known[first])]
        rows = known[first]
        drawn = two_way_bootstraps(
            [values[name][rows] for name in same],
            table.people.codes[rows],
            table.questions.codes[rows],
            generator=generator_for(seed, *table.draw_names(rows)),
            draws=draws,
        )
        intervals |= zip(same, drawn, strict=True)
    candidates = table.candidates()
    return [
        replace(
            _cell(part, metric, found.get(metric), int(inside.sum() - rows.sum()), values[metric][rows], intervals),
            chance=_chance(metric, candidates[rows]),
        )
        for metric, rows in known.items()
    ]


def _chance(metric: str, candidates: FloatArray) -> Interval | None:
    return chance_between(metric, int(candidates.min()), int(candidates.max())) if len(candidates) else None


def _mean(table: Table, metric: str, value: FloatArray, rows: NDArray[np.bool_]) -> TwoWay:
    # 1/C for MRR; where the number of candidates varies, that of the answers with most
    lowest = 1 / max(float(table.candidates()[rows].max()), 1) if metric == "MRR" else 0.0
    return two_way(value[rows], table.people.codes[rows], table.questions.codes[rows], lowest=lowest)


def _cell(
    part: ResultPart,
    metric: str,
    found: TwoWay | None,
    left_out: int,
    value: FloatArray,
    intervals: dict[str, Interval | None],
) -> ResultCell:
    if found is None:
        return ResultCell(part, metric, 0, left_out, False, None, Headline(None, MissingFigure.NO_ANSWERS), None)
    is_share = metric.startswith("R@") and bool(np.isin(value, (0, 1)).all())
    return ResultCell(part, metric, found.n, left_out, is_share, found, headline(found), intervals.get(metric))


def generator_for(seed: int, *names: str) -> np.random.Generator:
    """Return the random generator that belongs to these names under this seed."""
    return np.random.default_rng([int(number * 2**53) for number in uniforms(seed, *names)])
