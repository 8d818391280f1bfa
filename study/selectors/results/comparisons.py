"""Comparisons of a study: people with models, groups of people, and models with each other, each a test."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.domain.statistics import DRAWS
from core.models.snapshot import consistent_read
from study.domain.results.compared import (
    Answers,
    Compared,
    FourfoldFigures,
    people_with_model,
    two_groups,
    two_models,
)
from study.domain.results.families import ComparisonVerdict, Family, PlannedContrasts, adjusted
from study.domain.results.labels import ResultPart
from study.domain.results.paired import POWER
from study.domain.results.results import generator_for
from study.models import Study
from study.selectors.results.answered import GivenAnswers, StudyAnswers, answers_given
from study.selectors.results.compared_models import ComparedModel, compared_models
from study.selectors.runs.model_answers import models_of

Row = dict[str, Any]


def planned_contrasts(study: Study) -> PlannedContrasts | None:
    """Return what the frozen plan says of the analysis; None for a study without one."""
    return PlannedContrasts.of(study.plan["analysis"]) if study.plan and "analysis" in study.plan else None


def comparisons_of(
    study: Study, names: Sequence[str], *, seed: int = 0, draws: int = DRAWS, of_all: GivenAnswers | None = None
) -> dict[str, Any]:
    """Return the object that `compare --json` prints: differences are from -1 to 1, a missing figure is null.

    Without `names` every model is compared; `of_all` are the study's answers where they have been read. Raises
    NoSuchModel.
    """
    with consistent_read():
        plan = planned_contrasts(study)
        metric = plan.metric if plan else "R@1"
        of_all = of_all or answers_given(study)
        given = of_all.under(of_all.planned)
        found = models_of(study, given, draws=draws)
        models = compared_models(found, names, metric)
    compare = _Comparing(given, plan, metric, seed, draws)
    rows = [*compare.people_and_models(models), *compare.groups(), *compare.models(models)]
    p_adjusted = adjusted([row["family"] for row in rows], [row["p"] for row in rows])
    return {
        "study": study.slug,
        "plan": _plan_as_json(study, plan),
        "metric": metric,
        "power": POWER,
        "seed": seed,
        "bootstrap": draws,
        "rows": [
            {**row, "p_adjusted": p, "verdict": ComparisonVerdict.of(p, row["similar"])}
            for row, p in zip(rows, p_adjusted, strict=True)
        ],
    }


def _plan_as_json(study: Study, plan: PlannedContrasts | None) -> Row | None:
    if plan is None:
        return None
    return {"checksum": study.plan_checksum, **vars(plan), "against": list(plan.against)}


class _Comparing:
    """Comparisons of the answers of a study by one metric, under its plan."""

    def __init__(self, given: StudyAnswers, plan: PlannedContrasts | None, metric: str, seed: int, draws: int) -> None:
        table = given.table
        self._table, self._plan, self._metric, self._seed, self._draws = table, plan, metric, seed, draws
        self._columns = Answers(table.values(metric), table.people.codes, table.asked.codes, table.questions.codes)
        self._known = ~np.isnan(self._columns.values)
        self._code = {key: position for position, key in enumerate(table.asked.names)}
        self._whole = {one.key: one.whole for one in given.questions.values()}
        self._corpus = {one.key: one.corpus for one in given.questions.values()}
        self._margin = plan.margin if plan else None

    @property
    def _corpora(self) -> list[str | None]:
        """All together, then each corpus where there are several."""
        named = self._table.named("corpus")
        return [None, *(named if len(named) > 1 else ())]

    def _groups(self, corpus: str | None) -> list[str]:
        named = self._table.named("group")
        if corpus:
            parts = self._table.parts(("corpus", "group"))
            named = [part.name("group") or "" for part in parts if part.name("corpus") == corpus]
        return named if len(named) > 1 else []

    def _rows_of(self, corpus: str | None, group: str | None) -> NDArray[np.bool_]:
        labels = {label: name for label, name in (("corpus", corpus), ("group", group)) if name is not None}
        return self._known & self._table.of_part(ResultPart.of(labels))

    def people_and_models(self, models: Sequence[ComparedModel]) -> Iterator[Row]:
        for corpus in self._corpora:
            for group in [None, *self._groups(corpus)]:
                answers = self._columns.where(self._rows_of(corpus, group))
                for model in models:
                    mean = model.mean
                    found = people_with_model(
                        answers,
                        {self._code[key]: value for key, value in mean.items() if key in self._code},
                        partial(self._generator, *model.checksums, corpus or "", group or ""),
                        margin=self._margin,
                        draws=self._draws,
                    )
                    if found:
                        names = self._table.asked.names
                        keys = {names[code] for code in np.unique(answers.questions).tolist()} & mean.keys()
                        row = self._row(found, corpus, group, model.names)
                        yield row | {"model": model.name, "against": None} | model.spread(keys)

    def _generator(self, *names: str) -> np.random.Generator:
        """Return the generator of a comparison; the name of what is drawn is the last."""
        *others, drawn = names
        return generator_for(self._seed, drawn, *others)

    def groups(self) -> Iterator[Row]:
        """Yield each two groups without a person in common, the plan's own group before others."""
        own = self._plan.group if self._plan else ""
        for corpus in self._corpora:
            for first, second in combinations(sorted(self._groups(corpus), key=lambda name: name != own), 2):
                of_first, of_second = self._rows_of(corpus, first), self._rows_of(corpus, second)
                both = of_first | of_second
                found = two_groups(self._columns.where(both), of_first[both], margin=self._margin)
                if found and not (of_first & of_second).any():
                    row = self._row(found, corpus, first, [second])
                    yield row | {"model": None, "against": second, "seeds": None, "spread": None}

    def models(self, models: Sequence[ComparedModel]) -> Iterator[Row]:
        for corpus in self._corpora:
            for first, second in combinations(models, 2):
                one, other = self._of_wholes(first, second, corpus), self._of_wholes(second, first, corpus)
                if found := two_models(one, other, margin=self._margin, seed=self._seed):
                    row = self._row(found, corpus, None, [])
                    yield row | {"model": first.name, "against": second.name, "seeds": None, "spread": None}

    def _of_wholes(self, model: ComparedModel, beside: ComparedModel, corpus: str | None) -> dict[str, float]:
        """Return what a model's answers to each question are worth, the mean over the conditions that both have."""
        found: dict[str, list[float]] = {}
        others = beside.mean
        for key, value in model.mean.items():
            if key in others and corpus in (None, self._corpus[key]):
                found.setdefault(self._whole[key], []).append(value)
        return {whole: fsum(values) / len(values) for whole, values in found.items()}

    def _row(self, found: Compared, corpus: str | None, group: str | None, names: Sequence[str]) -> Row:
        family = self._family(corpus, group, names)
        return {
            "corpus": corpus,
            "group": group,
            "names": [*names],
            "metric": self._metric,
            "estimator": found.estimator,
            "difference": found.difference,
            "first": found.first,
            "second": found.second,
            "ci": found.interval and list(found.interval),
            "test": found.test,
            "p": found.p,
            "two_way_p": found.two_way_p,
            "family": family,
            "adjusted_by": family.adjustment,
            "smallest": found.smallest,
            "smallest_why": found.smallest_why,
            "questions": found.questions,
            "people": found.people,
            "margin": self._margin,
            "equivalence_p": found.equivalence and found.equivalence.p,
            "equivalence_ci": found.equivalence and list(found.equivalence.interval),
            "similar": found.equivalence and found.equivalence.is_similar,
            "mcnemar": _fourfold_as_json(found.fourfold),
            "majority": _fourfold_as_json(found.majority),
            "newcombe": found.newcombe and list(found.newcombe),
        }

    def _family(self, corpus: str | None, group: str | None, names: Sequence[str]) -> Family:
        if self._plan is None:
            return Family.EXPLORATORY
        if group is None and self._table.named("group") == [self._plan.group]:
            group = self._plan.group
        if corpus is None and self._table.named("corpus") == [self._plan.corpus]:
            corpus = self._plan.corpus
        return self._plan.family(corpus, group, names)


def _fourfold_as_json(found: FourfoldFigures | None) -> Row | None:
    if found is None:
        return None
    return {
        **vars(found.table),
        "level": found.level,
        "p": found.p,
        "mid_p": found.mid_p,
        "newcombe": list(found.newcombe),
        "tango": list(found.tango),
    }
