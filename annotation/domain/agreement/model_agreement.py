"""A model's grades beside those of people: in a person's place, with each person, and with the mean of all people.

All figures are kappas with quadratic weights. The model is one of the raters of the patterns and graded every item.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial

import numpy as np

from annotation.domain.agreement.coefficients import distances, kappa, kappa_with_mean
from annotation.domain.agreement.figures import Figure, estimate
from annotation.domain.agreement.patterns import FloatArray, IntArray, Patterns, Rater
from annotation.domain.agreement.tables import Overlaps, RaterTables


class Verdict(StrEnum):
    """Agreement of a model with a person's partners against that of the person: less, more, or unclear."""

    LESS = "less"
    MORE = "more"
    UNCLEAR = "unclear"


@dataclass(frozen=True)
class PersonsPlace:
    """A person and the model, each against the person's partners on the same `n` items; model minus person."""

    rater: Rater
    n: int
    person: Figure
    model: Figure
    difference: Figure

    @property
    def verdict(self) -> Verdict:
        """By the interval of the difference."""
        low, high = self.difference.interval or (-np.inf, np.inf)
        if high < 0:
            return Verdict.LESS
        return Verdict.MORE if low > 0 else Verdict.UNCLEAR


@dataclass(frozen=True)
class WithPerson:
    """The model and one person on the `n` items that both graded."""

    rater: Rater
    n: int
    kappa_quadratic: Figure


@dataclass(frozen=True)
class ModelAgreement:
    """A model beside people on `n` items; of these `shared` have two people or more. `units` are resampled.

    Over the shared ones, `mean` is the model with the mean of an item's people, `people` their own, pooled.
    """

    n: int
    shared: int
    units: int
    places: list[PersonsPlace]
    each: list[WithPerson]
    mean: Figure
    people: Figure


def model_agreement(patterns: Patterns, model: Rater, draws: int, generator: np.random.Generator) -> ModelAgreement:
    """Return the figures of a model, all with intervals from the same `draws` resamples of units."""
    raters = len(patterns.names)
    tables = _tables(patterns, model)
    figures = estimate(partial(_statistics, tables=tables, raters=raters), tables.sample, draws, generator)
    items, in_order = tables.items(), sorted(enumerate(patterns.names), key=lambda named: named[1])
    return ModelAgreement(
        n=patterns.items(),
        shared=items[3 * raters + 1],
        units=patterns.paired_units(),
        places=[
            PersonsPlace(
                name, items[rater], *(figures[f"{what} {rater}"] for what in ("person", "model", "difference"))
            )
            for rater, name in in_order
            if items[rater]
        ],
        each=[
            WithPerson(name, items[2 * raters + rater], figures[f"each {rater}"])
            for rater, name in in_order
            if items[2 * raters + rater]
        ],
        mean=figures["mean"],
        people=figures["people"],
    )


def _tables(patterns: Patterns, model: Rater) -> RaterTables:
    """Return three tables for each of the raters and three for all.

    Of each rater: with partners; the model in their place; with the model. Of all: people with each other; the model
    with people, an item summing to 1; and people with each other again, as `kappa_with_mean` weighs them.
    """
    parts = list(_parts(patterns, model))
    columns = zip(*(overlaps.columns() for overlaps, _table, _weight in parts), strict=True)
    overlaps = Overlaps(*map(np.concatenate, columns))
    table = np.concatenate([table for _overlaps, table, _weight in parts])
    weight = np.concatenate([weight for _overlaps, _table, weight in parts])
    return RaterTables.of(patterns, overlaps, table, 3 * len(patterns.names) + 3, weight)


def _parts(patterns: Patterns, model: Rater) -> Iterator[tuple[Overlaps, IntArray, FloatArray]]:
    """Yield overlaps, each with the number of its table and its weight."""
    raters, own = len(patterns.names), patterns.names.index(model)
    overlaps = Overlaps.both_ways(patterns)
    people = overlaps.where((overlaps.rater != own) & (overlaps.partner != own))
    of_model = overlaps.where(overlaps.rater == own)
    in_place = replace(people, grade=patterns.grades[patterns.raters == own][people.pattern])
    alike = np.ones_like(people.pattern)
    graders = patterns.raters_each() - 1  # people of each pattern
    a_partner = 1 / (graders[people.pattern] - 1)
    yield people, people.rater, a_partner
    yield in_place, raters + people.rater, a_partner
    yield of_model, 2 * raters + of_model.partner, np.ones(len(of_model.pattern))
    yield people, 3 * raters * alike, a_partner
    with_mean = of_model.where(graders[of_model.pattern] >= 2)
    yield with_mean, np.full_like(with_mean.pattern, 3 * raters + 1), 1 / graders[with_mean.pattern]
    yield people, (3 * raters + 2) * alike, 1 / (2 * graders[people.pattern] ** 2)


def _statistics(sums: FloatArray, tables: RaterTables, raters: int) -> dict[str, FloatArray]:
    shaped, distance = tables.shaped(sums), distances(tables.grades)[2]
    kappas = kappa(shaped[..., : 3 * raters + 1, :, :], distance)
    person, in_place, each = (kappas[..., start : start + raters] for start in (0, raters, 2 * raters))
    of_each = {"person": person, "model": in_place, "difference": in_place - person, "each": each}
    return {
        "people": kappas[..., 3 * raters],
        "mean": kappa_with_mean(shaped[..., 3 * raters + 1, :, :], shaped[..., 3 * raters + 2, :, :], distance),
        **{f"{what} {rater}": values[..., rater] for what, values in of_each.items() for rater in range(raters)},
    }
