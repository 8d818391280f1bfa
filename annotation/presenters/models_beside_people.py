"""Models beside people as the agreement page shows them: one in each person's place, all with each person."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from annotation.domain.agreement import Figure, ModelAgreement
from annotation.domain.agreement.model_agreement import PersonsPlace, Verdict
from annotation.selectors.agreement.agreement import FEW_UNITS
from annotation.selectors.agreement.models_beside_people import ModelBesidePeople, ModelsBesidePeople, ScaleUse
from core.domain.statistics import Interval
from core.presenters.axis import Axis

Lane = tuple[str, float | None, Interval | None]  # kind, value, interval


@dataclass(frozen=True)
class Finding:
    """One model in people's places: the ends of its kappas and of theirs, and in how many places it is less or more."""

    model: tuple[float, float]
    people: tuple[float, float]
    places: int
    less: int
    more: int


@dataclass(frozen=True)
class PlaceRow:
    """A person's place: the person's name, and the figures of person and model."""

    label: str
    place: PersonsPlace

    @property
    def lanes(self) -> list[Lane]:
        return [_lane("people", self.place.person), _lane("model", self.place.model)]


@dataclass(frozen=True)
class ModelEstimate:
    """A model's kappa on `n` pairs; the `kind` of its mark."""

    kind: str
    n: int
    figure: Figure | None

    @property
    def emphasis(self) -> str:
        """The style of the number: the chosen model's are strong."""
        return "strong" if self.kind == "model" else ""

    @property
    def lane(self) -> Lane:
        return _lane(self.kind, self.figure)


@dataclass(frozen=True)
class EachRow:
    """A person, or the mean of people, with an estimate for every model."""

    label: str  # empty for the mean
    estimates: list[ModelEstimate]

    @property
    def lanes(self) -> list[Lane]:
        return [estimate.lane for estimate in self.estimates]


@dataclass(frozen=True)
class ScaleColumn:
    """Column of bars that shows the use of the scale by people or a model: each grade with its number."""

    label: str  # empty for people
    use: ScaleUse
    rows: list[tuple[int, int]]


class BesidePage:
    """The section of the agreement page about `chosen`, one of the project's models, and the others beside it.

    Unless a name says which, it is the model with the most pairs that people graded.
    """

    def __init__(self, found: ModelsBesidePeople, name: str) -> None:
        self.found = found
        most = max(found.models, key=lambda model: model.agreement.n if model.agreement else 0)
        self.chosen = next((model for model in found.models if model.name == name), most)
        self.raters = found.raters

    @property
    def agreement(self) -> ModelAgreement | None:
        return self.chosen.agreement

    @property
    def has_few_units(self) -> bool:
        return self.agreement is not None and self.agreement.units < FEW_UNITS

    @cached_property
    def places(self) -> list[PlaceRow]:
        places = self.agreement.places if self.agreement else []
        return [PlaceRow(self.raters[place.rater], place) for place in places]

    @property
    def places_axis(self) -> Axis:
        return _axis(lane for row in self.places for lane in row.lanes)

    @property
    def finding(self) -> Finding | None:
        """None where a kappa of a place is undefined, or there is no place."""
        places = [row.place for row in self.places]
        model = [place.model.value for place in places if place.model.value is not None]
        people = [place.person.value for place in places if place.person.value is not None]
        if not places or len(model) < len(places) or len(people) < len(places):
            return None
        verdicts = [place.verdict for place in places]
        less, more = (verdicts.count(verdict) for verdict in (Verdict.LESS, Verdict.MORE))
        return Finding((min(model), max(model)), (min(people), max(people)), len(places), less, more)

    @cached_property
    def each(self) -> list[EachRow]:
        """Rows of people whom any model shares a pair with, and last the mean of a pair's people."""
        return [*filter(None, map(self._with_person, range(len(self.raters)))), self._with_mean()]

    @property
    def each_axis(self) -> Axis:
        people = [("people", None, self.zone)]
        return _axis([*people, *(lane for row in self.each for lane in row.lanes)])

    @property
    def zone(self) -> Interval | None:
        """The interval of people among each other."""
        return self.agreement.people.interval if self.agreement else None

    @property
    def legend(self) -> list[tuple[str, str]]:
        return [(self._kind(model), model.name) for model in self.found.models]

    @property
    def scale_columns(self) -> list[ScaleColumn]:
        uses = [("", self.found.people), *((model.name, model.use) for model in self.found.models)]
        return [ScaleColumn(label, use, list(zip(self.found.scale, use.counts, strict=True))) for label, use in uses]

    @property
    def top_share(self) -> float:
        """The share that a full bar stands for."""
        uses = [self.found.people, *(model.use for model in self.found.models)]
        return max(max(use.counts) / use.grades for use in uses if use.grades)

    def _kind(self, model: ModelBesidePeople) -> str:
        return "model" if model is self.chosen else "model-open"

    def _with_person(self, rater: int) -> EachRow | None:
        estimates = []
        for model in self.found.models:
            shared = model.agreement.each if model.agreement else []
            own = next((each for each in shared if each.rater == rater), None)
            figure, n = (own.kappa_quadratic, own.n) if own else (None, 0)
            estimates.append(ModelEstimate(self._kind(model), n, figure))
        return EachRow(self.raters[rater], estimates) if any(estimate.n for estimate in estimates) else None

    def _with_mean(self) -> EachRow:
        means = [(model, model.agreement) for model in self.found.models]
        return EachRow(
            "",
            [
                ModelEstimate(self._kind(model), beside.shared if beside else 0, beside.mean if beside else None)
                for model, beside in means
            ],
        )


def _lane(kind: str, figure: Figure | None) -> Lane:
    return (kind, figure.value, figure.interval) if figure else (kind, None, None)


def _axis(lanes: Iterable[Lane]) -> Axis:
    return Axis.around(number for _kind, value, ends in lanes for number in (value, *(ends or ())))


def beside_page(found: ModelsBesidePeople, name: str) -> BesidePage | None:
    """Return the section with the model of this name, else the first; None without a model."""
    return BesidePage(found, name) if found.models else None
