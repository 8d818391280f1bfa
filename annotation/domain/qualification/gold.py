"""Gold: pairs whose grade is known. Some are practised on before one may rate, some come between the pairs to rate.

What a person meets is drawn by names, so that it is the same on any database and nobody has to store a plan of it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from core.domain.draws import least_met, uniforms
from core.domain.settings import Settings
from core.domain.wording import ChoiceError, gettext_noop


@dataclass(frozen=True)
class GoldSettings(Settings):
    """What a rating project may choose about gold.

    Before rating: an attempt has ``practice`` pairs (0: nobody has to practise) and is passed with at least
    ``practice_accuracy`` percent of the grades equal to the known ones and a weighted kappa of at least
    ``practice_kappa`` hundredths; everybody has ``attempts`` of them.

    While rating: of a person's first pairs ``gold_first`` percent are gold (0: none); of what lies above
    ``gold_lowest`` percent half is left after every ``gold_half`` pairs. Whoever misses ``gold_misses`` of their last
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
        """How many items there must be before anybody can begin: an attempt has each of its pairs once."""
        return self.practice

    @property
    def least_kappa(self) -> float:
        """From 0 to 1."""
        return self.practice_kappa / 100

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.gold_misses > self.gold_window:
            raise ChoiceError(
                gettext_noop("Of the last %(window)d gold pairs nobody can miss %(misses)d: choose fewer misses."),
                window=self.gold_window,
                misses=self.gold_misses,
            )


def gold_rate(index: int, settings: GoldSettings) -> float:
    """The chance from 0 to 1 that the pair number ``index`` of a person, counted from 0, is gold.

    It falls from the first rate towards the lowest one by half of what is between them every ``gold_half`` pairs; a
    lowest rate above the first one counts as the first.
    """
    lowest = min(settings.gold_lowest, settings.gold_first)
    above = settings.gold_first - lowest
    return float((lowest + above * 0.5 ** (index / settings.gold_half)) / 100)


def is_miss(known: int, given: int, gap: int) -> bool:
    """Whether a grade lies so far from the known one that a pair graded like that would be removed."""
    return abs(known - given) > gap


def is_too_many(misses: Sequence[bool], settings: GoldSettings) -> bool:
    """Whether somebody with these ``misses`` on gold, the last first, is to be paused."""
    return sum(misses[: settings.gold_window]) >= settings.gold_misses


@dataclass(frozen=True)
class Stream:
    """The pairs of one person in one project: which of them are gold, and which gold these are."""

    settings: GoldSettings
    seed: int
    project: str
    person: str

    def is_gold(self, index: int) -> bool:
        """Whether the person's pair number ``index``, counted from 0, is gold."""
        chance, *_ = uniforms(self.seed, "gold", self.project, self.person, str(index))
        return chance < gold_rate(index, self.settings)

    def kinds(self, start: int, works: int) -> Iterator[bool]:
        """Whether each pair from number ``start`` on is gold, up to the last of ``works`` others, never past it."""
        index = start
        while works:
            is_gold = self.is_gold(index)
            yield is_gold
            works -= not is_gold
            index += 1

    def practice(self, seen: Mapping[str, int], attempt: int) -> list[str]:
        """The gold pairs of an attempt, in its order. ``seen`` says how often the person met each of them."""
        drawn = self.next_gold(seen)[: self.settings.practice]
        return sorted(drawn, key=lambda key: self._draw("practice", str(attempt), key))

    def next_gold(self, seen: Mapping[str, int]) -> list[str]:
        """All gold pairs, the one to meet next first: none comes again before all others have come as often."""
        return least_met(seen, self.seed, "gold pair", self.project, self.person)

    def _draw(self, *names: str) -> float:
        return uniforms(self.seed, *names, self.project, self.person)[0]
