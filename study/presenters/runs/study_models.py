"""Models beside people on a study's questions: each row with what people are higher by, and what was not run yet."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from study.baselines.base import Requirement
from study.baselines.catalogue import families_with
from study.baselines.registry import BASELINES
from study.presenters.results.results import ResultRow, Results, rows_of_models, rows_of_people
from study.presenters.runs.words import title_of
from study.selectors.runs.estimates import Missing, RunSize, estimate_of, missing_for

READY = "ready"
WAITING = "waiting"  # its run is in the queue or under way
NAMED = "named"  # its server is set up, and the form asks for the name of the server's model


@dataclass(frozen=True)
class BesideRow:
    """A row of people or of a model; `difference` and its interval are those of all people minus the model."""

    row: ResultRow
    difference: float | None = None
    ends: list[float] | None = None


@dataclass(frozen=True)
class NotRunYet:
    """Models that lack the same thing (Missing, NAMED), or nothing (READY, WAITING); `seconds` that all would take."""

    state: str
    keys: list[str]
    titles: list[str]
    seconds: float | None


def people_rows(results: Results, corpus: str | None) -> list[BesideRow]:
    return [BesideRow(row) for row in rows_of_people(results, corpus)]


def model_rows(results: Results, differences: Sequence[Mapping[str, Any]], corpus: str | None) -> list[BesideRow]:
    """Return the models, the best first."""
    found = {row["run"]: row for row in differences if row["corpus"] == corpus}
    rows = []
    for row in rows_of_models(results, corpus):
        difference = found.get(row.run)
        ends = difference["ci"] if difference else None
        rows.append(BesideRow(row, difference["difference"] if difference else None, ends))
    return rows


def not_run_yet(
    results: Results, size: RunSize, counts: Mapping[str, int], waiting: Collection[str]
) -> list[NotRunYet]:
    """Return the models without figures on these questions, by what they lack; a run of those `waiting` was started."""
    run = {row["model"] for row in results["models"]}
    keys = [key for family in families_with(BASELINES) for key in family.models if key not in run]
    states = {key: WAITING if key in waiting else missing_for(key) or _ready(key) for key in keys}
    return list(_by_state(states, size, counts))


def _by_state(states: Mapping[str, str], size: RunSize, counts: Mapping[str, int]) -> Iterator[NotRunYet]:
    for state in (WAITING, READY, NAMED, *Missing):
        own = [key for key in states if states[key] == state]
        if own:
            estimates = [estimate_of(key, size, counts=counts) for key in own] if state == READY else []
            known = [each.seconds for each in estimates if each]
            yield NotRunYet(state, own, [title_of(key) for key in own], sum(known) if known else None)


def _ready(key: str) -> str:
    return NAMED if Requirement.SERVER in BASELINES[key].needs else READY
