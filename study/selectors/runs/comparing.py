"""Two runs on the same instances: which they have right, and the instances that only one of them has right."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.db.models import Q, QuerySet

from core.models.people import User
from study.domain.results.paired import FourfoldTable, PairedDifference, paired_difference
from study.models import Prediction, Run
from study.permissions import runs_of
from study.selectors.runs.bodies import figure_of, measures_of, seeds_like, side_by_side, values_of
from study.selectors.runs.runs import OUTCOMES, WHOLE, margin, unread_of
from study.selectors.runs.sources import Source

Values = Mapping[str, float]
CELLS = ("one", "first", "second", "neither", "both")  # which of the two is right: only one, only the first, …


@dataclass(frozen=True)
class PredictedPair:
    """What both runs predicted of one instance; `first` and `second` are right, wrong or, level, neither."""

    name: str
    pks: tuple[int, int]
    is_right: tuple[bool, bool]
    margin: float  # how sure the one that is right was, or the surer of the two

    @property
    def cell(self) -> str:
        return {(True, False): "first", (False, True): "second", (True, True): "both"}.get(self.is_right, "neither")


@dataclass(frozen=True)
class RunComparison:
    """Two runs by one measure; `difference` is None where they were asked about different instances.

    Instances are named as in the first run.
    """

    first: Run
    second: Run
    measure: str
    shared: int  # instances that both were asked about
    difference: PairedDifference | None
    values: tuple[Values, Values] = field(default_factory=lambda: ({}, {}))
    pairs: list[PredictedPair] = field(default_factory=list)
    unread: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())  # of the compared

    @property
    def table(self) -> FourfoldTable | None:
        """Who is right where; an instance on which a run leaves the true response level counts as not right."""
        if not self.pairs:
            return None
        cells = [pair.cell for pair in self.pairs]
        return FourfoldTable(*(cells.count(cell) for cell in ("both", "first", "second", "neither")))

    def of_cell(self, cell: str) -> list[PredictedPair]:
        """Return the instances of one of CELLS, the surest first."""
        cells = ("first", "second") if cell == "one" else (cell,)
        return sorted((pair for pair in self.pairs if pair.cell in cells), key=lambda pair: -pair.margin)


@dataclass(frozen=True)
class SeedPair:
    """Two runs that differ from the compared ones by their seeds alone, and the difference of their figures."""

    first: Run
    second: Run
    mean: float
    interval: None = None


def seed_pairs(found: RunComparison, *, by: User) -> list[SeedPair]:
    """Return every pair of seeds of the two models; [] where there is no other pair, or one model with two seeds."""
    firsts, seconds = seeds_like(found.first, by=by), seeds_like(found.second, by=by)
    if len(firsts) * len(seconds) < 2 or found.first in seconds:
        return []
    values = {run: figure_of(run, found.measure) for run in (*firsts, *seconds)}
    return [
        SeedPair(first, second, one - other)
        for first in firsts
        for second in seconds
        if (one := values[first]) is not None and (other := values[second]) is not None
    ]


def beside(run: Run, *, by: User) -> QuerySet[Run]:
    """Return the ended runs on the same instances that a person may see, this one included, the newest first."""
    ended = runs_of(by).counting().filter(ended_at__isnull=False)
    alike = Q(on=run.on, on_checksum=run.on_checksum)
    return ended.filter(alike).order_by("-created_at", "-pk").defer("learned", "shared_contexts")


def comparison(first: Run, second: Run, measure: str, source: Source | None) -> RunComparison:
    """Compare two runs; refuse nothing: without a common body of instances there is no difference."""
    measures = [name for name in measures_of(first) if name in measures_of(second)]
    measure = measure if measure in measures else next(iter(measures), "")
    names = _names(first, second)
    if not are_alike(first, second) or not measure:
        return RunComparison(first, second, measure, len(names), None)
    of_second = values_of(second, measure, source)
    values = values_of(first, measure, source), {names[id]: of_second[id] for id in of_second if id in names}
    one, other = side_by_side(*values)
    if not one:
        return RunComparison(first, second, measure, 0, None)
    pairs = _pairs(first, second, names)
    unread = _unread(first, values), _unread(second, values, names)
    return RunComparison(first, second, measure, len(one), paired_difference(one, other), values, pairs, unread)


def _unread(run: Run, values: tuple[Values, Values], names: Mapping[str, str] | None = None) -> frozenset[str]:
    """Return the instances among those with both values of which no reply to the run can be read."""
    if not unread_of(run):
        return frozenset()
    ids = run.predictions.filter(OUTCOMES["unanswered"]).values_list("external_id", flat=True)
    named = (id if names is None else names.get(id, "") for id in ids)
    return frozenset(name for name in named if name in values[0] and name in values[1])


def are_alike(first: Run, second: Run) -> bool:
    """Tell whether both were asked about the same instances: the same material, or the same content."""
    if first.on_checksum == second.on_checksum and first.on == second.on:
        return True
    asked = [set(run.predictions.order_by().values_list("content", flat=True)) for run in (first, second)]
    return asked[0] == asked[1] and "" not in asked[0]


def _names(first: Run, second: Run) -> dict[str, str]:
    """Return what the first run calls each instance in its whole context that both were asked about, by its id."""
    key = "external_id" if first.on_checksum == second.on_checksum else "content"
    asked = (run.predictions.filter(WHOLE).exclude(**{key: ""}).order_by("-position") for run in (first, second))
    of_first, of_second = (rows.values_list(key, "external_id") for rows in asked)
    name = dict(of_first)
    return {id: name[own] for own, id in of_second if own in name}


def _pairs(first: Run, second: Run, names: Mapping[str, str]) -> list[PredictedPair]:
    one = _rows(first)
    other = {names[id]: row for id, row in _rows(second).items() if id in names}
    pairs = []
    for name, (pk, better, tied, scores) in one.items():
        if name in other:
            other_pk, other_better, other_tied, other_scores = other[name]
            is_right = not better and not tied, not other_better and not other_tied
            margins = margin(scores), margin(other_scores)
            sure = margins[0] if is_right == (True, False) else margins[1] if is_right[1] else max(margins)
            pairs.append(PredictedPair(name, (pk, other_pk), is_right, sure))
    return pairs


def _rows(run: Run) -> dict[str, tuple[int, int, int, list[float]]]:
    rows = run.predictions.filter(WHOLE, better__isnull=False).order_by("position")
    fields = ("external_id", "pk", "better", "tied", "scores")
    return {id: (pk, better, tied, scores) for id, pk, better, tied, scores in rows.values_list(*fields)}


def predictions_by_pk(pks: list[int]) -> dict[int, Prediction]:
    return Prediction.objects.in_bulk(pks)
