"""Two runs side by side: the sentence, the difference by length, and examples with who chose what."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.core.paginator import Page, Paginator
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.domain.statistics import holm
from core.presenters.axis import Axis
from study.baselines.base import RankingInstance
from study.baselines.evaluate import best_first
from study.domain.results.paired import (
    FEW,
    PairedDifference,
    paired_difference,
)
from study.models import Run
from study.presenters.runs.unread import counted_as_wrong, wrong_in_short
from study.presenters.runs.words import run_name, type_title
from study.selectors.runs.comparing import CELLS, PredictedPair, RunComparison, SeedPair, predictions_by_pk
from study.selectors.runs.parts import InstancePart, by_length, by_type, of_keys
from study.selectors.runs.runs import unread_of
from study.selectors.runs.sources import Source

EQUAL = 0.1  # half the width of the axis where nothing differs
EXAMPLES = 10  # on one page: each is a context with its candidates
CELL_LABELS: dict[str, str | Promise] = {
    "one": _("Only one right"),
    "neither": _("Both wrong"),
    "both": _("Both right"),
}


@dataclass(frozen=True)
class RunChoice:
    """A run to choose, by its name, seed and first figure."""

    pk: int
    title: str
    seed: int
    unread: str
    value: float | None


@dataclass(frozen=True)
class ComparedRuns:
    """A comparison for people: names of the two, what the set can tell, and the length of the axis."""

    found: RunComparison
    titles: tuple[str, str]
    difference: PairedDifference
    axis: Axis

    @property
    def is_share(self) -> bool:
        """True where points of a hundred are meant, not a mean of ranks."""
        return self.found.measure.startswith(("R@", "P@"))

    @property
    def leader(self) -> str:
        return self.titles[self.difference.mean < 0]

    @property
    def lead(self) -> float:
        return abs(self.difference.mean)

    @property
    def lead_interval(self) -> tuple[float, float] | None:
        ends = self.difference.interval
        return ends if ends is None or self.difference.mean >= 0 else (-ends[1], -ends[0])

    @property
    def is_clear(self) -> bool:
        ends = self.difference.interval
        return ends is not None and not ends[0] <= 0 <= ends[1]

    @property
    def is_small(self) -> bool:
        """True for a lead that a set of this size cannot reliably tell; where it can tell none, any."""
        smallest = self.difference.smallest
        return self.lead > 0 and (smallest is None or self.lead < smallest)

    @property
    def right(self) -> list[str]:
        return [gettext("%(title)s right") % {"title": title} for title in self.titles]

    @property
    def wrong(self) -> list[str]:
        return [gettext("%(title)s wrong") % {"title": title} for title in self.titles]

    @property
    def only(self) -> list[str]:
        """Names of the instances that only one of the two has right."""
        return [gettext("only %(title)s") % {"title": title} for title in self.titles]

    @property
    def unread(self) -> list[str]:
        """Return a sentence for each run with instances of which no reply can be read."""
        counts = zip(self.titles, map(len, self.found.unread), strict=True)
        return [counted_as_wrong(title, count, self.difference.n) for title, count in counts if count]

    @property
    def is_few(self) -> bool:
        return self.difference.table is not None and self.difference.table.discordant < FEW


@dataclass(frozen=True)
class PartDifference:
    label: str
    n: int
    only_first: int | None
    only_second: int | None
    difference: PairedDifference
    unread: tuple[int, int]  # instances of each run that count as wrong because no reply can be read


@dataclass(frozen=True)
class ComparedCandidate:
    number: int
    text: str
    is_true: bool
    first: float | None  # its score where the first run chose it
    second: float | None


@dataclass(frozen=True)
class ComparedInstance:
    name: str
    cell: str
    instance: RankingInstance | None
    candidates: list[ComparedCandidate]


def choice_of(run: Run) -> RunChoice:
    figures = run.figures
    value = figures["cuts"]["4"]["P@1"] if "cuts" in figures else figures.get("R@1")
    return RunChoice(
        run.pk, run_name(run), run.seed, wrong_in_short(unread) if (unread := unread_of(run)) else "", value
    )


def compared(found: RunComparison) -> ComparedRuns | None:
    """Return the comparison as the page shows it; None where the two were asked about different instances."""
    difference = found.difference
    if difference is None:
        return None
    titles = _names(found.first, found.second)
    return ComparedRuns(found, titles, difference, axis_of([difference], difference.smallest))


def _names(first: Run, second: Run) -> tuple[str, str]:
    """Return the names of two runs, with their seeds or numbers where these are the same."""
    titles = run_name(first), run_name(second)
    if titles[0] != titles[1]:
        return titles
    if first.seed != second.seed:
        return f"{titles[0]} ({first.seed})", f"{titles[1]} ({second.seed})"
    return f"{titles[0]} #{first.pk}", f"{titles[1]} #{second.pk}"


def axis_of(differences: Sequence[PairedDifference | SeedPair], smallest: float | None = None) -> Axis:
    """Return an axis around 0 that holds all intervals; of equal runs it has a width, too."""
    numbers = [smallest or 0.0, *(abs(end) for each in differences for end in (each.interval or (each.mean,)))]
    half = Axis.around([0.0, *numbers]).high or EQUAL
    return Axis(-half, half)


def unread_among(found: RunComparison, keys: Sequence[Any]) -> tuple[int, int]:
    first, second = (len(unread.intersection(keys)) for unread in found.unread)
    return first, second


def differences_by_part(found: RunComparison, parts: Sequence[InstancePart]) -> list[PartDifference]:
    """Return the difference within each part of the instances."""
    first, second = found.values
    rows = []
    for part in parts:
        difference = paired_difference(of_keys(first, part.keys), of_keys(second, part.keys))
        table = difference.table
        first_only, second_only = (table.first, table.second) if table else (None, None)
        unread = unread_among(found, part.keys)
        rows.append(PartDifference(part.label, difference.n, first_only, second_only, difference, unread))
    return rows


@dataclass(frozen=True)
class PartTable:
    """The differences within parts of one kind; `smallest` is the smallest p of them, by Holm."""

    key: str
    title: str
    rows: list[PartDifference]
    smallest: float
    axis: Axis


def parts_of(found: RunComparison, source: Source | None) -> list[PartTable]:
    """Return the differences by reasoning type and by length, where instances differ in them."""
    if source is None:
        return []
    values = _shared_values(found)
    types = [replace(row, label=type_title(row.label)) for row in differences_by_part(found, by_type(values, source))]
    lengths = differences_by_part(found, by_length(values, source))
    tables = [("types", gettext("By reasoning type"), types), ("turns", gettext("By length of the context"), lengths)]
    return [
        PartTable(
            key, title, rows, min(holm([row.difference.p for row in rows])), axis_of([row.difference for row in rows])
        )
        for key, title, rows in tables
        if rows
    ]


def whole(shown: ComparedRuns) -> PartDifference:
    """Return the difference over all instances, as a row of a table."""
    d = shown.difference
    first_only, second_only = (d.table.first, d.table.second) if d.table else (None, None)
    one, other = map(len, shown.found.unread)
    return PartDifference(gettext("all"), d.n, first_only, second_only, d, (one, other))


def _shared_values(found: RunComparison) -> dict[Any, float]:
    first, second = found.values
    return {key: first[key] for key in first if key in second}


@dataclass(frozen=True)
class SeedPairs:
    """Pairs of seeds of two models; `ahead` in how many the leader of the compared pair leads."""

    rows: list[SeedPair]
    shown: tuple[int, int]
    ahead: int
    least: float
    most: float
    axis: Axis


def seed_pairs_of(compared: ComparedRuns, rows: list[SeedPair]) -> SeedPairs | None:
    if not rows:
        return None
    sign = -1 if compared.difference.mean < 0 else 1
    leads = [sign * row.mean for row in rows]
    shown = compared.found.first.pk, compared.found.second.pk
    return SeedPairs(rows, shown, sum(lead > 0 for lead in leads), min(leads), max(leads), axis_of(rows))


def cells_of(found: RunComparison) -> list[tuple[str, str | Promise, int]]:
    """Return what the list of examples can be narrowed to, with how many there are."""
    return [(cell, label, len(found.of_cell(cell))) for cell, label in CELL_LABELS.items()]


def examples_of(
    found: RunComparison, source: Source | None, *, cell: str, number: str
) -> tuple[Page[PredictedPair], list[ComparedInstance]]:
    """Return a page of instances of one of CELLS, and what both runs chose of each."""
    page = Paginator(found.of_cell(cell if cell in CELLS else "one"), EXAMPLES).get_page(number)
    pairs = list(page)
    predictions = predictions_by_pk([pk for pair in pairs for pk in pair.pks])
    instances = source.instances_named({pair.name for pair in pairs}) if source else {}
    examples = []
    for pair in pairs:
        scores = [predictions[pk].scores for pk in pair.pks]
        instance = instances.get(pair.name)
        examples.append(ComparedInstance(pair.name, pair.cell, instance, _candidates(instance, scores)))
    return page, examples


def _candidates(instance: RankingInstance | None, scores: list[list[float]]) -> list[ComparedCandidate]:
    chosen = [best_first(own)[0] if own else None for own in scores]

    def of(number: int, run: int) -> float | None:
        return scores[run][number] if chosen[run] == number else None

    return [
        ComparedCandidate(
            number,
            instance.candidates[number] if instance else "",
            instance is not None and instance.answer == number,
            of(number, 0),
            of(number, 1),
        )
        for number in range(len(instance.candidates) if instance else max(map(len, scores)))
    ]
