"""The tables of the 5-grade study for a release of rated pairs (its table 3 and figures 1 and 2)."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import reduce
from hashlib import sha256
from typing import Any, NamedTuple

from annotation.domain.releases.instances import RatedPair
from annotation.domain.releases.splitting import Split
from core.domain.words import segmented

# The values published for the study's own release (table 3, figures 1 and 2).
STUDY_STATISTICS: dict[str, dict[str, Any]] = {
    "train": {
        "prompts": 21_964,
        "responses": 65_706,
        "prompt_words_mean": 4.05,
        "response_words_mean": 7.01,
        "vocabulary": 36_035,
    },
    "dev": {"prompts": 2_669, "responses": 8_080, "prompt_words_mean": 4.02, "response_words_mean": 6.98},
    "test": {"prompts": 2_750, "responses": 8_224, "prompt_words_mean": 4.11, "response_words_mean": 7.03},
    "all": {
        "prompts": 27_383,
        "responses": 82_010,
        "responses_per_prompt": {"min": 1, "mean": 82_010 / 27_383, "max": 20},
        "final_grades": {"share_to_2_5": 0.350, "share_2_5_to_3_5": 0.489},
    },
}


def rating_statistics(instances: Iterable[RatedPair]) -> dict[str, dict[str, Any]]:
    """Return one block per split and one for all, JSON-ready, from a single pass.

    Each block: ``prompts`` (different texts) and ``responses``; of each the mean of ``..._characters_mean`` and
    ``..._words_mean`` (tokens of jieba, punctuation marks among them), a prompt counted once; ``vocabulary``: different
    tokens of both; ``responses_per_prompt`` {min, mean, max, counts of prompts by their number of responses};
    ``final_grades`` {share_to_2_5, share_2_5_to_3_5, counts by mean grade}, where both shares include 2.5 as the
    study's do, so that they overlap; ``grades_by_type``: rows {grade, type, count} of single ratings; ``raters`` and
    responses by ``sources``. What an empty split leaves undefined is None.
    """
    tallies = {str(split): _PairTally() for split in Split}
    for instance in instances:
        tallies[instance["split"]].add(instance)
    every = _PairTally()
    for tally in tallies.values():
        every.join(tally)
    return {name: tally.block() for name, tally in (tallies | {"all": every}).items()}


class _Length(NamedTuple):
    characters: int = 0
    words: int = 0

    def plus(self, other: "_Length") -> "_Length":
        return _Length(self.characters + other.characters, self.words + other.words)


@dataclass
class _PairTally:
    # Prompts are counted by digest: a text may be a megabyte, and all of them must fit in memory.
    responses_of: Counter[bytes] = field(default_factory=Counter)
    final_grades: Counter[float] = field(default_factory=Counter)
    ratings: Counter[tuple[int, str | None]] = field(default_factory=Counter)
    sources: Counter[str] = field(default_factory=Counter)
    raters: set[str] = field(default_factory=set)
    vocabulary: set[str] = field(default_factory=set)
    lengths_of: dict[bytes, _Length] = field(default_factory=dict)
    response_length: _Length = field(default_factory=_Length)

    def add(self, instance: RatedPair) -> None:
        prompt = sha256(instance["prompt"].encode()).digest()
        if prompt not in self.lengths_of:
            self.lengths_of[prompt] = self._read(instance["prompt"])
        self.response_length = self.response_length.plus(self._read(instance["response"]))
        self.responses_of[prompt] += 1
        self.final_grades[float(instance["grade"])] += 1
        self.ratings.update(zip(instance["grades"], instance["types"], strict=True))
        self.sources[instance["source"]] += 1
        self.raters.update(instance["raters"])

    def _read(self, text: str) -> _Length:
        words = segmented(text)
        self.vocabulary.update(words)
        return _Length(len(text), len(words))

    def join(self, other: "_PairTally") -> None:
        """Add the counts of another split."""
        self.responses_of.update(other.responses_of)
        self.final_grades.update(other.final_grades)
        self.ratings.update(other.ratings)
        self.sources.update(other.sources)
        self.raters |= other.raters
        self.vocabulary |= other.vocabulary
        self.lengths_of |= other.lengths_of
        self.response_length = self.response_length.plus(other.response_length)

    def block(self) -> dict[str, Any]:
        prompts, responses = len(self.responses_of), self.responses_of.total()
        prompt_length = reduce(_Length.plus, self.lengths_of.values(), _Length())
        return {
            "prompts": prompts,
            "responses": responses,
            "prompt_characters_mean": _ratio(prompt_length.characters, prompts),
            "response_characters_mean": _ratio(self.response_length.characters, responses),
            "prompt_words_mean": _ratio(prompt_length.words, prompts),
            "response_words_mean": _ratio(self.response_length.words, responses),
            "vocabulary": len(self.vocabulary),
            "responses_per_prompt": {
                "min": min(self.responses_of.values(), default=None),
                "mean": _ratio(responses, prompts),
                "max": max(self.responses_of.values(), default=None),
                "counts": _by_key(Counter(self.responses_of.values())),
            },
            "final_grades": self._final_grades(),
            "grades_by_type": self._grades_by_type(),
            "raters": len(self.raters),
            "sources": _by_key(self.sources),
        }

    def _final_grades(self) -> dict[str, Any]:
        return {
            "share_to_2_5": self._share(float("-inf"), 2.5),
            "share_2_5_to_3_5": self._share(2.5, 3.5),
            "counts": _by_key(self.final_grades),
        }

    def _grades_by_type(self) -> list[dict[str, Any]]:
        rows = sorted(self.ratings.items(), key=lambda row: (row[0][0], row[0][1] or ""))
        return [{"grade": grade, "type": kind, "count": count} for (grade, kind), count in rows]

    def _share(self, low: float, high: float) -> float | None:
        within = sum(count for grade, count in self.final_grades.items() if low <= grade <= high)
        return _ratio(within, self.final_grades.total())


def _by_key(counts: Counter[Any]) -> dict[str, int]:
    return {str(key): count for key, count in sorted(counts.items())}


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
