"""Answers of a study as a table of numbers: people, questions, and the parts that figures are made of."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.domain.statistics import FloatArray, IntArray
from study.domain.results.labels import ORDERS, WHOLE, Label, ResultPart
from study.domain.results.metrics import METRICS, Ranked

Labels = Mapping[str, str | Collection[str]]  # names by label


class Answered(NamedTuple):
    """One person's answer to one question, with its names in each label that it has.

    A question in another condition has the same name.
    """

    person: str
    question: str
    ranked: Ranked
    labels: Labels = {}


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

    @cached_property
    def occurring(self) -> list[str]:
        """The texts that a row has, sorted."""
        times = np.bincount(self.codes, minlength=len(self.names))
        return [name for name, count in zip(self.names, times.tolist(), strict=True) if count]


@dataclass(frozen=True)
class Table:
    """Answers as columns of numbers, in order of person and question.

    `ranked` are the different rankings that occur and `ranking` the position of each row's among them. `questions` are
    the units of the statistics; `asked` tells their conditions apart, as models are asked about them.
    """

    people: Names
    questions: Names
    asked: Names
    labels: Mapping[str, Label]
    ranked: tuple[Ranked, ...]
    ranking: IntArray

    @classmethod
    def of(cls, answers: Iterable[Answered]) -> "Table":
        """Build the table from answers in any order; one person answers a question once."""
        rows = sorted(answers, key=lambda row: (row.person, row.question))
        ranked = tuple(dict.fromkeys(row.ranked for row in rows))
        number = {one: position for position, one in enumerate(ranked)}
        conditions = [row.labels.get("condition", "") for row in rows]
        asked = [f"{row.question}@{said}" if said else row.question for row, said in zip(rows, conditions, strict=True)]
        labels = {label for row in rows for label in row.labels}
        return cls(
            people=Names.of([row.person for row in rows]),
            questions=Names.of([row.question for row in rows]),
            asked=Names.of(asked),
            labels={
                label: Label.of([row.labels.get(label, "") for row in rows], order=ORDERS.get(label, ()))
                for label in sorted(labels)
            },
            ranked=ranked,
            ranking=np.array([number[row.ranked] for row in rows], dtype=np.int64),
        )

    def where(self, chosen: NDArray[Any]) -> "Table":
        """Return some of the rows, in their order."""
        kinds = {id(label.kind): label.kind[chosen] for label in self.labels.values()}  # of one person, of one question
        return Table(
            self.people.where(chosen),
            self.questions.where(chosen),
            self.asked.where(chosen),
            {name: replace(label, kind=kinds[id(label.kind)]) for name, label in self.labels.items()},
            self.ranked,
            self.ranking[chosen],
        )

    def values(self, metric: str) -> FloatArray:
        """Return what each answer is worth by a metric; NaN where it is not identified."""
        return self._of_rankings([_or_nan(METRICS[metric](ranked)) for ranked in self.ranked])

    def candidates(self) -> FloatArray:
        """Return how many candidates each answer's question has; 0 where it is unknown."""
        return self._of_rankings([ranked.candidates for ranked in self.ranked])

    def count(self, is_so: Callable[[Ranked], bool]) -> int:
        """Return the number of answers whose ranking is so."""
        return int(self._of_rankings([float(is_so(ranked)) for ranked in self.ranked]).sum())

    def _of_rankings(self, numbers: Sequence[float]) -> FloatArray:
        return np.array(numbers, dtype=np.float64)[self.ranking]

    def __len__(self) -> int:
        return len(self.ranking)

    def of_part(self, part: ResultPart) -> NDArray[np.bool_]:
        """Return a mask of the rows that belong to a part, shape (rows,).

        A part without a condition is of the whole context, where other contexts were asked too.
        """
        chosen = np.ones(len(self), dtype=np.bool_)
        names = dict(part.labels)
        if self.has_changed_contexts:
            names.setdefault("condition", WHOLE)
        for label, name in names.items():
            chosen &= self.labels[label].are(name)
        return chosen

    @property
    def has_changed_contexts(self) -> bool:
        """Whether questions were asked in their whole context and in changed ones."""
        label = self.labels.get("condition")
        return label is not None and WHOLE in label.names and len(label.names) > 1

    @property
    def in_whole_context(self) -> "Table":
        """The answers that figures are of which name no condition."""
        return self.where(self.of_part(ResultPart()))

    def parts(self, crossing: Sequence[str]) -> list[ResultPart]:
        """Return the parts that a name of each of these labels makes, all answers for none.

        A part may be empty; but names that are of some corpora alone are in crossings with these only.
        """
        names = [self.named(label, with_inner="corpus" in crossing) for label in crossing]
        parts = [ResultPart.of(dict(zip(crossing, one, strict=True))) for one in product(*names)]
        return [part for part in parts if not self._is_inner(part) or self.of_part(part).any()]

    def named(self, label: str, *, with_inner: bool = False) -> list[str]:
        """Return the names in a label of which there are answers."""
        found = self.labels.get(label)
        return [name for name in found.occurring if with_inner or name not in found.inner] if found else []

    def draw_names(self, rows: NDArray[np.bool_]) -> tuple[str, ...]:
        """Return the people and the questions of some rows: the names that key the draws of figures over them.

        So figures over the same answers have the same interval, whatever the part is called and stands beside.
        """
        return *self.people.where(rows).occurring, *self.questions.where(rows).occurring

    def _is_inner(self, part: ResultPart) -> bool:
        return any(name in self.labels[label].inner for label, name in part.labels)


def _or_nan(value: float | None) -> float:
    return np.nan if value is None else value
