"""What exclusion rules change: each by itself, and all of them together in every combination."""

from collections.abc import Collection, Iterator
from itertools import product
from typing import Any

import numpy as np

from core.domain.statistics import FloatArray
from study.domain.results.exclusions import LATE, PERHAPS_VALID
from study.domain.results.labels import ResultPart
from study.selectors.results.answered import GivenAnswers
from study.selectors.results.cells import ACROSS, rows_of_cells


def rules_of(given: GivenAnswers, applied: Collection[str]) -> list[dict[str, Any]]:
    """Return each rule of a study with what it leaves out, and R@1 of all answers with and without it.

    Other rules stay as they are.
    """
    now = _mean_right(given, applied)
    return [_rule(given, rule, threshold, frozenset(applied), now) for rule, threshold in given.rules.items()]


def _rule(
    given: GivenAnswers, rule: str, threshold: int | None, applied: frozenset[str], now: float | None
) -> dict[str, Any]:
    is_applied, people = rule in applied, _people_under(given, rule, applied)
    other = _mean_right(given, applied ^ {rule}) if people else now
    return {
        "rule": rule,
        "threshold": threshold,
        "applied": is_applied,
        "people": people,
        "alone": _alone_under(given, rule, applied, people),
        "questions": len(_marked(given)) if rule == PERHAPS_VALID else None,
        "with": now if is_applied else other,
        "without": other if is_applied else now,
    }


def _people_under(given: GivenAnswers, rule: str, applied: frozenset[str]) -> int:
    """Return how many people a rule leaves out; of answers or questions, from how many of those who count."""
    if rule in given.is_out:
        return int(given.is_out[rule].sum())
    others = given.are_counted(applied)[given.rows["person"]]
    is_under = given.late["depth"] > 0 if rule == LATE else given.is_marked[given.rows["question"]]
    return len(np.unique(given.rows["person"][others & is_under]))


def _alone_under(given: GivenAnswers, rule: str, applied: frozenset[str], people: int) -> int:
    """Return how many of the people under a rule no other rule that applies leaves out."""
    if rule not in given.is_out:
        return people
    return int((given.is_out[rule] & given.are_counted(applied - {rule})).sum())


def _marked(given: GivenAnswers) -> set[str]:
    """Return the questions that the rule about questions leaves out, each once for all its conditions."""
    rows = zip(given.questions.values(), given.is_marked.tolist(), strict=True)
    return {facts.whole for facts, is_marked in rows if is_marked}


def _mean_right(given: GivenAnswers, applied: Collection[str]) -> float | None:
    table = given.everyone(applied).table
    right = table.values("R@1")[given.count_in(applied) & table.of_part(ResultPart())]
    return float(right.mean()) if len(right) else None


def every_rule(given: GivenAnswers) -> dict[str, Any]:
    """Return R@1 under no rule, each rule alone, the planned rules and all; and its range over every combination.

    Where others count by default than under the planned rules, as people are excluded by hand, these have a set, too.
    Rows are by corpus and group. Rules that leave nothing out are in no combination.
    """
    sets = [("none", frozenset[str]()), *(("rule", frozenset({rule})) for rule in given.rules)]
    sets.append(("planned", given.of_plan))
    if (given.are_counted(given.by_default) != given.are_counted(given.of_plan)).any():
        sets.append(("default", given.by_default))
    sets.append(("all", frozenset(given.rules)))
    known: dict[tuple[bool, bytes], list[dict[str, Any]]] = {}
    rows = []
    for kind, applied in sets:
        inside = given.count_in(applied)
        key = (LATE in applied, inside.tobytes())
        if key not in known:
            known[key] = rows_of_cells(given.table_under(applied))
        rows.append({"kind": kind, "rules": sorted(applied), "cells": known[key]})
    return {"sets": rows, "combinations": list(_combinations(given))}


def _combinations(given: GivenAnswers) -> Iterator[dict[str, Any]]:
    """Yield the least and the most that R@1 is over all combinations of rules, by corpus and group."""
    by_people = [rule for rule, out in given.is_out.items() if out.any()]
    others = [rule for rule in (LATE, PERHAPS_VALID) if rule in given.rules and _people_under(given, rule, frozenset())]
    counted = np.array([given.are_counted(rules) for rules in _subsets(by_people)], dtype=np.float64)
    every = given.everyone(frozenset()).table
    parts = [part for crossing in ACROSS for part in every.parts(crossing)]
    sums = [_sums(given, rules, parts) for rules in _subsets(others)]
    for place, part in enumerate(parts):
        right, answers = (np.concatenate([counted @ one[which][place] for one in sums]) for which in (0, 1))
        means = right[answers > 0] / answers[answers > 0]
        if len(means):
            yield {
                "corpus": part.name("corpus"),
                "group": part.name("group"),
                "combinations": len(answers),
                "low": float(means.min()),
                "high": float(means.max()),
            }


def _subsets(rules: list[str]) -> list[frozenset[str]]:
    return [
        frozenset(rule for rule, is_on in zip(rules, on, strict=True) if is_on)
        for on in product((False, True), repeat=len(rules))
    ]


def _sums(given: GivenAnswers, rules: frozenset[str], parts: list[ResultPart]) -> tuple[FloatArray, FloatArray]:
    """Return how many answers each person has right, and how many they gave, under rules that leave no person out.

    Both have shape (parts, people).
    """
    table = given.everyone(rules).table
    inside = given.count_in(rules)
    person = given.everyone(rules).rows["person"][given.everyone(rules).is_scored]
    value = table.values("R@1")
    of_parts = [inside & table.of_part(part) for part in parts]
    size = len(given.people)
    right = np.array([np.bincount(person[of], value[of], minlength=size) for of in of_parts])
    return right, np.array([np.bincount(person[of], minlength=size) for of in of_parts], dtype=np.float64)
