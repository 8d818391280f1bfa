"""Models beside people: how each agrees with them, and how it uses the scale. No figure of people depends on it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from django.db.models import Max
from numpy.typing import NDArray

from annotation.domain.agreement import ModelAgreement, grade_patterns, model_agreement
from annotation.models import GradingModel, ModelGrade, Project
from annotation.models.model_grades import ModelGradeQuerySet
from annotation.selectors.agreement.described_figures import resampled
from annotation.selectors.rating.grades import CHUNK, Grades, ResampledUnit
from core.domain.statistics import DRAWS_OF_ITEMS
from core.domain.text import timestamp

MODEL = -1  # among raters, whose positions are from 0
ROW = np.dtype([("item", "i8"), ("grade", "i8")])


@dataclass(frozen=True)
class ScaleUse:
    """Number of times that each grade of the scale was given, the lowest first; `mean` is None without a grade."""

    counts: tuple[int, ...]
    mean: float | None

    @classmethod
    def of(cls, grades: NDArray[np.int64], scale: tuple[int, ...]) -> "ScaleUse":
        counts = tuple(int((grades == grade).sum()) for grade in scale)
        return cls(counts, float(grades.mean()) if len(grades) else None)

    @property
    def grades(self) -> int:
        return sum(self.counts)


@dataclass(frozen=True)
class ModelBesidePeople:
    """One model; raters are positions in the grades' labels. No `agreement` where people graded none of its pairs."""

    of: GradingModel
    imported_at: datetime
    use: ScaleUse
    agreement: ModelAgreement | None

    @property
    def name(self) -> str:
        return self.of.name


@dataclass(frozen=True)
class ModelsBesidePeople:
    """The models of a project in order of name, and the scale as people used it, before the filter."""

    models: list[ModelBesidePeople]
    people: ScaleUse
    scale: tuple[int, ...]
    raters: tuple[str, ...]
    pairs: int
    resampled: ResampledUnit


def models_beside_people(
    project: Project, grades: Grades, *, draws: int = DRAWS_OF_ITEMS, seed: int = 0
) -> ModelsBesidePeople:
    """Return every model of a project beside `grades`, which are those of its people."""
    counting = ModelGrade.objects.counting().filter(model__project=project)
    imported = dict(counting.values_list("model").annotate(Max("imported_at")))
    models = project.grading_models.select_related("guideline").filter(pk__in=imported)
    return ModelsBesidePeople(
        models=[
            _beside(model, imported[model.pk], _rows(counting, model), grades, draws, seed)
            for model in sorted(models, key=str)
        ],
        people=ScaleUse.of(grades.rows["grade"], grades.scale),
        scale=grades.scale,
        raters=grades.labels,
        pairs=grades.items(),
        resampled=grades.resampled,
    )


def described_models(found: ModelsBesidePeople) -> list[dict[str, Any]]:
    """Return the models as `agreement --json` prints them."""
    return [_described(model, found) for model in found.models]


def _rows(counting: ModelGradeQuerySet, model: GradingModel) -> NDArray[Any]:
    read = counting.filter(model=model).values_list("item", "grade")
    return np.fromiter(read.iterator(chunk_size=CHUNK), dtype=ROW)


def _beside(
    model: GradingModel, imported_at: datetime, rows: NDArray[Any], grades: Grades, draws: int, seed: int
) -> ModelBesidePeople:
    use = ScaleUse.of(rows["grade"], grades.scale)
    people = grades.rows[np.isin(grades.rows["item"], rows["item"])]
    if not len(people):
        return ModelBesidePeople(model, imported_at, use, None)
    items, first = np.unique(people["item"], return_index=True)
    own = rows[np.isin(rows["item"], items)]
    unit = people["unit"][first][np.searchsorted(items, own["item"])]
    patterns = grade_patterns(
        np.concatenate([people["item"], own["item"]]),
        np.concatenate([people["rater"], np.full(len(own), MODEL)]),
        np.concatenate([people["grade"], own["grade"]]),
        grades.scale,
        np.concatenate([people["unit"], unit]),
    )
    # The same draws for every model: none depends on which others there are.
    return ModelBesidePeople(
        model, imported_at, use, model_agreement(patterns, MODEL, draws, np.random.default_rng(seed))
    )


def _described(model: ModelBesidePeople, found: ModelsBesidePeople) -> dict[str, Any]:
    described: dict[str, Any] = {
        "model": model.name,
        "imported_at": timestamp(model.imported_at),
        "guideline": model.of.guideline.number,
        "settings": model.of.settings,
        "grades": dict(zip(map(str, found.scale), model.use.counts, strict=True)),
        "mean": model.use.mean,
        "n": 0,
    }
    if model.agreement is None:
        return described
    agreement = model.agreement
    return described | {
        "n": agreement.n,
        "shared": agreement.shared,
        "unit": str(found.resampled),
        "units": agreement.units,
        "places": [
            {
                "rater": found.raters[place.rater],
                "n": place.n,
                **resampled("person", place.person),
                **resampled("model", place.model),
                **resampled("difference", place.difference),
                "verdict": str(place.verdict),
            }
            for place in agreement.places
        ],
        "raters": [
            {"rater": found.raters[each.rater], "n": each.n, **resampled("kappa_quadratic", each.kappa_quadratic)}
            for each in agreement.each
        ],
        **resampled("with_mean", agreement.mean),
        **resampled("people", agreement.people),
    }
