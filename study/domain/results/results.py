"""Result cells: a figure for each part of a study, its precision, and what is needed to judge it."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.domain.statistics import (
    FEWEST,
    INDEPENDENT,
    LEVEL,
    FloatArray,
    Headline,
    IntArray,
    Interval,
    MissingFigure,
    Resample,
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
    resample: Resample | None = None,
    report: Callable[[int, int], None] = lambda done, total: None,
) -> list[ResultCell]:
    """Compute metrics over every part of each crossing of labels; without `resample` no bootstrap.

    It draws by the codes of the table. `report` hears how many parts are done.
    """
    columns = _Columns.of(table, metrics)
    parts = [part for crossing in crossings for part in table.parts(crossing)]
    cells: list[ResultCell] = []
    for done, part in enumerate(parts, 1):
        cells += _cells_of_part(part, columns.where(table.of_part(part)), resample)
        report(done, len(parts))
    return cells


@dataclass(frozen=True)
class _Columns:
    """What answers are worth by each metric, NaN where it is not identified, and who answered what."""

    values: dict[str, FloatArray]
    people: IntArray
    questions: IntArray
    candidates: FloatArray

    @classmethod
    def of(cls, table: Table, metrics: Sequence[str]) -> "_Columns":
        values = {metric: table.values(metric) for metric in metrics}
        return cls(values, table.people.codes, table.questions.codes, table.candidates())

    def where(self, rows: NDArray[np.bool_]) -> "_Columns":
        if rows.all():
            return self
        values = {metric: value[rows] for metric, value in self.values.items()}
        return _Columns(values, self.people[rows], self.questions[rows], self.candidates[rows])

    def alike(self) -> Iterator["_Columns"]:
        """Yield the answers that identify a metric, those of all metrics that the same answers identify together."""
        metrics: dict[bytes, list[str]] = defaultdict(list)
        for metric, value in self.values.items():
            metrics[(~np.isnan(value)).tobytes()].append(metric)
        for rows, names in metrics.items():
            alike = replace(self, values={name: self.values[name] for name in names})
            yield alike.where(np.frombuffer(rows, dtype=np.bool_))

    def mean(self, metric: str) -> TwoWay:
        # 1/C for MRR; where the number of candidates varies, that of the answers with most
        lowest = 1 / max(float(self.candidates.max()), 1) if metric == "MRR" else 0.0
        return two_way(self.values[metric], self.people, self.questions, lowest=lowest)

    def bootstraps(self, metrics: Sequence[str], resample: Resample) -> dict[str, Interval | None]:
        values = [self.values[metric] for metric in metrics]
        return dict(zip(metrics, two_way_bootstraps(values, self.people, self.questions, resample), strict=True))


def _cells_of_part(part: ResultPart, columns: _Columns, resample: Resample | None) -> list[ResultCell]:
    """Compute every metric over one part. Metrics of the same answers are resampled together: their draws are equal."""
    cells = {}
    for known in columns.alike():
        means = {metric: known.mean(metric) for metric in known.values} if len(known.people) else {}
        varying = [metric for metric, mean in means.items() if mean.by_answers > 0]
        intervals = known.bootstraps(varying, resample) if resample and varying else {}
        left_out = len(columns.people) - len(known.people)
        for metric in known.values:
            cells[metric] = _cell(part, metric, known, means.get(metric), left_out, intervals.get(metric))
    return [cells[metric] for metric in columns.values]


def _cell(
    part: ResultPart, metric: str, known: _Columns, found: TwoWay | None, left_out: int, bootstrap: Interval | None
) -> ResultCell:
    if found is None:
        return ResultCell(part, metric, 0, left_out, False, None, Headline(None, MissingFigure.NO_ANSWERS), None)
    is_share = metric.startswith("R@") and bool(np.isin(known.values[metric], (0, 1)).all())
    chance = chance_between(metric, int(known.candidates.min()), int(known.candidates.max()))
    return ResultCell(part, metric, found.n, left_out, is_share, found, headline(found), bootstrap, chance)
