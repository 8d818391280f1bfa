"""What a table of models says as a whole: the best and its lead, what the set can tell, axes, counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor

from core.presenters.axis import Axis
from study.domain.results.paired import PairedDifference, paired_difference, smallest_difference
from study.domain.results.published import GRADED, published_on
from study.models import Run
from study.presenters.runs.models import GRADED_SHOWN, GUESS, METRICS_SHOWN, FamilyRows, MetricCell, ModelRow
from study.selectors.runs.bodies import mean_values, side_by_side
from study.selectors.runs.estimates import Missing
from study.selectors.runs.sources import Source

ALIKE, UNLIKE = 0.12, 0.4  # shares of instances on which two models may differ
BELOW_CHANCE = 0.02  # where the axis begins, so that chance is not at its very edge
CUTS = ("3", "4", "5")


@dataclass(frozen=True)
class PublishedPeople:
    who: str
    source: str
    cells: list[MetricCell]


@dataclass(frozen=True)
class BodyFinding:
    """The model that is right most often, and its lead over the next one on the same instances.

    `spread` is the larger standard deviation over seeds of the two; None where both have one seed.
    """

    models: int
    title: str
    cell: MetricCell
    n: int
    seeds: int
    unread: list[str]  # sentences on replies that cannot be read, of the models that are named
    second: str = ""
    lead: PairedDifference | None = None
    spread: float | None = None

    @property
    def is_detectable(self) -> bool:
        """Whether the set can tell such a lead, were there no other seeds."""
        if self.lead is None or self.lead.smallest is None:
            return False
        return self.lead.mean >= self.lead.smallest

    @property
    def is_clear(self) -> bool:
        """Whether seeds, too, differ by less than what the set can tell."""
        smallest = self.lead.smallest if self.lead else None
        return self.is_detectable and (self.spread is None or smallest is None or self.spread <= smallest)

    @property
    def is_level(self) -> bool:
        """Whether the second one is right as often."""
        return self.lead is not None and self.lead.mean == 0


@dataclass(frozen=True)
class Telling:
    """The smallest difference that the set can tell, if any, where two models differ on this share of instances."""

    share: float
    difference: float | None


@dataclass(frozen=True)
class CutColumn:
    """A cut of rated prompts: how many are left at it, and how many have no response graded so."""

    cut: str
    prompts: int | None
    without: int | None
    single: int | None


def axes_of(families: Sequence[FamilyRows], columns: int) -> list[Axis]:
    """Return an axis for each column of figures, from below chance or the lowest figure to 1."""
    axes = []
    for column in range(columns):
        cells = [row.cells[column] for family in families for row in family.rows if column < len(row.cells)]
        numbers = [number for cell in cells for number in cell.numbers]
        numbers += [cell.chance - BELOW_CHANCE for cell in cells if cell.chance is not None]
        axes.append(Axis(max(0.0, floor(10 * min(numbers, default=0) + 1e-9) / 10), 1.0))
    return axes


def people_on(name: str) -> list[PublishedPeople]:
    """Return the people that were published on such a corpus."""
    return [
        PublishedPeople(row.who, row.source, [MetricCell(name, published=row.printed[name]) for name in METRICS_SHOWN])
        for row in published_on(name)
        if not row.is_model and row.mrr
    ]


def finding_on(families: Sequence[FamilyRows], source: Source) -> BodyFinding | None:
    """Return the best of the models that were run, by its first figure, of rated prompts at Cut@4; None without one.

    Of rated prompts an expected value, without an interval, is no finding.
    """
    at = GRADED_SHOWN.index("P@1") + len(GRADED_SHOWN) if source.is_rated else 0
    rows = [row for family in families for row in family.rows if row.run and row.cells[at].value is not None]
    ranked = sorted(rows, key=lambda row: -(row.cells[at].value or 0))
    if not ranked:
        return None
    best, cell, seeds = ranked[0], ranked[0].cells[at], len(ranked[0].runs.seeds)
    if source.is_rated and cell.interval is None:
        return None
    n, unread = _size_of(best.runs.seeds[0], source), best.unread_sentences
    second = next((row for row in ranked[1:] if row.key != GUESS and not row.is_stale), None)
    lead = None
    if second and best.key != GUESS and not best.is_stale and not source.is_rated:
        lead = _lead(best, second, source)
    if second is None or lead is None:
        return BodyFinding(len(rows), best.title, cell, n, seeds, unread)
    unread += second.unread_sentences
    deviations = [row.spread.deviation for row in (best, second) if row.spread and row.spread.deviation is not None]
    spread = max(deviations, default=None)
    return BodyFinding(len(rows), best.title, cell, n, seeds, unread, second.title, lead, spread)


def _size_of(run: Run, source: Source) -> int:
    found = run.figures["cuts"]["4"]["prompts"] if source.is_rated else run.figures["n"]
    return int(found)


def _lead(best: ModelRow, second: ModelRow, source: Source) -> PairedDifference:
    one, other = (mean_values(row.runs.seeds, "R@1", source) for row in (best, second))
    return paired_difference(*side_by_side(one, other))


def tellings(n: int) -> list[Telling]:
    """Return what the set can tell of two models that are alike, and of two that are not."""
    return [Telling(share, smallest_difference(n, share)) for share in (ALIKE, UNLIKE)]


def counts_by_state(families: Sequence[FamilyRows]) -> dict[str, int]:
    """Return how many models were run, run now or wait, and were not run yet."""
    rows = [row for family in families for row in family.rows]
    waiting = [row for row in rows if row.runs.waiting]
    return {
        "run": sum(bool(row.runs.seeds) for row in rows),
        "waiting": len(waiting),
        "not_yet": sum(not row.runs.seeds and not row.runs.waiting and row.missing != Missing.FILE for row in rows),
    }


def cuts_of(families: Sequence[FamilyRows]) -> list[CutColumn]:
    newest = next((row.run for family in families for row in family.rows if row.run), None)
    found = newest.figures["cuts"] if newest else {cut: {} for cut in CUTS}
    return [
        CutColumn(cut, at_cut.get("prompts"), at_cut.get("without_positive"), at_cut.get("single"))
        for cut, at_cut in found.items()
    ]


def ties_of(families: Sequence[FamilyRows]) -> list[tuple[str, int]]:
    """Return the models that left instances tied, with how many."""
    rows = [row for family in families for row in family.rows if row.run]
    return [(row.title, row.run.figures["tied"]) for row in rows if row.run and row.run.figures.get("tied")]


def prompts_of(families: Sequence[FamilyRows]) -> int:
    """Return how many prompts a run on rated pairs was asked about; 0 before there is one."""
    runs = (row.run for family in families for row in family.rows if row.run)
    return next((run.figures.get("prompts", 0) for run in runs), 0)


def published_in(source: Source) -> str:
    """Return the study whose figures stand beside ours; "" where there is none."""
    if source.is_rated:
        return GRADED
    return next((row.source for row in published_on(source.name) if row.model), "")
