"""How well people do against their time at a question, what they say of themselves, and the place in their order."""

from typing import Any

import numpy as np

from core.domain.statistics import spearman_interval, spearman_rho
from study.domain.results.answer_table import Table
from study.domain.results.exclusions import medians_of_people
from study.domain.results.labels import SAYS
from study.domain.survey.validity import LEAST_PEOPLE
from study.models import Study
from study.selectors.results.answered import GivenAnswers
from study.selectors.results.cells import rows_of_cells

USUAL_EXPERTISE = "ubuntu"  # the question about knowledge that a study begins with, and its corpus


def against_score(study: Study, given: GivenAnswers) -> dict[str, Any]:
    """Return as JSON a point for each person who counts, R@1 by own expertise and by place in the survey.

    `people` have their median seconds at a question and their R@1, without names, in groups of five people or more,
    the largest group first; `rho` is Spearman's correlation of the two in the largest.
    """
    table = given.table_under(given.by_default)
    groups = _points(given, table)
    return {"groups": groups, **_own_expertise(study, table), "position": rows_of_cells(table, [("position",)])}


def _points(given: GivenAnswers, table: Table) -> list[dict[str, Any]]:
    every = given.everyone(given.by_default)
    person = every.rows["person"][every.is_scored][given.count_in(given.by_default)]
    size = len(given.people)
    answers = np.bincount(person, minlength=size)
    right = np.bincount(person, table.values("R@1"), minlength=size)
    counted = given.are_counted(given.by_default)[given.rows["person"]]
    seconds = medians_of_people(given.rows["person"][counted], given.rows["ms"][counted], size)
    members: dict[str, list[int]] = {}
    for place in np.flatnonzero((answers > 0) & (seconds > 0)).tolist():
        members.setdefault(given.people[place].group, []).append(place)
    shown = sorted(members.items(), key=lambda each: (-len(each[1]), each[0]))
    return [
        _of_group(name, seconds[places], right[places] / answers[places])
        for name, places in shown
        if len(places) >= LEAST_PEOPLE
    ]


def _of_group(name: str, seconds: Any, right: Any) -> dict[str, Any]:
    rho = spearman_rho(seconds, right)
    ends = None if rho is None else spearman_interval(rho, len(seconds))
    return {"group": name, "rho": rho, "rho_ci": ends, "people": [*zip(seconds.tolist(), right.tolist(), strict=True)]}


def _own_expertise(study: Study, table: Table) -> dict[str, Any]:
    """Return the question about knowledge of a corpus that the study splits by, or begins with, and R@1 by its answer.

    Over that corpus, where it is one of the study's.
    """
    derived = next(iter(study.survey.derived_groups), None)
    question, corpora = (derived.question, derived.corpora) if derived else (USUAL_EXPERTISE, [USUAL_EXPERTISE])
    label = f"{SAYS}{question}"
    if label not in table.labels:
        return {"expertise": None, "expertise_corpus": None, "expertise_rows": []}
    corpus = next((name for name in corpora if name in table.named("corpus")), None)
    rows = rows_of_cells(table, [("corpus", label) if corpus else (label,)])
    own = [row | {"name": row[label]} for row in rows if row["corpus"] == corpus and row["n"]]
    return {"expertise": question, "expertise_corpus": corpus, "expertise_rows": own}
