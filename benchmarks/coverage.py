"""Coverage of the headline interval in ten simulated designs, .93 or more in each, and of the study's own interval.

python -m benchmarks.coverage [STUDIES]    2000 unless given; then the sizes of the tests, as benchmarks.sizes

People and questions are drawn; an answer is right with a chance whose logit is the intercept, the person's ability and
the question's ease. The truth is what all people would have right of all questions. For MRR a wrong answer ranks the
true response second to fifth, with equal chances. A study whose answers are all alike counts like any other.

The study's own interval (Wald, answers independent) covers near 62 % in the design of its crowd, where about 66 % of
the answers were right.
"""

import sys
from typing import NamedTuple

import numpy as np
from scipy import special

from benchmarks import sizes
from benchmarks.designs import CROWD, DESIGNS, SEED, Design
from core.domain.statistics import Interval, headline, two_way, wald

PROMISED = 0.93
CANDIDATES = 5


class Coverage(NamedTuple):
    """Share of studies whose interval holds the truth: the headline's for R@1 and for MRR, and Wald's for R@1."""

    recall: float
    mrr: float
    wald: float


def coverage_of(design: Design, *, studies: int) -> Coverage:
    generator = np.random.default_rng(SEED)
    people, questions = design.forms * design.people, design.forms * design.questions
    person = np.repeat(np.arange(people), design.questions)
    forms = np.arange(questions).reshape(design.forms, design.questions)
    question = np.concatenate([np.tile(form, design.people) for form in forms])
    truth = design.truth
    of_wrong = float((1 / np.arange(2, CANDIDATES + 1)).mean())
    covered = np.zeros(3)
    for _study in range(studies):
        ability = generator.normal(0, design.sd_people, people)
        ease = generator.normal(0, design.sd_questions, questions)
        right = generator.random(len(person)) < special.expit(design.intercept + ability[person] + ease[question])
        ranks = np.where(right, 1, generator.integers(2, CANDIDATES + 1, len(person)))
        figures = (
            (right, truth, 0.0),
            (1 / ranks, truth + (1 - truth) * of_wrong, 1 / CANDIDATES),
        )
        for position, (values, true_value, lowest) in enumerate(figures):
            interval = headline(two_way(values, person, question, lowest=lowest)).interval
            assert interval is not None
            covered[position] += _holds(interval, true_value)
        covered[2] += _holds(wald(right.sum(), right.size), truth)
    return Coverage(*(covered / studies).tolist())


def _holds(interval: Interval, truth: float) -> bool:
    return interval[0] <= truth <= interval[1]


def main(studies: str = "2000") -> None:
    print(f"{'forms x people x questions, logit, sd, sd':<44}{'R@1':>7}{'MRR':>7}{'Wald':>7}", flush=True)
    lowest = 1.0
    for design in (*DESIGNS, CROWD):
        found = coverage_of(design, studies=int(studies))
        print(f"{design!s:<44}" + "".join(f"{share:7.3f}" for share in found), flush=True)
        lowest = min(lowest, found.recall, found.mrr)
    print(f"lowest {lowest:.3f}, promised {PROMISED}\n", flush=True)
    are_right = sizes.are_as_promised(int(studies))
    sys.exit(lowest < PROMISED or not are_right)


if __name__ == "__main__":
    main(*sys.argv[1:])
