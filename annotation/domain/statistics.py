"""The tables of the 5-grade study for a release of rated pairs (its table 3 and figures 1 and 2)."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from annotation.domain.instances import RatedPair
from annotation.domain.splitting import Split

# What the 5-grade study published of its release (table 3, figures 1 and 2).
STUDY_STATISTICS: dict[str, dict[str, Any]] = {
    "train": {"prompts": 21_964, "responses": 65_706},
    "dev": {"prompts": 2_669, "responses": 8_080},
    "test": {"prompts": 2_750, "responses": 8_224},
    "all": {
        "prompts": 27_383,
        "responses": 82_010,
        "responses_per_prompt": {"min": 1, "mean": 82_010 / 27_383, "max": 20},
        "final_grades": {"share_to_2_5": 0.350, "share_2_5_to_3_5": 0.489},
    },
}


def rating_statistics(instances: Iterable[RatedPair]) -> dict[str, dict[str, Any]]:
    """One block per split and one for all, JSON-ready, from a single pass.

    Each block: ``prompts`` (different texts) and ``responses``; ``prompt_characters_mean`` over the prompts and
    ``response_characters_mean``; ``responses_per_prompt`` {min, mean, max}; ``final_grades`` {share_to_2_5,
    share_2_5_to_3_5, counts by mean grade}, where both shares include 2.5 as the study's do, so that they overlap;
    ``grades_by_type``: rows {grade, type, count} of single ratings. What an empty split leaves undefined is None.
    """
    every = _Tally()
    tallies = {str(split): _Tally() for split in Split}
    for instance in instances:
        every.add(instance)
        tallies[instance["split"]].add(instance)
    return {name: tally.block() for name, tally in (tallies | {"all": every}).items()}


@dataclass
class _Tally:
    # A prompt is counted by its digest: a text may be a megabyte, and all of them must fit in memory.
    responses_of: Counter[bytes] = field(default_factory=Counter)
    final_grades: Counter[float] = field(default_factory=Counter)
    ratings: Counter[tuple[int, str | None]] = field(default_factory=Counter)
    prompt_characters: int = 0
    response_characters: int = 0

    def add(self, instance: RatedPair) -> None:
        prompt = sha256(instance["prompt"].encode()).digest()
        if prompt not in self.responses_of:
            self.prompt_characters += len(instance["prompt"])
        self.responses_of[prompt] += 1
        self.response_characters += len(instance["response"])
        self.final_grades[float(instance["grade"])] += 1
        self.ratings.update(zip(instance["grades"], instance["types"], strict=True))

    def block(self) -> dict[str, Any]:
        prompts, responses = len(self.responses_of), self.responses_of.total()
        return {
            "prompts": prompts,
            "responses": responses,
            "prompt_characters_mean": _ratio(self.prompt_characters, prompts),
            "response_characters_mean": _ratio(self.response_characters, responses),
            "responses_per_prompt": {
                "min": min(self.responses_of.values(), default=None),
                "mean": _ratio(responses, prompts),
                "max": max(self.responses_of.values(), default=None),
            },
            "final_grades": self._final_grades(),
            "grades_by_type": self._grades_by_type(),
        }

    def _final_grades(self) -> dict[str, Any]:
        return {
            "share_to_2_5": self._share(float("-inf"), 2.5),
            "share_2_5_to_3_5": self._share(2.5, 3.5),
            "counts": {str(grade): count for grade, count in sorted(self.final_grades.items())},
        }

    def _grades_by_type(self) -> list[dict[str, Any]]:
        rows = sorted(self.ratings.items(), key=lambda row: (row[0][0], row[0][1] or ""))
        return [{"grade": grade, "type": kind, "count": count} for (grade, kind), count in rows]

    def _share(self, low: float, high: float) -> float | None:
        within = sum(count for grade, count in self.final_grades.items() if low <= grade <= high)
        return _ratio(within, self.final_grades.total())


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
