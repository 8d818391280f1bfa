"""Comparisons of a study: people with models, groups of people, and models with each other, each a test."""

from collections.abc import Iterator, Mapping, Sequence
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
from study.domain.results.resamples import Resamples, generator_for
from study.models import Study
from study.selectors.results.answered import GivenAnswers, StudyAnswers, answers_given
from study.selectors.results.compared_models import ComparedModel, compared_models, planned_runs
from study.selectors.runs.model_answers import models_of

Row = dict[str, Any]
ALL_PEOPLE = "people"  # as `compare` calls those of no group in particular


def planned_contrasts(study: Study) -> PlannedContrasts | None:
    """Return what the frozen plan says of the analysis; None for a study without one."""
    return PlannedContrasts.of(study.plan["analysis"]) if study.plan and "analysis" in study.plan else None


def comparisons_of(
    study: Study, names: Sequence[str], *, seed: int = 0, draws: int = DRAWS, of_all: GivenAnswers | None = None
) -> dict[str, Any]:
    """Return the object that `compare --json` prints: differences are from -1 to 1, a missing figure is null.

    With `names` the rows are of these models and of groups alone; what p is adjusted for does not depend on it.
    `of_all` are the study's answers where they have been read. Raises NoSuchModel.
    """
    with consistent_read():
        plan = planned_contrasts(study)
        metric = plan.metric if plan else "R@1"
        of_all = of_all or answers_given(study)
        given = of_all.under(of_all.by_default)
        found = models_of(study, given, draws=draws)
        groups_of = [*study.groups.values_list("name", flat=True), *(one.name for one in study.survey.derived_groups)]
        chosen, every = (compared_models(found, some, metric, beside=[ALL_PEOPLE, *groups_of]) for some in (names, []))
        named = {None, *(model.name for model in chosen)}
        models = [*chosen, *(model for model in every if model.name not in named)]
        contrasts = plan.contrasts if plan else ()
        groups = _groups_among(groups_of, contrasts)
        of_models = [name for name in contrasts if name not in groups]
        planned = groups | planned_runs(found, models, of_models, metric)
    compare = _Comparing(given, plan, planned, metric, seed, draws)
    rows = [*compare.people_and_models(models), *compare.groups(), *compare.models(models)]
    p_adjusted = adjusted([row["family"] for row in rows], [row["p"] for row in rows], len(contrasts))
    carried_out = {row["planned"] for row in rows}
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
            if row["model"] in named and (row["model"] is None or row["against"] in named)
        ],
        "not_carried_out": [
            {"corpus": plan.corpus, "group": plan.group, "against": name, "family": plan.family(name)}
            for name in contrasts
            if plan and name not in carried_out
        ],
    }


def _groups_among(groups: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    """Return those of the names that are groups of the study, upper or lower case: a model called so is not meant."""
    known = {group.casefold(): group for group in groups}
    return {name: known[name.casefold()] for name in names if name.casefold() in known}


def _plan_as_json(study: Study, plan: PlannedContrasts | None) -> Row | None:
    if plan is None:
        return None
    return {"checksum": study.plan_checksum, **vars(plan), "against": list(plan.against)}


class _Comparing:
    """Comparisons of the answers of a study by one metric, under its plan.

    `planned` has what each name means that the plan compares with: a group, or one run.
    """

    def __init__(
        self,
        given: StudyAnswers,
        plan: PlannedContrasts | None,
        planned: Mapping[str, str | ComparedModel],
        metric: str,
        seed: int,
        draws: int,
    ) -> None:
        table = given.table
        self._table, self._plan, self._metric, self._seed = table, plan, metric, seed
        self._resample = Resamples(table, seed, draws)
        self._groups_meant = {group: name for name, group in planned.items() if isinstance(group, str)}
        self._runs_meant = {run.name: (name, run) for name, run in planned.items() if isinstance(run, ComparedModel)}
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
        """Return the groups on a corpus (None: on all), where there are several."""
        named = self._groups_named(corpus)
        return named if len(named) > 1 else []

    def _groups_named(self, corpus: str | None) -> list[str]:
        """Return the groups with answers; those of some corpora alone only on these, or where there is one corpus."""
        if corpus is None:
            return self._table.named("group", with_inner=len(self._table.named("corpus")) == 1)
        parts = self._table.parts(("corpus", "group"))
        return [part.name("group") or "" for part in parts if part.name("corpus") == corpus]

    def _rows_of(self, corpus: str | None, group: str | None) -> NDArray[np.bool_]:
        return self._known & self._part(corpus, group)

    def _part(self, corpus: str | None, group: str | None) -> NDArray[np.bool_]:
        labels = {label: name for label, name in (("corpus", corpus), ("group", group)) if name is not None}
        return self._table.of_part(ResultPart.of(labels))

    def _questions_asked(self, corpus: str | None, *groups: str | None) -> int:
        """Return how many questions of a corpus people of the groups answered, whatever the metric tells of them."""
        inside = np.any([self._part(corpus, group) for group in groups], axis=0)
        return len(np.unique(self._columns.wholes[inside]))

    def people_and_models(self, models: Sequence[ComparedModel]) -> Iterator[Row]:
        for corpus in self._corpora:
            for group in [None, *self._groups(corpus)]:
                rows = self._rows_of(corpus, group)
                answers, drawn = self._columns.where(rows), self._table.draw_names(rows)
                asked = self._questions_asked(corpus, group)
                for name, model in self._with_planned(models, corpus, group):
                    mean = model.mean
                    found = people_with_model(
                        answers,
                        {self._code[key]: value for key, value in mean.items() if key in self._code},
                        self._resample,
                        generator_for(self._seed, "sign flip", *model.checksums, *drawn),
                        margin=self._margin,
                    )
                    if found:
                        names = self._table.asked.names
                        keys = {names[code] for code in np.unique(answers.questions).tolist()} & mean.keys()
                        row = self._row(found, asked, corpus, group, model.names, name)
                        of_model = {"model": model.name, "against": None, "first_of": model.first_of}
                        yield row | of_model | model.spread(keys)

    def _with_planned(
        self, models: Sequence[ComparedModel], corpus: str | None, group: str | None
    ) -> Iterator[tuple[str | None, ComparedModel]]:
        """Yield the models, each with the name that the plan has for this contrast; before one its run that is meant.

        Where a model has several runs, the plan means one of them; the model as a whole is exploratory.
        """
        meant = self._runs_meant if self._is_planned(corpus, group) else {}
        for model in models:
            name, run = meant.get(model.name, (None, model))
            yield name, run
            if run.first_of is not None:
                yield None, model

    def groups(self) -> Iterator[Row]:
        """Yield each two groups without a person in common, the plan's own group before others."""
        own = self._plan.group if self._plan else ""
        for corpus in self._corpora:
            for first, second in combinations(sorted(self._groups(corpus), key=lambda name: name != own), 2):
                of_first, of_second = self._rows_of(corpus, first), self._rows_of(corpus, second)
                both = of_first | of_second
                found = two_groups(self._columns.where(both), of_first[both], margin=self._margin)
                if found and not (of_first & of_second).any():
                    name = self._groups_meant.get(second) if self._is_planned(corpus, first) else None
                    asked = self._questions_asked(corpus, first, second)
                    yield self._row(found, asked, corpus, first, [second], name) | {"model": None, "against": second}

    def models(self, models: Sequence[ComparedModel]) -> Iterator[Row]:
        for corpus in self._corpora:
            asked = self._questions_asked(corpus, None)
            for first, second in combinations(models, 2):
                one, other = self._of_wholes(first, second, corpus), self._of_wholes(second, first, corpus)
                if found := two_models(one, other, margin=self._margin, seed=self._seed):
                    yield self._row(found, asked, corpus, None, []) | {"model": first.name, "against": second.name}

    def _of_wholes(self, model: ComparedModel, beside: ComparedModel, corpus: str | None) -> dict[str, float]:
        """Return what a model's answers to each question are worth, the mean over the conditions that both have."""
        found: dict[str, list[float]] = {}
        others = beside.mean
        for key, value in model.mean.items():
            if key in others and corpus in (None, self._corpus[key]):
                found.setdefault(self._whole[key], []).append(value)
        return {whole: fsum(values) / len(values) for whole, values in found.items()}

    def _row(
        self,
        found: Compared,
        asked: int,
        corpus: str | None,
        group: str | None,
        names: Sequence[str],
        planned: str | None = None,
    ) -> Row:
        """Return a row; `planned` is the name that the plan has for what the group is compared with."""
        family = self._plan.family(planned) if self._plan else Family.EXPLORATORY
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
            "planned": planned,
            "family": family,
            "adjusted_by": family.adjustment,
            "smallest": found.smallest,
            "smallest_why": found.smallest_why,
            "questions": found.questions,
            "questions_asked": asked,
            "people": found.people,
            "margin": self._margin,
            "equivalence_p": found.equivalence and found.equivalence.p,
            "equivalence_ci": found.equivalence and list(found.equivalence.interval),
            "similar": found.equivalence and found.equivalence.is_similar,
            "mcnemar": _fourfold_as_json(found.fourfold),
            "majority": _fourfold_as_json(found.majority),
            "newcombe": found.newcombe and list(found.newcombe),
            "first_of": None,
            "seeds": None,
            "spread": None,
        }

    def _is_planned(self, corpus: str | None, group: str | None) -> bool:
        """Return whether the plan's contrasts are of this group on this corpus.

        All people are that group where there is no other, and all questions that corpus.
        """
        if self._plan is None or not self._plan.group:
            return False
        if group is None and self._groups_named(corpus) == [self._plan.group]:
            group = self._plan.group
        if corpus is None and self._table.named("corpus") == [self._plan.corpus]:
            corpus = self._plan.corpus
        return (corpus, group) == (self._plan.corpus, self._plan.group)


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
