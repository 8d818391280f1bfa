"""Gold: pairs with a known grade, for practice before rating and for checks between the pairs to rate.

A person's gold pairs are drawn from names and the project's secret: no plan has to be stored, and only the server can
tell where they lie.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from core.domain.draws import lowest_first, uniforms
from core.domain.settings import Settings
from core.domain.wording import ChoiceError, gettext_noop

# Each gold pair, with the numbers of the meetings with it among all of one person's meetings with gold, from 1.
Meetings = Mapping[str, Sequence[int]]


@dataclass(frozen=True)
class GoldSettings(Settings):
    """The settings for gold of a rating project.

    Before rating: an attempt has ``practice`` pairs (0: no practice) and is passed with at least ``practice_accuracy``
    percent of the grades equal to the known ones and a weighted kappa of at least ``practice_kappa`` hundredths; each
    person has ``attempts`` attempts.

    While rating: at first ``gold_first`` percent of a person's pairs are gold (0: none); the part of this rate above
    ``gold_lowest`` percent halves every ``gold_half`` pairs. A person who misses ``gold_misses`` of their last
    ``gold_window`` gold pairs is paused.
    """

    LIMITS: ClassVar[Mapping[str, range]] = {
        "practice": range(1001),
        "practice_accuracy": range(101),
        "practice_kappa": range(101),
        "attempts": range(1, 101),
        "gold_first": range(51),
        "gold_lowest": range(51),
        "gold_half": range(1, 100_001),
        "gold_window": range(1, 101),
        "gold_misses": range(1, 101),
    }

    practice: int = 0
    practice_accuracy: int = 60
    practice_kappa: int = 60
    attempts: int = 3
    gold_first: int = 0
    gold_lowest: int = 2
    gold_half: int = 200
    gold_window: int = 10
    gold_misses: int = 4

    @property
    def items_of_attempt(self) -> int:
        """Number of gold pairs that must exist before an attempt: it has each of its pairs once."""
        return self.practice

    @property
    def least_kappa(self) -> float:
        """The lowest kappa that passes, from 0 to 1."""
        return self.practice_kappa / 100

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.gold_misses > self.gold_window:
            raise ChoiceError(
                gettext_noop("A rater cannot miss %(misses)d of the last %(window)d gold pairs: choose fewer misses."),
                window=self.gold_window,
                misses=self.gold_misses,
            )


def gold_rate(index: int, settings: GoldSettings) -> float:
    """Return the chance, from 0 to 1, that a person's pair number ``index``, from 0, is gold.

    The rate falls from the first to the lowest one and covers half of the rest every ``gold_half`` pairs; a lowest rate
    above the first one counts as the first.
    """
    lowest = min(settings.gold_lowest, settings.gold_first)
    above = settings.gold_first - lowest
    return float((lowest + above * 0.5 ** (index / settings.gold_half)) / 100)


def is_miss(known: int, given: int, gap: int) -> bool:
    """Return whether a grade differs from the known one by more than ``gap``, so that the pair would be removed."""
    return abs(known - given) > gap


def is_too_many(misses: Sequence[bool], settings: GoldSettings) -> bool:
    """Return whether a person with these ``misses`` on gold, the last first, is to be paused."""
    return sum(misses[: settings.gold_window]) >= settings.gold_misses


@dataclass(frozen=True)
class Stream:
    """The sequence of one person's pairs in one project: which positions are gold, and which gold pairs come there."""

    settings: GoldSettings
    seed: int
    secret: str
    project: str
    person: str

    def is_gold(self, index: int) -> bool:
        """Return whether the person's pair number ``index``, from 0, is gold."""
        chance, *_ = uniforms(self.seed, "gold", self.secret, self.project, self.person, str(index))
        return chance < gold_rate(index, self.settings)

    def kinds(self, start: int, works: int) -> Iterator[bool]:
        """Yield for each pair from number ``start`` on whether it is gold, until ``works`` other pairs have come."""
        index = start
        while works:
            is_gold = self.is_gold(index)
            yield is_gold
            works -= not is_gold
            index += 1

    def practice(self, met: Meetings, attempt: int) -> list[str]:
        """Return the gold pairs of an attempt in order."""
        drawn = self.next_gold(met)[: self.settings.practice]
        return sorted(drawn, key=lambda key: self._draw("practice", str(attempt), key))

    def next_gold(self, met: Meetings) -> list[str]:
        """Return all gold pairs, the next one first: those never met, then the one whose last meeting is the oldest.

        So none comes again before all others have come, and one that is added later comes once, not as often as the
        others came before.
        """
        last = {key: numbers[-1] if numbers else 0 for key, numbers in met.items()}
        return lowest_first(last, self.seed, "gold pair", self.secret, self.project, self.person)

    def _draw(self, *names: str) -> float:
        return uniforms(self.seed, *names, self.secret, self.project, self.person)[0]
