"""One part of the benchmark of models (benchmarks/baselines.py), on the database of DATABASE_URL.

python -m benchmarks.baselines_once 1
"""

import sys
from functools import partial

import django

django.setup()

from django.core.management import call_command  # noqa: E402

from benchmarks import ranking_instances  # noqa: E402
from benchmarks.baselines import ASKED, TAUGHT  # noqa: E402
from benchmarks.parts import measure  # noqa: E402
from core.models import Role  # noqa: E402
from study.actions.runs import baselines  # noqa: E402
from tests import corpora, factories  # noqa: E402


def main(share: float) -> None:
    call_command("migrate", verbosity=0)
    by = factories.person("rui", Role.RESEARCHER)
    rows = [
        {
            "id": f"{split}{instance.id}",
            "split": split,
            "turns": [{"speaker": "FM"[place % 2], "text": text} for place, text in enumerate(instance.context)],
            "candidates": instance.candidates,
            "answer": instance.answer,
        }
        for split, count, seed in (("train", TAUGHT, 1), ("dev", ASKED, 2))
        for instance in ranking_instances.instances(round(count * share), seed=seed)
    ]
    corpora.stored("bench", rows, by=by)
    for key in ("tfidf", "bm25"):
        plan = {"model": key, "on": "bench:dev", "train": "bench:train", "seed": 0}
        work = partial(baselines.run_now, **plan, report=factories.no_progress, by=by)
        measure(f"{key} from corpus to run", ranking_instances.CANDIDATES * round(ASKED * share), work)


if __name__ == "__main__":
    main(float(sys.argv[1]))
