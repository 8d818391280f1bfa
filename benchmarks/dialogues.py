"""Made-up exam items in English, about as large as DREAM's; equal seeds give equal items."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

QUESTIONS_EACH = 1.7  # of a dialogue on average, as in DREAM
TURNS, WORDS = 4.73, 19.57  # of a context and of an utterance (MuTual, table 3)
VOCABULARY = 11_000
SYLLABLES = [a + b for a in "bdfgklmnprstvw" for b in "aeiou"]


def write(path: Path, questions: int, *, seed: int = 0) -> None:
    """Write a file in the product's jsonl: turns, question, choices, answer, id."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(item) + "\n" for item in _items(questions, np.random.default_rng(seed)))


def _items(questions: int, generator: np.random.Generator) -> Iterator[dict[str, Any]]:
    words = ZipfWords(generator)
    number = dialogue = 0
    while number < questions:
        dialogue += 1
        turns = [f"{'WM'[position % 2]}: {words(WORDS)}" for position in range(3 + generator.poisson(TURNS - 2))]
        for _question in range(min(int(generator.geometric(1 / QUESTIONS_EACH)), questions - number)):
            number += 1
            choices = [words(6) for _choice in range(3)]
            yield {
                "turns": turns,
                "question": f"{words(8)}?",
                "choices": choices,
                "answer": choices[int(generator.integers(3))],
                "id": f"{dialogue}-{number}",
            }


class ZipfWords:
    """Random words with Zipf's distribution: a few are common, most are rare."""

    def __init__(self, generator: np.random.Generator) -> None:
        self.generator = generator
        spelled = generator.choice(SYLLABLES, (VOCABULARY, 3))
        self.vocabulary = np.array(
            ["".join(syllables[: 1 + position % 3]) for position, syllables in enumerate(spelled)]
        )
        self.shares = 1 / np.arange(1, VOCABULARY + 1)
        self.shares /= self.shares.sum()

    def __call__(self, length: float) -> str:
        """Return about `length` words."""
        return " ".join(self.generator.choice(self.vocabulary, 1 + self.generator.poisson(length - 1), p=self.shares))
