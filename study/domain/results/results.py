"""From answers to cells: a figure for each part of a study, how sure it is, and everything one needs to judge it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.domain.draws import uniforms
from core.domain.intervals import (
    DRAWS,
    INDEPENDENT,
    Headline,
    Interval,
    MissingInterval,
    TwoWay,
    headline_of_mean,
    headline_of_share,
    starred,
    two_way,
    two_way_bootstrap,
)
from study.domain.results.metrics import METRICS, Ranked

FloatArray = NDArray[np.float64]

TURNS = ("<=2", "3", "4", "5", ">=6")  # classes of context length, as the MuTual study has them


class Answered(NamedTuple):
    """One person's answer to one question; an empty text is not known. `turns` of the context, 0: not known."""

    person: str
    question: str
    ranked: Ranked
    corpus: str = ""
    group: str = ""
    form: str = ""
    condition: str = ""
    turns: int = 0


@dataclass(frozen=True)
class ResultPart:
    """Which answers a cell is made of; None is all."""

    corpus: str | None = None
    group: str | None = None
    form: str | None = None
    condition: str | None = None
    turns: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """What the part's draws are keyed by."""
        return tuple(name or "" for name in vars(self).values())


@dataclass(frozen=True)
class Table:
    """Answers as columns, in order of person and question. `values` of each metric, NaN where it is not identified;
    `labels` of each field of `Part`, empty where it is not known."""

    people: NDArray[np.str_]
    questions: NDArray[np.str_]
    labels: dict[str, NDArray[np.str_]]
    values: dict[str, FloatArray]

    @classmethod
    def of(cls, answers: Iterable[Answered]) -> "Table":
        """The columns of answers that come in any order; one person answers a question once."""
        rows = sorted(answers, key=lambda row: (row.person, row.question))
        known = {
            ranked: [_or_nan(metric(ranked)) for metric in METRICS.values()] for ranked in {r.ranked for r in rows}
        }
        values = np.array([known[row.ranked] for row in rows], dtype=np.float64).reshape(len(rows), len(METRICS))
        return cls(
            people=np.array([row.person for row in rows], dtype=np.str_),
            questions=np.array([row.question for row in rows], dtype=np.str_),
            labels={
                "corpus": np.array([row.corpus for row in rows], dtype=np.str_),
                "group": np.array([row.group for row in rows], dtype=np.str_),
                "form": np.array([row.form for row in rows], dtype=np.str_),
                "condition": np.array([row.condition for row in rows], dtype=np.str_),
                "turns": np.array([turns_class(row.turns) for row in rows], dtype=np.str_),
            },
            values={metric: values[:, position] for position, metric in enumerate(METRICS)},
        )

    def of_part(self, part: ResultPart) -> NDArray[np.bool_]:
        """Which rows belong to a part."""
        chosen = np.ones(len(self.people), dtype=np.bool_)
        for field, name in vars(part).items():
            if name is not None:
                chosen &= self.labels[field] == name
        return chosen

    def named(self, field: str) -> list[str]:
        """The names that occur in a field, numbers in their order."""
        names: list[str] = np.unique(self.labels[field]).tolist()
        return sorted((name for name in names if name), key=lambda name: (name.isdigit() and len(name), name))


def _or_nan(value: float | None) -> float:
    return np.nan if value is None else value


@dataclass(frozen=True)
class ResultCell:
    """One metric over one part.

    A share (every answer right or wrong) has `k` and the intervals for independent answers, and Wilson on the two-way
    effective number of answers as headline; a mean has neither and the two-way bootstrap. `left_out` answers do not
    identify the metric: with a first choice alone nothing follows but R@1. `found` is None without answers.
    """

    part: ResultPart
    metric: str
    n: int
    left_out: int
    is_share: bool
    found: TwoWay | None
    headline: Headline
    bootstrap: Interval | None

    @property
    def p(self) -> float | None:
        """The figure itself, from 0 to 1."""
        return self.found.mean if self.found else None

    @property
    def k(self) -> int | None:
        """How many of the `n` answers are right; None for a mean."""
        return round(self.found.mean * self.n) if self.found and self.is_share else None

    @property
    def starred(self) -> bool | None:
        """Whether the study would have starred it: too few right or wrong answers for its normal approximation."""
        return None if self.k is None else starred(self.k, self.n)

    def independent(self, method: str) -> Interval | None:
        """The 95 % interval by a method of INDEPENDENT, as if answers had nothing in common; None for a mean."""
        return None if self.k is None else INDEPENDENT[method](self.k, self.n, 0.95)


def turns_class(turns: int) -> str:
    """One of TURNS; empty where the number is not known."""
    if turns <= 2:
        return "<=2" if turns else ""
    return ">=6" if turns >= 6 else str(turns)


def cells_of(table: Table, *, seed: int = 0, draws: int = DRAWS) -> list[ResultCell]:
    """Every metric over all answers and over every part. Each part's draws belong to its own name, so that no cell
    changes because another one does.
    """
    return [cell_of(table, part, metric, seed=seed, draws=draws) for part in parts_of(table) for metric in METRICS]


def parts_of(table: Table) -> Iterator[ResultPart]:
    """All; each corpus, group, form, condition and class of length by itself; each corpus with each group."""
    yield ResultPart()
    for field in ("corpus", "group", "form", "condition"):
        yield from (ResultPart(**{field: name}) for name in table.named(field))
    named = set(table.named("turns"))
    yield from (ResultPart(turns=turns) for turns in TURNS if turns in named)
    yield from (
        ResultPart(corpus=corpus, group=group) for corpus, group in product(table.named("corpus"), table.named("group"))
    )


def cell_of(table: Table, part: ResultPart, metric: str, *, seed: int = 0, draws: int = DRAWS) -> ResultCell:
    """One metric over one part."""
    inside, value = table.of_part(part), table.values[metric]
    known = inside & ~np.isnan(value)
    left_out = int(inside.sum() - known.sum())
    if not known.any():
        return ResultCell(part, metric, 0, left_out, False, None, Headline(None, MissingInterval.NO_ANSWERS), None)
    columns = value[known], table.people[known], table.questions[known]
    found, bootstrap = two_way(*columns), None
    if found.by_answers > 0:
        bootstrap = two_way_bootstrap(*columns, generator=generator_for(seed, *part.names), draws=draws)
    is_share = metric.startswith("R@") and bool(np.isin(columns[0], (0, 1)).all())
    headline = headline_of_share(found) if is_share else headline_of_mean(found, bootstrap)
    return ResultCell(part, metric, found.n, left_out, is_share, found, headline, bootstrap)


def generator_for(seed: int, *names: str) -> np.random.Generator:
    """The generator that belongs to these names under this seed."""
    return np.random.default_rng([int(number * 2**53) for number in uniforms(seed, *names)])
