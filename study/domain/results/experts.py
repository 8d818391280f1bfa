"""How alike experts rank the candidates of the same questions, and how many of them are right."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from core.domain.statistics import DRAWS, Interval, item_bootstrap, kendall_w, spearman_rho, wilson

W_CLASSES = ((0.0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1.0), (1.0, 1.0))  # from, and below; the last is 1 itself
NEARLY = 1e-9  # of a W that is 1 but for rounding

GeneratorFor = Callable[..., np.random.Generator]  # by names


@dataclass(frozen=True)
class RankedQuestion:
    """A question that all experts answered: the ranking of each, numbers of candidates best first, in their order.

    A ranking that ends early ties the candidates that it leaves out, behind all others. `answer` is the true one.
    """

    rankings: tuple[tuple[int, ...], ...]
    candidates: int
    answer: int | None

    def ranks(self, numbers: Sequence[int]) -> list[list[int]]:
        """Return the rank of each of these candidates, a row an expert."""
        last = self.candidates
        return [
            [ranking.index(number) if number in ranking else last for number in numbers] for ranking in self.rankings
        ]

    @property
    def firsts(self) -> list[int]:
        return [ranking[0] for ranking in self.rankings]


@dataclass(frozen=True)
class MeanOverQuestions:
    """A mean over the questions where it is defined, and its interval: bootstrap over questions, for these experts."""

    value: float | None
    interval: Interval | None
    questions: int


@dataclass(frozen=True)
class PairOfExperts:
    """Two experts, by their positions: how often they put the same line first, and how alike their rankings are."""

    experts: tuple[int, int]
    same_first: int
    same_first_interval: Interval
    rho: MeanOverQuestions


@dataclass(frozen=True)
class ExpertAgreement:
    """Agreement of experts over the questions that all answered.

    `w` is Kendall's W, `w_wrong` that on the false candidates alone. `by_w` counts questions in W_CLASSES, `right`
    those with so many experts right, from all to none, and `same_wrong` those that none got right and for which all
    chose the same other line.
    """

    w: MeanOverQuestions
    w_wrong: MeanOverQuestions
    by_w: list[int]
    pairs: list[PairOfExperts]
    right: list[tuple[int, int]]
    same_wrong: int


def agreement_of(
    questions: Sequence[RankedQuestion], generator_for: GeneratorFor, draws: int = DRAWS
) -> ExpertAgreement:
    """Return the agreement of two or more experts over one question or more. `generator_for` makes a name's draws."""
    w = [kendall_w(one.ranks(range(one.candidates))) for one in questions]
    known = [one for one in questions if one.answer is not None]
    wrong = [kendall_w(one.ranks([n for n in range(one.candidates) if n != one.answer])) for one in known]
    experts = len(questions[0].rankings)
    right = Counter(one.firsts.count(one.answer or 0) for one in known)
    return ExpertAgreement(
        w=_mean(w, generator_for("w"), draws),
        w_wrong=_mean(wrong, generator_for("w wrong"), draws),
        by_w=[sum(_is_in(value, *ends) for value in w if value is not None) for ends in W_CLASSES],
        pairs=[_pair(questions, pair, generator_for, draws) for pair in combinations(range(experts), 2)],
        right=[(count, right[count]) for count in range(experts, -1, -1)],
        same_wrong=sum(len(set(one.firsts)) == 1 and one.answer not in one.firsts for one in known),
    )


def _is_in(value: float, low: float, high: float) -> bool:
    is_whole = value > 1 - NEARLY
    return is_whole if low == 1 else low <= value < high and not is_whole


def _pair(
    questions: Sequence[RankedQuestion], pair: tuple[int, int], generator_for: GeneratorFor, draws: int
) -> PairOfExperts:
    first, second = pair
    same = sum(one.firsts[first] == one.firsts[second] for one in questions)
    rows = (one.ranks(range(one.candidates)) for one in questions)
    rho = [spearman_rho(ranks[first], ranks[second]) for ranks in rows]
    mean = _mean(rho, generator_for("rho", str(first), str(second)), draws)
    return PairOfExperts(pair, same, wilson(same, len(questions)), mean)


def _mean(values: Sequence[float | None], generator: np.random.Generator, draws: int) -> MeanOverQuestions:
    known = [value for value in values if value is not None]
    if not known:
        return MeanOverQuestions(None, None, 0)
    varies = max(known) - min(known) > NEARLY
    interval = item_bootstrap(known, generator=generator, draws=draws) if varies else None
    return MeanOverQuestions(float(np.mean(known)), interval, len(known))
