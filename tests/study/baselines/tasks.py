"""Tasks made for the models: one who reads the words can do them, one who guesses cannot."""

import numpy as np

from study.baselines.base import RankingInstance, Requirement
from study.baselines.registry import BASELINES

PLAIN = [key for key, model in BASELINES.items() if Requirement.NEURAL not in model.needs]  # need no torch

WORDS = [f"{first}{second}{third}" for first in "bdfgklmnprst" for second in "aeiou" for third in "bdfgklmnprst"]


def _text(generator: np.random.Generator, *words: str, length: int = 6) -> str:
    said = [*words, *generator.choice(WORDS, length - len(words))]
    generator.shuffle(said)
    return " ".join(said)


def echoes(count: int, *, seed: int = 0) -> list[RankingInstance]:
    """Return four-way instances whose true response repeats three words of the context."""
    generator = np.random.default_rng(seed)
    made = []
    for number in range(count):
        shared = generator.choice(WORDS, 3, replace=False).tolist()
        answer = int(generator.integers(4))
        candidates = tuple(_text(generator, *(shared if place == answer else ())) for place in range(4))
        context = (_text(generator, length=8), _text(generator, *shared, length=8))
        made.append(RankingInstance(f"e{number}", context, candidates, answer))
    return made


def graded(count: int, *, seed: int = 0) -> list[RankingInstance]:
    """Return rated prompts: the more words a response shares with its prompt, and the longer it is, the better."""
    generator = np.random.default_rng(seed)
    made = []
    for number in range(count):
        shared = generator.choice(WORDS, 4, replace=False).tolist()
        sizes = generator.integers(0, 5, 5)
        lengths = generator.integers(5, 12, 5)
        responses = tuple(
            _text(generator, *shared[:size], length=length) for size, length in zip(sizes, lengths, strict=True)
        )
        grades = tuple(np.clip(1 + sizes * 0.8 + (lengths > 8), 1, 5).round(1).tolist())
        made.append(RankingInstance(f"g{number}", (_text(generator, *shared, length=8),), responses, grades=grades))
    return made


def guesses(count: int, *, seed: int = 0) -> list[RankingInstance]:
    """Return four-way instances whose answers are drawn: there is nothing to learn but by heart."""
    generator = np.random.default_rng(seed)
    return [
        RankingInstance(
            f"r{number}",
            (_text(generator),),
            tuple(_text(generator, length=int(generator.integers(2, 12))) for _candidate in range(4)),
            int(generator.integers(4)),
        )
        for number in range(count)
    ]


TOPICS = [WORDS[start : start + 12] for start in range(0, 96, 12)]


def topics(count: int, *, seed: int = 0) -> list[RankingInstance]:
    """Return four-way instances whose true response is about what the context is about, in other words.

    The words of a topic have to be learned: true and wrong responses share as many words with the context.
    """
    generator = np.random.default_rng(seed)
    made = []
    for number in range(count):
        about = generator.permutation(len(TOPICS))[:4]
        answer = int(generator.integers(4))
        right, *others = about.tolist()
        order = [*others[:answer], right, *others[answer:]]
        candidates = tuple(" ".join(generator.choice(TOPICS[topic][:6], 5)) for topic in order)
        context = tuple(" ".join(generator.choice(TOPICS[right][6:], 5)) for _turn in range(2))
        made.append(RankingInstance(f"t{number}", context, candidates, answer))
    return made


def liked(count: int, *, seed: int = 0) -> list[RankingInstance]:
    """Return rated prompts: the more words of a response are among those that people like, the better."""
    generator = np.random.default_rng(seed)
    made = []
    for number in range(count):
        grades = tuple(generator.integers(1, 6, 5).tolist())
        responses = tuple(
            " ".join([*generator.choice(TOPICS[0], grade), *generator.choice(TOPICS[1], 6 - grade)]) for grade in grades
        )
        made.append(RankingInstance(f"l{number}", (_text(generator),), responses, grades=grades))
    return made


def last_turns(count: int, *, seed: int = 0) -> list[RankingInstance]:
    """Return three-way instances: the true response is about what the last turn is about, others are about earlier."""
    generator = np.random.default_rng(seed)
    made = []
    for number in range(count):
        about = generator.permutation(len(TOPICS))[:3].tolist()
        order = generator.permutation(3).tolist()
        context = tuple(" ".join(generator.choice(TOPICS[topic][6:], 5)) for topic in about)
        candidates = tuple(" ".join(generator.choice(TOPICS[about[turn]][:6], 5)) for turn in order)
        made.append(RankingInstance(f"u{number}", context, candidates, order.index(2)))
    return made
