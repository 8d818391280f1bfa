"""All models on one body of instances: run or not, with the published figures and what running one would take."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, stdev
from typing import Any

from django.utils.translation import gettext

from core.domain.statistics import Interval
from study.baselines.base import Requirement
from study.baselines.catalogue import UPLOADED, ModelFamily, families_with
from study.baselines.registry import BASELINES
from study.domain.results.feasibility import Impossible
from study.domain.results.metrics import chance
from study.domain.results.published import PUBLISHED_CUTS, Published, published_on
from study.models import Run
from study.presenters.runs.epochs import RunProgress, progress_of
from study.presenters.runs.unread import counted_as_wrong, wrong_in_short
from study.presenters.runs.words import name_of, title_of
from study.selectors.runs.bodies import ModelRuns, newest_of
from study.selectors.runs.estimates import CAN_START, Missing, RunEstimate, RunSize, estimate_of, missing_for
from study.selectors.runs.runs import size_of, unread_of
from study.selectors.runs.sources import Source

METRICS_SHOWN = ("R@1", "R@2", "MRR")
GRADED_SHOWN = ("P@1", "MAP", "MRR")
GUESS = "random"

OwnFigure = tuple[float | None, Interval | None, tuple[float, ...]]  # value, interval, figures of the seeds


@dataclass(frozen=True)
class MetricCell:
    """A figure of a model, ours and the published one. `is_exact`: an expectation, without an interval.

    `seeds` are the figures of the seeds where there are several, of which `value` and `interval` are the means.
    """

    metric: str
    value: float | None = None
    interval: Interval | None = None
    seeds: tuple[float, ...] = ()
    published: float | None = None
    is_impossible: bool = False
    chance: float | None = None
    is_exact: bool = False

    @property
    def numbers(self) -> list[float]:
        ends = self.interval or ()
        return [number for number in (self.value, self.published, *ends, *self.seeds) if number is not None]


@dataclass(frozen=True)
class SeedSpread:
    count: int
    deviation: float | None
    least: float
    most: float


@dataclass(frozen=True)
class SeedCost:
    """What a seed took here, the mean over seeds."""

    seconds: float
    megabytes: int
    device: str


@dataclass(frozen=True)
class ModelRow:
    """A model: its figures by metric, of rated prompts at each cut one after the other, and its runs.

    `title` is what its runs are called; `model` is the title of all models of this key.
    `possible` are the bounds of an impossible published MRR.
    """

    key: str
    title: str
    cells: list[MetricCell]
    runs: ModelRuns
    missing: Missing | None
    spread: SeedSpread | None = None
    cost: SeedCost | None = None
    estimate: RunEstimate | None = None
    possible: Interval | None = None
    is_stale: bool = False  # the material has changed since

    @property
    def unread(self) -> int:
        """How many instances of all its seeds count as wrong because no reply can be read."""
        return sum(map(unread_of, self.runs.seeds))

    @property
    def unread_note(self) -> str:
        return wrong_in_short(self.unread) if self.unread else ""

    @property
    def unread_sentences(self) -> list[str]:
        asked = sum(map(size_of, self.runs.seeds))
        return [counted_as_wrong(self.title, self.unread, asked)] if self.unread else []

    @property
    def missing_predictions(self) -> int:
        """How many instances have no prediction of one of its seeds; they are in no figure."""
        return max((run.figures.get("missing", 0) for run in self.runs.seeds), default=0)

    @property
    def model(self) -> str:
        return title_of(self.key)

    @property
    def run(self) -> Run | None:
        return self.runs.newest

    @property
    def progress(self) -> RunProgress | None:
        """How far its run is that has not ended; None before there is something to tell."""
        return progress_of(self.runs.waiting) if self.runs.waiting else None

    @property
    def needs_one_seed(self) -> bool:
        """True where training draws nothing, so that scores are equal whatever the seed, and one seed was run."""
        is_network = self.key in BASELINES and Requirement.NEURAL in BASELINES[self.key].needs
        may_draw = is_network or self.key == UPLOADED
        return self.cells[0].is_exact or (not may_draw and self.spread is not None and self.spread.count < 2)


@dataclass(frozen=True)
class FamilyRows:
    title: str
    rows: list[ModelRow]


def families_of(
    source: Source, runs: Mapping[str, Sequence[ModelRuns]], size: RunSize, counts: Mapping[str, int]
) -> list[FamilyRows]:
    """Return the rows of every model that has figures at all for such instances, by family."""
    published = {row.model: row for row in published_on(source.name) if row.model}
    make = _RowMaker(source, runs, size, counts, published)
    families = [FamilyRows(gettext(family.title), list(make.rows(family))) for family in families_with(BASELINES)]
    return [family for family in families if family.rows]


@dataclass(frozen=True)
class _RowMaker:
    source: Source
    runs: Mapping[str, Sequence[ModelRuns]]
    size: RunSize
    counts: Mapping[str, int]
    published: Mapping[str, Published]

    def rows(self, family: ModelFamily) -> Iterator[ModelRow]:
        for key in family.models:
            if not self.source.is_rated or key in self.runs or key in PUBLISHED_CUTS or key == GUESS:
                for number, own in enumerate(self.runs.get(key) or [ModelRuns()]):
                    yield self._row(key, own, has_published=not number)

    def _row(self, key: str, own: ModelRuns, *, has_published: bool) -> ModelRow:
        """Return the row of runs; what was published of a key stands once, in its first row."""
        missing, published = missing_for(key), self.published.get(key) if has_published else None
        if self.source.is_rated:
            cells = list(self._graded_cells(key, own.seeds, PUBLISHED_CUTS.get(key, {}) if has_published else {}))
        else:
            cells = list(self._cells(key, own.seeds, published))
        check = published.check if published and not self.source.is_rated else None
        is_ready = missing in CAN_START and not own.seeds
        return ModelRow(
            key,
            name_of(key, own.made_with, own.label),
            cells,
            own,
            missing,
            _spread([run.figures["R@1"] for run in own.seeds if run.figures.get("R@1") is not None]),
            _cost(own.seeds),
            estimate_of(key, self.size, counts=self.counts) if is_ready else None,
            check.between if check and check.why else None,
            any(run.on_checksum != self.source.checksum for run in own.seeds),
        )

    def _cells(self, key: str, seeds: Sequence[Run], row: Published | None) -> Iterator[MetricCell]:
        printed, check = (row.printed, row.check) if row else ({}, None)
        for metric in METRICS_SHOWN:
            guess = chance(metric, self.size.candidates) if self.size.candidates else None
            own = _over_seeds([run.figures for run in seeds], metric)
            if is_guess := key == GUESS and guess is not None:
                own = guess, None, ()
            impossible = metric == "MRR" and check is not None and check.why == Impossible.MRR
            yield MetricCell(metric, *own, printed.get(metric), impossible, guess, is_guess)

    def _graded_cells(
        self, key: str, seeds: Sequence[Run], published: Mapping[str, Mapping[str, float]]
    ) -> Iterator[MetricCell]:
        guesses = chances_of(self.runs)
        for cut in guesses or ("3", "4", "5"):
            for metric in GRADED_SHOWN:
                guess = guesses.get(cut, {}).get(metric)
                own = _over_seeds([run.figures["cuts"][cut] for run in seeds], metric)
                if is_guess := key == GUESS and guess is not None:
                    own = guess, None, ()
                printed = published.get(cut, {}).get(metric)
                yield MetricCell(metric, *own, printed, False, guess, is_guess)


def chances_of(runs: Mapping[str, Sequence[ModelRuns]]) -> dict[str, dict[str, float]]:
    """Return what guessing is worth at each cut, as a run tells it; {} before there is one."""
    newest = newest_of(runs)
    return {cut: at_cut["chance"] for cut, at_cut in newest.figures["cuts"].items()} if newest else {}


def _over_seeds(figures: Sequence[Mapping[str, Any]], metric: str) -> OwnFigure:
    known = [each for each in figures if each.get(metric) is not None]
    if not known:
        return None, None, ()
    values = [float(each[metric]) for each in known]
    ends = [each[f"{metric}_ci"] for each in known if each.get(f"{metric}_ci")]
    interval = (mean(low for low, _high in ends), mean(high for _low, high in ends)) if ends else None
    return mean(values), interval, tuple(values) if len(values) > 1 else ()


def _spread(values: Sequence[float]) -> SeedSpread | None:
    if not values:
        return None
    deviation = stdev(values) if len(values) > 1 else None
    return SeedSpread(len(values), deviation, min(values), max(values))


def _cost(seeds: Sequence[Run]) -> SeedCost | None:
    made = [run.circumstances for run in seeds if "seconds" in run.circumstances]
    if not made:
        return None
    seconds = mean(sum(each["seconds"].values()) for each in made)
    return SeedCost(seconds, round(max(each["peak_memory"] for each in made) / 2**20), made[-1]["device"])
