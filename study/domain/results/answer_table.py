"""Answers of a study as a table of numbers: people, questions, and the parts that figures are made of."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.domain.statistics import FloatArray, IntArray
from study.domain.results.metrics import METRICS, Ranked

TURNS = ("<=2", "3", "4", "5", ">=6")  # classes of context length in the MuTual study


class Answered(NamedTuple):
    """One person's answer to one question; an empty text is unknown. `turns` of the context, 0: unknown.

    A question in another condition has the same name.
    """

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
class Names:
    """A column of texts: the different ones, sorted, and the position of each row's among them."""

    names: tuple[str, ...]
    codes: IntArray

    @classmethod
    def of(cls, texts: Sequence[str], rows: IntArray | None = None) -> "Names":
        """Number texts; with `rows` the column has the text at each of these positions, else each text once."""
        names = tuple(sorted(set(texts)))
        number = {name: position for position, name in enumerate(names)}
        codes = np.array([number[text] for text in texts], dtype=np.int64)
        return cls(names, codes if rows is None else codes[rows])

    def where(self, chosen: NDArray[Any]) -> "Names":
        """Return the column of some rows, or of all in another order."""
        return Names(self.names, self.codes[chosen])

    def are(self, name: str) -> NDArray[np.bool_]:
        """Return a mask of the rows with this text."""
        found: NDArray[np.bool_] = self.codes == (self.names.index(name) if name in self.names else -1)
        return found

    def occurring(self) -> list[str]:
        """Return the texts that a row has, sorted."""
        times = np.bincount(self.codes, minlength=len(self.names))
        return [name for name, count in zip(self.names, times.tolist(), strict=True) if count]


@dataclass(frozen=True)
class Table:
    """Answers as columns of numbers, in order of person and question.

    `ranked` are the different rankings that occur and `ranking` the position of each row's among them; `labels` of each
    field of `ResultPart` are empty where unknown. `derived` marks the rows of groups that an answer makes, beside the
    groups of links. `questions` are the units of the statistics; `asked` tells their
    conditions apart, as models are asked about them.
    """

    people: Names
    questions: Names
    asked: Names
    labels: dict[str, Names]
    ranked: tuple[Ranked, ...]
    ranking: IntArray
    derived: dict[str, NDArray[np.bool_]] = field(default_factory=dict)

    @classmethod
    def of(cls, answers: Iterable[Answered]) -> "Table":
        """Build the table from answers in any order; one person answers a question once."""
        rows = list(answers)
        ranked = tuple(dict.fromkeys(row.ranked for row in rows))
        number = {one: position for position, one in enumerate(ranked)}
        conditions = [f"{row.question}@{row.condition}" if row.condition else row.question for row in rows]
        return cls(
            people=Names.of([row.person for row in rows]),
            questions=Names.of([row.question for row in rows]),
            asked=Names.of(conditions),
            labels={
                "corpus": Names.of([row.corpus for row in rows]),
                "group": Names.of([row.group for row in rows]),
                "form": Names.of([row.form for row in rows]),
                "condition": Names.of([row.condition for row in rows]),
                "turns": Names.of([turns_class(row.turns) for row in rows]),
            },
            ranked=ranked,
            ranking=np.array([number[row.ranked] for row in rows], dtype=np.int64),
        ).in_order()

    def in_order(self) -> "Table":
        """Return the rows in order of person and question."""
        return self.where(np.lexsort((self.questions.codes, self.people.codes)))

    def where(self, chosen: NDArray[Any]) -> "Table":
        """Return some of the rows, or all in another order."""
        return Table(
            self.people.where(chosen),
            self.questions.where(chosen),
            self.asked.where(chosen),
            {label: names.where(chosen) for label, names in self.labels.items()},
            self.ranked,
            self.ranking[chosen],
            {name: rows[chosen] for name, rows in self.derived.items()},
        )

    def values(self, metric: str) -> FloatArray:
        """Return what each answer is worth by a metric; NaN where it is not identified."""
        return self._of_rankings([_or_nan(METRICS[metric](ranked)) for ranked in self.ranked])

    def lowest(self) -> FloatArray:
        """Return the least that each answer's reciprocal rank can be."""
        return self._of_rankings([1 / max(ranked.candidates, 1) for ranked in self.ranked])

    def count(self, is_so: Callable[[Ranked], bool]) -> int:
        """Return the number of answers whose ranking is so."""
        return int(self._of_rankings([float(is_so(ranked)) for ranked in self.ranked]).sum())

    def _of_rankings(self, numbers: Sequence[float]) -> FloatArray:
        return np.array(numbers, dtype=np.float64)[self.ranking]

    def __len__(self) -> int:
        return len(self.ranking)

    def of_part(self, part: ResultPart) -> NDArray[np.bool_]:
        """Return a mask of the rows that belong to a part, shape (rows,)."""
        chosen = np.ones(len(self), dtype=np.bool_)
        for field_, name in vars(part).items():
            if name is not None:
                is_derived = field_ == "group" and name in self.derived
                chosen &= self.derived[name] if is_derived else self.labels[field_].are(name)
        return chosen

    def groups(self, corpus: str | None) -> list[str]:
        """Return the groups of links, and those derived from an answer that occur in a corpus."""
        if corpus is None:
            return self.named("group")
        inside = self.labels["corpus"].are(corpus)
        return [*self.named("group"), *(name for name, rows in self.derived.items() if (rows & inside).any())]

    def named(self, field: str) -> list[str]:
        """Return the names that occur in a field, numbers in numeric order."""
        names = filter(None, self.labels[field].occurring())
        return sorted(names, key=lambda name: (name.isdigit() and len(name), name))


def _or_nan(value: float | None) -> float:
    return np.nan if value is None else value


def turns_class(turns: int) -> str:
    """Return one of TURNS; "" where the number is unknown."""
    if turns <= 2:
        return "<=2" if turns else ""
    return ">=6" if turns >= 6 else str(turns)
