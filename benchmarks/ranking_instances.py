"""Made-up instances and rated prompts as large as the studies', for models; equal seeds give equal ones."""

from collections.abc import Iterator

import numpy as np

from benchmarks.chinese import ENDS
from study.baselines.base import RankingInstance

ENGLISH = 12_000  # words, used as rarely as Zipf says
TURNS, WORDS, CANDIDATES = 5, 20, 4  # of MuTual, on average
HAN = np.array([chr(code) for code in range(0x4E00, 0x4E00 + 3_000)])


def instances(count: int, *, seed: int, candidates: int = CANDIDATES) -> Iterator[RankingInstance]:
    """Yield English contexts with candidates of which one is true."""
    generator = np.random.default_rng(seed)
    words = np.array([f"w{number}" for number in range(ENGLISH)])
    up_to = np.cumsum(1 / np.arange(1, ENGLISH + 1))

    def text() -> str:
        drawn = generator.random(1 + generator.poisson(WORDS - 1)) * up_to[-1]
        return " ".join(words[np.searchsorted(up_to, drawn)])

    for number in range(count):
        context = tuple(text() for _turn in range(TURNS))
        options = tuple(text() for _candidate in range(candidates))
        yield RankingInstance(f"i{number}", context, options, int(generator.integers(candidates)))


def prompts(pairs: int, *, seed: int) -> Iterator[RankingInstance]:
    """Yield Chinese prompts with 1 to 20 responses, about 3 each, and grades in halves from 1 to 5."""
    generator, left = np.random.default_rng(seed), pairs

    def text(length: int) -> str:
        return "".join(generator.choice(HAN, 1 + generator.poisson(length - 1))) + str(generator.choice(ENDS))

    while left:
        size = min(int(generator.geometric(0.33)), 20, left)
        grades = tuple((generator.integers(2, 11, size) / 2).tolist())
        yield RankingInstance(
            f"p{left}", (text(7),), tuple(text(12) for _ in range(size)), grades=grades, language="zh"
        )
        left -= size
