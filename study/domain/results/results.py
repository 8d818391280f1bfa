"""Result cells: a figure for each part of a study, its precision, and what is needed to judge it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.domain.draws import uniforms
from core.domain.statistics import (
    DRAWS,
    INDEPENDENT,
    LEVEL,
    FloatArray,
    Headline,
    Interval,
    MissingFigure,
    TwoWay,
    headline,
    starred,
    two_way,
    two_way_bootstrap,
)
from core.domain.wording import gettext_noop
from study.domain.results.metrics import METRICS, OF_PEOPLE, Ranked

# Rules, fixed before any answer is in, that exclude answers from figures. Each can be switched off.
RULES = {
    "failed_checks": gettext_noop("the attention check was failed"),
    "unanswered_check": gettext_noop("the attention check was left unanswered"),
    "too_few_answers": gettext_noop("too few answers were given"),
    "late_answers": gettext_noop("the answer was given in time, as the browser says, and arrived late"),
}
TURNS = ("<=2", "3", "4", "5", ">=6")  # classes of context length in the MuTual study


class Answered(NamedTuple):
    """One person's answer to one question; an empty text is unknown. `turns` of the context, 0: unknown."""

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
    """Selection of the answers of a cell; None selects all."""

    corpus: str | None = None
    group: str | None = None
    form: str | None = None
    condition: str | None = None
    turns: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Names that key the part's draws."""
        return tuple(name or "" for name in vars(self).values())


@dataclass(frozen=True)
class Table:
    """Answers as columns, in order of person and question.

    `values` of each metric are NaN where it is not identified; `labels` of each field of `ResultPart` are empty where
    unknown. `lowest` is the least that an answer's reciprocal rank can be.
    """

    people: NDArray[np.str_]
    questions: NDArray[np.str_]
    labels: dict[str, NDArray[np.str_]]
    values: dict[str, FloatArray]
    lowest: FloatArray

    @classmethod
    def of(cls, answers: Iterable[Answered]) -> "Table":
        """Build the table from answers in any order; one person answers a question once."""
        rows = sorted(answers, key=lambda row: (row.person, row.question))
        known = {
            ranked: [_or_nan(METRICS[metric](ranked)) for metric in OF_PEOPLE] for ranked in {r.ranked for r in rows}
        }
        values = np.array([known[row.ranked] for row in rows], dtype=np.float64).reshape(len(rows), len(OF_PEOPLE))
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
            values={metric: values[:, position] for position, metric in enumerate(OF_PEOPLE)},
            lowest=np.array([1 / max(row.ranked.candidates, 1) for row in rows], dtype=np.float64),
        )

    def of_part(self, part: ResultPart) -> NDArray[np.bool_]:
        """Return a mask of the rows that belong to a part, shape (rows,)."""
        chosen = np.ones(len(self.people), dtype=np.bool_)
        for field, name in vars(part).items():
            if name is not None:
                chosen &= self.labels[field] == name
        return chosen

    def named(self, field: str) -> list[str]:
        """Return the names that occur in a field, numbers in numeric order."""
        names: list[str] = np.unique(self.labels[field]).tolist()
        return sorted((name for name in names if name), key=lambda name: (name.isdigit() and len(name), name))


def _or_nan(value: float | None) -> float:
    return np.nan if value is None else value


@dataclass(frozen=True)
class ResultCell:
    """One metric over one part.

    A share (every answer right or wrong) has `k` and the intervals for independent answers, a mean has not. `left_out`
    answers do not identify the metric: from a first choice alone only R@1 follows. `found` is None without answers.
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
        """Number of right answers among `n`; None for a mean."""
        return round(self.found.mean * self.n) if self.found and self.is_share else None

    @property
    def starred(self) -> bool | None:
        """True when the study would have starred it: too few right or wrong answers for its normal approximation."""
        return None if self.k is None else starred(self.k, self.n)

    def independent(self, method: str) -> Interval | None:
        """Return the 95 % interval by a method of INDEPENDENT, as if answers were independent; None for a mean."""
        return None if self.k is None else INDEPENDENT[method](self.k, self.n, LEVEL)


def turns_class(turns: int) -> str:
    """Return one of TURNS; "" where the number is unknown."""
    if turns <= 2:
        return "<=2" if turns else ""
    return ">=6" if turns >= 6 else str(turns)


def cells_of(table: Table, *, seed: int = 0, draws: int = DRAWS) -> list[ResultCell]:
    """Compute every metric over all answers and over every part.

    Each part's draws are keyed by its name, so that no cell depends on another.
    """
    return [cell_of(table, part, metric, seed=seed, draws=draws) for part in parts_of(table) for metric in OF_PEOPLE]


def parts_of(table: Table) -> Iterator[ResultPart]:
    """Yield all answers; each corpus, group, form, condition and length class; each corpus with each group."""
    yield ResultPart()
    for field in ("corpus", "group", "form", "condition"):
        yield from (ResultPart(**{field: name}) for name in table.named(field))
    named = set(table.named("turns"))
    yield from (ResultPart(turns=turns) for turns in TURNS if turns in named)
    yield from (
        ResultPart(corpus=corpus, group=group) for corpus, group in product(table.named("corpus"), table.named("group"))
    )


def cell_of(table: Table, part: ResultPart, metric: str, *, seed: int = 0, draws: int = DRAWS) -> ResultCell:
    """Compute one metric over one part."""
    inside, value = table.of_part(part), table.values[metric]
    known = inside & ~np.isnan(value)
    left_out = int(inside.sum() - known.sum())
    if not known.any():
        return ResultCell(part, metric, 0, left_out, False, None, Headline(None, MissingFigure.NO_ANSWERS), None)
    columns = value[known], table.people[known], table.questions[known]
    # 1/C for MRR; where the number of candidates varies, that of the answers with most
    lowest = float(table.lowest[known].min()) if metric == "MRR" else 0.0
    found, bootstrap = two_way(*columns, lowest=lowest), None
    if found.by_answers > 0:
        bootstrap = two_way_bootstrap(*columns, generator=generator_for(seed, *part.names), draws=draws)
    is_share = metric.startswith("R@") and bool(np.isin(columns[0], (0, 1)).all())
    return ResultCell(part, metric, found.n, left_out, is_share, found, headline(found), bootstrap)


def generator_for(seed: int, *names: str) -> np.random.Generator:
    """Return the random generator that belongs to these names under this seed."""
    return np.random.default_rng([int(number * 2**53) for number in uniforms(seed, *names)])
