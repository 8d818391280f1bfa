"""Time and memory of the models without pre-trained weights or servers, at the sizes of the studies, on one core.

python -m benchmarks.baselines [SHARE]    1 unless given; 0.1 makes everything a tenth as large

Seconds, CPU seconds, pairs a second and growth in megabytes of each part, in a process of its own. Limits: 7,088
instances taught and 8,860 asked 5 s, to the stored run 15 s; 500,000 pairs scored 60 s; 65,706 rated pairs taught, with
8,080 of dev, 60 s. The reference is the same pairs only split into words. Where torch is installed, networks learn for
an epoch and are asked: dual LSTM from 14,176 pairs, limit 90 s, the others from a tenth of them.
"""

import os
import subprocess
import sys
from importlib.util import find_spec

from benchmarks import ranking_instances, runs
from benchmarks.parts import HEAD, measure
from benchmarks.ranking_instances import CANDIDATES
from study.baselines.base import Baseline, RankingInstance, Requirement
from study.baselines.registry import BASELINES
from study.baselines.words import chinese_words, words

TAUGHT, ASKED, SCORED, RATED, DEV = 7_088, 8_860, 500_000, 65_706, 8_080
BATCH = 1_000
LIMITED = "dual-lstm"
ONE_CORE = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def main(share: str) -> None:
    print(f"{'':>51}{HEAD}", flush=True)
    apart = {Requirement.NEURAL, Requirement.SERVER}
    models = [key for key, model in BASELINES.items() if not apart & model.needs]
    for part, key in [("words", "-"), *((part, key) for part in ("answers", "scores", "rated") for key in models)]:
        command = [sys.executable, "-m", "benchmarks.baselines", share, part, key]
        subprocess.run(command, env=os.environ | ONE_CORE, check=True)
    for key in networks():
        part_of_it = str(float(share) * (1 if key == LIMITED else 0.1))
        command = [sys.executable, "-m", "benchmarks.baselines", part_of_it, "epoch", key]
        subprocess.run(command, env=os.environ | ONE_CORE, check=True)
    for kind in runs.kinds():
        runs.run("benchmarks.baselines_once", share, on=kind)


def networks() -> list[str]:
    """Return the networks that learn without pre-trained weights, none where torch is not installed."""
    if find_spec("torch") is None:
        return []
    return [
        key
        for key, model in BASELINES.items()
        if Requirement.NEURAL in model.needs and Requirement.WEIGHTS not in model.needs
    ]


def ask(model: Baseline, asked: list[RankingInstance]) -> None:
    for start in range(0, len(asked), BATCH):
        model.score(asked[start : start + BATCH])


def answers(share: float, key: str) -> None:
    """Teach the model and ask it four-way questions, as MuTual has them."""
    train = list(ranking_instances.instances(round(TAUGHT * share), seed=1))
    asked = list(ranking_instances.instances(round(ASKED * share), seed=2))
    model = BASELINES[key]()

    def teach_and_ask() -> None:
        model.fit(train)
        ask(model, asked)

    measure(f"{key} taught, asked", CANDIDATES * len(asked), teach_and_ask)


def scores(share: float, key: str) -> None:
    train = list(ranking_instances.instances(round(TAUGHT * share), seed=1))
    asked = list(ranking_instances.instances(round(SCORED * share / 10), seed=2, candidates=10))
    model = BASELINES[key]()
    model.fit(train)
    pairs = sum(len(instance.candidates) for instance in asked)
    measure(f"{key} asked", pairs, lambda: ask(model, asked))


def rated(share: float, key: str) -> None:
    """Teach the model rated pairs, with dev, as the 5-grade study has them."""
    train = list(ranking_instances.prompts(round(RATED * share), seed=1))
    dev = list(ranking_instances.prompts(round(DEV * share), seed=2))
    chinese_words("词")  # loads the dictionary
    measure(f"{key} taught rated", round(RATED * share), lambda: BASELINES[key]().fit(train, dev))


def reference(share: float, _key: str) -> None:
    asked = list(ranking_instances.instances(round(ASKED * share), seed=2))
    texts = [text for each in asked for text in (" ".join(each.context), *each.candidates)]
    measure("only words", CANDIDATES * len(asked), lambda: [words(text) for text in texts])
    prompts = list(ranking_instances.prompts(round(RATED * share), seed=1))
    chinese = [text for each in prompts for text in (*each.context, *each.candidates)]
    chinese_words("词")
    measure("only words, rated", round(RATED * share), lambda: [chinese_words(text) for text in chinese])


def epoch(share: float, key: str) -> None:
    """Teach a network for one epoch, with one wrong response for each right one, and ask it."""
    train = list(ranking_instances.instances(round(TAUGHT * share), seed=1))
    asked = list(ranking_instances.instances(500, seed=2))
    model = BASELINES[key]({"epochs": 1})
    measure(f"{key} epoch", 2 * len(train), lambda: model.fit(train))
    measure(f"{key} asked", CANDIDATES * len(asked), lambda: ask(model, asked))


PARTS = {"words": reference, "answers": answers, "scores": scores, "rated": rated, "epoch": epoch}

if __name__ == "__main__":
    share, *of_part = sys.argv[1:] or ["1"]
    if of_part:
        part, key = of_part
        PARTS[part](float(share), key)
    else:
        main(share)
