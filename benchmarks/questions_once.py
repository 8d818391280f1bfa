"""One step of the benchmark of questions (benchmarks/questions.py), on the database of DATABASE_URL.

python -m benchmarks.questions_once store DIALOGUES
python -m benchmarks.questions_once PICK DISTRACTORS QUESTIONS
"""

import json
import resource
import sys
import time
from collections.abc import Iterator
from typing import Any

import django

django.setup()

import numpy as np  # noqa: E402
from django.core.management import call_command  # noqa: E402

from annotation.models import Corpus, Dialogue  # noqa: E402
from benchmarks import loading  # noqa: E402
from core.actions import names  # noqa: E402
from core.models import Role, User  # noqa: E402
from study.actions.questions import questions  # noqa: E402
from tests import factories  # noqa: E402

TURNS, WORDS, VOCABULARY = 7.63, 10.3, 200_000
SHORTEST = 3
BLOCK = 10_000  # dialogues made at a time
COLUMNS = (
    "corpus_id",
    "position",
    "split",
    "external_id",
    "digest",
    "conversation",
    "turns",
    "facts",
    "as_written",
)


def main(*arguments: str) -> None:
    if arguments[0] == "store":
        store(int(arguments[1]))
    else:
        pick, distractors, count = arguments
        draw(pick, int(distractors), int(count))


def store(dialogues: int) -> None:
    call_command("migrate", verbosity=0)
    researcher = factories.person("rui", Role.RESEARCHER)
    statistics = {"test": {"dialogues": dialogues, "instances": 0, "answers": 0, "turns": 0}}
    names.claim("bench", "corpus")
    corpus = Corpus.objects.create(
        name="bench", format="jsonl", checksum="0" * 64, statistics=statistics, created_by=researcher
    )
    loading.write(Dialogue, COLUMNS, _rows(corpus, dialogues))
    loading.gather_statistics()


def _rows(corpus: Corpus, dialogues: int) -> Iterator[tuple[Any, ...]]:
    generator = np.random.default_rng(0)
    words = np.array([f"w{number}" for number in range(VOCABULARY)])
    likely = 1 / np.arange(1, VOCABULARY + 1)
    ends = np.cumsum(likely / likely.sum())
    for start in range(0, dialogues, BLOCK):
        turns = SHORTEST + generator.poisson(TURNS - SHORTEST, min(BLOCK, dialogues - start))
        lengths = 1 + generator.geometric(1 / WORDS, turns.sum())
        drawn = words[np.minimum(np.searchsorted(ends, generator.random(lengths.sum())), VOCABULARY - 1)]
        texts = iter([" ".join(text) for text in np.split(drawn, np.cumsum(lengths)[:-1])])
        for position, number in enumerate(turns.tolist(), start):
            said = [{"speaker": "ab"[turn % 2], "text": next(texts)} for turn in range(number)]
            key = f"{position:064x}"
            yield (corpus.pk, position, "test", f"d{position}", key, key, json.dumps(said), "{}", "")


def draw(pick: str, distractors: int, count: int) -> None:
    began, busy = time.perf_counter(), time.process_time()
    questions.build(
        name=f"{pick}-{distractors}",
        sources=["bench:test"],
        count=count,
        distractors=distractors,
        pick=pick,
        report=factories.no_progress,
        by=User.objects.get(username="rui"),
    )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    seconds, busy = time.perf_counter() - began, time.process_time() - busy
    print(f"{pick:10}{distractors:12}{seconds:10.1f}{busy:10.1f}{peak:16,.0f}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
