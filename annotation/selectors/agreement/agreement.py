"""Agreement of a project's raters, before and after the gap filter."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from annotation.domain.agreement import (
    Block,
    Figure,
    PartnerAgreement,
    RaterPair,
    agreement,
    confusion,
    pairs_of_raters,
    partner_agreement,
)
from annotation.domain.agreement.coefficients import KAPPAS
from annotation.domain.agreement.patterns import FloatArray
from annotation.domain.rating.rating import gap
from annotation.domain.workflow import ItemState
from annotation.models import Project
from annotation.selectors.agreement.agreement_parts import AgreementPart, Parts, TypeConfusion, parts_of
from annotation.selectors.agreement.described_figures import REASONS, asymptotic, ends
from annotation.selectors.agreement.models_beside_people import (
    ModelsBesidePeople,
    described_models,
    models_beside_people,
)
from annotation.selectors.rating.grades import Grades, ResampledUnit, grades_in_force
from annotation.selectors.rating.pairs import PairHistory
from core.domain.statistics import DRAWS_OF_ITEMS
from core.domain.text import timestamp
from core.models import User

FEW_UNITS = 30  # of what is resampled


@dataclass(frozen=True)
class AgreementReport:
    """All agreement of a project: `before` is over all pairs, `after` over those kept by the gap filter.

    Raters are positions in `raters`, their names, and in `people`. `items` have two grades or more. Adjudicators'
    grades are excluded: of the pairs removed by the filter `disputed` wait for an adjudicator, and `adjudicated` were
    kept by one. `matrix` is how often two grades occur together, shape (grades, grades), lower triangle.
    """

    raters: tuple[str, ...]
    people: tuple[User, ...]
    items: int
    kept: int
    removed: int
    disputed: int
    adjudicated: int
    before: Block
    after: Block
    pairs: list[RaterPair]
    partners: list[PartnerAgreement]
    matrix: FloatArray
    resampled: ResampledUnit

    @property
    def has_few_units(self) -> bool:
        """True where an interval promises more than it keeps."""
        return any(0 < block.units < FEW_UNITS for block in (self.before, self.after))


def agreement_of(grades: Grades, *, draws: int = DRAWS_OF_ITEMS, seed: int = 0) -> AgreementReport:
    """Return every figure with intervals from `draws` resamples of units; a seed gives the same on any database."""
    of_all, of_kept = np.random.default_rng(seed).spawn(2)
    patterns, finally_kept = grades.patterns(), grades.of_items(ItemState.KEPT).patterns()
    kept = finally_kept.within_gap(grades.gap)
    adjudicated = finally_kept.paired_items() - kept.paired_items()
    disputed = grades.of_items(ItemState.DISPUTED).items()
    return AgreementReport(
        raters=grades.labels,
        people=grades.raters,
        items=patterns.paired_items(),
        kept=finally_kept.items() - adjudicated,
        removed=grades.of_items(ItemState.REMOVED).items() + disputed + adjudicated,
        disputed=disputed,
        adjudicated=adjudicated,
        before=agreement(patterns, draws, of_all),
        after=agreement(kept, draws, of_kept),
        pairs=pairs_of_raters(patterns),
        partners=partner_agreement(patterns),
        matrix=confusion(patterns),
        resampled=grades.resampled,
    )


def agreement_report(
    project: Project,
    *,
    by: ResampledUnit | None = None,
    raters: Collection[str] = (),
    draws: int = DRAWS_OF_ITEMS,
    seed: int = 0,
) -> dict[str, Any]:
    """Return the object that `agreement --json` prints. Shares are 0 to 1; undefined values are null, with a reason.

    With names of `raters` it is of their grades alone. Raises DialoguesUnnamed, RaterUnknown and RatersTooFew.
    """
    grades = grades_in_force(project, by)
    grades = grades.of_raters(raters) if raters else grades
    found, parts = agreement_of(grades, draws=draws, seed=seed), parts_of(project, grades)
    models = models_beside_people(project, grades, draws=draws, seed=seed)
    return described_agreement(found, parts, models, draws=draws, seed=seed)


def described_agreement(
    found: AgreementReport, parts: Parts, models: ModelsBesidePeople, *, draws: int = DRAWS_OF_ITEMS, seed: int = 0
) -> dict[str, Any]:
    """Return the agreement, its parts and the models as one object, with reasons in the language in force."""
    return {
        **_figures(found, draws, seed),
        "pairs": [described_pair(pair, found.raters) for pair in found.pairs],
        "sources": [{"source": part.name, **_part(part)} for part in parts.sources],
        "topics": [{"topic": part.name, **_part(part)} for part in parts.topics],
        "stretches": [
            {"from": _at(part.began_at), "to": _at(part.ended_at), **_part(part)} for part in parts.stretches
        ],
        "type_confusions": [_type_confusion(type_confusion) for type_confusion in parts.type_confusions],
        "discussions": [_discussion(row, found) for row in parts.discussions],
        "models": described_models(models),
    }


def frozen_agreement(project: Project) -> dict[str, Any]:
    """Return the figures that a release stores: they depend only on the grades, not on time or database.

    There are no names and no times, because what is frozen cannot be deleted on a person's request.
    """
    return _figures(agreement_of(grades_in_force(project)), DRAWS_OF_ITEMS, 0)


def _figures(found: AgreementReport, draws: int, seed: int) -> dict[str, Any]:
    return {
        "items": found.items,
        "kept": found.kept,
        "removed": found.removed,
        "disputed": found.disputed,
        "adjudicated": found.adjudicated,
        "before": _block(found.before, found.resampled),
        "after": _block(found.after, found.resampled),
        "matrix": found.matrix.tolist(),
        "bootstrap": draws,
        "seed": seed,
    }


def _part(part: AgreementPart) -> dict[str, Any]:
    described: dict[str, Any] = {
        "n": part.block.n,
        "units": part.block.units,
        "settled": part.settled,
        "apart": part.apart,
    }
    for name, figure in part.block.figures.items():
        described |= asymptotic(name, figure)
    return described


def _at(moment: datetime | None) -> str | None:
    return timestamp(moment) if moment else None


def _type_confusion(type_confusion: TypeConfusion) -> dict[str, Any]:
    readings = (type_confusion.low, type_confusion.high)
    return {
        "grades": [grade for grade, _kind in readings],
        "types": [kind or None for _grade, kind in readings],
        "n": type_confusion.pairs,
    }


def _discussion(row: PairHistory, found: AgreementReport) -> dict[str, Any]:
    labels = {rater.pk: label for rater, label in zip(found.people, found.raters, strict=True)}
    by_person = {rating.assignment.person_id: rating.grade for rating in row.ratings}
    given = {label: by_person[person] for person, label in labels.items() if person in by_person}
    return {"id": row.item.key, "gap": gap(given.values()), "grades": given}


def _block(block: Block, resampled: ResampledUnit) -> dict[str, Any]:
    described: dict[str, Any] = {"n": block.n, "unit": str(resampled), "units": block.units}
    for name, figure in block.figures.items():
        described |= asymptotic(name, figure) | {
            f"{name}_ci": ends(figure.interval),
            f"{name}_se": figure.standard_error,
        }
        if why := figure.why or figure.interval_why:
            described[f"{name}_why"] = str(REASONS[why])
    return described


def described_pair(pair: RaterPair, raters: tuple[str, ...]) -> dict[str, Any]:
    """Return a pair of raters as reports have it, with both names."""
    described: dict[str, Any] = {
        "raters": [raters[position] for position in pair.raters],
        "n": pair.n,
        "percent": pair.percent,
    }
    for name in KAPPAS:
        figure: Figure = getattr(pair, name)
        described |= asymptotic(name, figure)
    return described
