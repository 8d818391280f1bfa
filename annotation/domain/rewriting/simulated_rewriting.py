"""Bots that write and inspect: plain texts made of the item's own words, and inspectors about as good as people."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from annotation.domain.rewriting.rewriting import LONGEST_CANDIDATE, CandidateRole, label_of
from core.domain.draws import uniforms

SKIPPED = 0.02
HUMAN_RECALL = 0.938  # R@1 of people on MuTual
DISCARDED, RETURNED = 0.05, 0.10  # shares of a bot's verdicts
OPENINGS = ("Then", "So", "I think", "As far as I know,", "You mean", "Right, but", "Well,", "To be honest,")


class Written(NamedTuple):
    """A bot's rewrite: the number of turns in its context, and four texts in the order of `CandidateRole`."""

    cut: int
    candidates: list[str]


class SimulatedVerdict(NamedTuple):
    """A bot's verdict, with the arguments of `rewriting.verdict` and its comments by field."""

    is_correct: bool
    is_unique: bool
    is_revisable: bool | None
    comments: dict[str, str]


@dataclass(frozen=True)
class SimulatedRewriters:
    """Bots whose work depends on the seed, the item's key, the round and the bot's name, never on the time."""

    seed: int

    def skips(self, item: str, author: str, turns: Sequence[Any]) -> bool:
        """Return whether the bot skips the item: rarely, and always where no cut is possible."""
        return len(turns) < 2 or uniforms(self.seed, "skip", item, author)[0] < SKIPPED

    def write(self, item: str, author: str, round: int, content: Any) -> Written:
        """Return a cut and four different texts that may be submitted."""
        turns, choices, answer = content["turns"], content["choices"], content["answer"]
        position, _, _, _ = uniforms(self.seed, "write", item, author, str(round))
        opening, _, _, _ = uniforms(self.seed, "open", item)
        wrong = [choice for number, choice in enumerate(choices) if number != answer]
        cut = 1 + int(position * (len(turns) - 1))
        first = int(opening * len(OPENINGS)) + round  # no round has the texts of the one before
        sources = {
            CandidateRole.RIGHT: choices[answer],
            CandidateRole.WRONG_FROM_FIRST: wrong[0],
            CandidateRole.WRONG_FROM_SECOND: wrong[1],
            CandidateRole.NEGATED: f"not: {choices[answer]}",
        }
        return Written(
            cut,
            [_sayable(f"{OPENINGS[(first + part) % len(OPENINGS)]} {text}", turns) for part, text in sources.items()],
        )

    def answer(self, item: str, inspector: str, round: int) -> int | None:
        """Return the blind answer: a candidate's number, sometimes a wrong one, seldom None."""
        right, other, _, _ = uniforms(self.seed, "answer", item, inspector, str(round))
        if right < HUMAN_RECALL:
            return CandidateRole.RIGHT
        return None if other < 0.1 else CandidateRole(1 + int(other * 3))

    def judge(self, item: str, inspector: str, round: int, *, may_return: bool) -> SimulatedVerdict:
        """Return the verdict: mostly to accept; never to return for revision where no round is left."""
        doubt, which, _, _ = uniforms(self.seed, "judge", item, inspector, str(round))
        if doubt >= DISCARDED + RETURNED:
            return SimulatedVerdict(True, True, None, {})
        is_revisable = doubt >= DISCARDED and may_return
        is_correct = which < 0.5
        return SimulatedVerdict(is_correct, not is_correct, is_revisable, {str(int(which * 4)): "Could fit as well."})


def _sayable(text: str, turns: Sequence[Any]) -> str:
    """Return the text, cut to the longest allowed and without what would read as a speaker's label."""
    return text[:LONGEST_CANDIDATE] if not label_of(text, turns) else text.replace(":", ",", 1)[:LONGEST_CANDIDATE]
