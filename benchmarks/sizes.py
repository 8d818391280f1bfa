"""Sizes of the tests at .05: how often each finds a difference where there is none, .03 to .065 of the time.

python -m benchmarks.sizes [STUDIES]    2000 unless given

People and questions are drawn as in benchmarks.coverage. A test of similarity is asked where the difference is exactly
the margin. What errs more often is printed below: Newcombe's interval of two groups, which takes answers for
independent, and a model's few questions where most answers are right, so that differences are far from symmetric.
"""

import sys
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import special

from benchmarks.coverage import CROWD, SEED, Design
from study.domain.results.contrasts import group_difference, newcombe_unpaired, people_minus_model
from study.domain.results.paired import FourfoldTable, mcnemar, paired_difference, sign_flip_p
from study.domain.results.response_times import time_ratio
from study.domain.results.tango import tango_equivalence

LEAST, MOST = 0.03, 0.065
ALPHA = 0.05
RIGHT = 1.4  # logit of a right answer
MARGIN = 0.1

Study = Callable[[np.random.Generator], bool]  # draws a study, and tells whether the test finds something


class SimulatedAnswers(NamedTuple):
    """Answers of a design, each with its person and question, and the chance of each question to be answered right."""

    right: np.ndarray
    person: np.ndarray
    question: np.ndarray
    chances: np.ndarray


def answered(design: Design, generator: np.random.Generator) -> SimulatedAnswers:
    people, questions = design.forms * design.people, design.forms * design.questions
    person = np.repeat(np.arange(people), design.questions)
    form = person // design.people
    question = form * design.questions + np.tile(np.arange(design.questions), people)
    ability = generator.normal(0, design.sd_people, people)
    ease = generator.normal(0, design.sd_questions, questions)
    right = generator.random(len(person)) < special.expit(design.intercept + ability[person] + ease[question])
    normal = special.ndtri((np.arange(200) + 0.5) / 200)
    chances = special.expit(design.intercept + ease[:, None] + design.sd_people * normal).mean(axis=1)
    return SimulatedAnswers(right.astype(np.float64), person, question, chances)


def people_against_model(design: Design) -> Study:
    """A model that has each question right with the chance that a person has; signs of questions are flipped."""

    def is_found(generator: np.random.Generator) -> bool:
        drawn = answered(design, generator)
        model = generator.random(len(drawn.chances)) < drawn.chances
        shares = np.bincount(drawn.question, drawn.right) / np.bincount(drawn.question)
        return sign_flip_p((shares - model).tolist(), generator) <= ALPHA

    return is_found


def people_against_model_two_way(design: Design) -> Study:
    """The same by the two-way error and Student's t, which the equivalence test takes."""

    def is_found(generator: np.random.Generator) -> bool:
        drawn = answered(design, generator)
        model = dict(enumerate((generator.random(len(drawn.chances)) < drawn.chances).astype(float).tolist()))
        found = people_minus_model(drawn.right, drawn.person, drawn.question, model)
        return found is not None and found.p is not None and found.p <= ALPHA

    return is_found


def two_groups(design: Design, first: int) -> Study:
    """The first people against the others, all of one population."""

    def is_found(generator: np.random.Generator) -> bool:
        drawn = answered(design, generator)
        found = group_difference(drawn.right, drawn.person, drawn.question, drawn.person < first)
        return found is not None and found.p is not None and found.p <= ALPHA

    return is_found


def two_groups_independent(design: Design, first: int) -> Study:
    def is_found(generator: np.random.Generator) -> bool:
        drawn = answered(design, generator)
        of_first = drawn.person < first
        counts = [(float(values.sum()), len(values)) for values in (drawn.right[of_first], drawn.right[~of_first])]
        low, high = newcombe_unpaired(counts[0], counts[1])
        return not low <= 0 <= high

    return is_found


def _models(instances: int, generator: np.random.Generator, harder: float = 0.0) -> FourfoldTable:
    """Two models on the same instances, which are as easy for both; the second is right less often by `harder`."""
    chances = special.expit(RIGHT + generator.normal(0, 1.5, instances))
    chances = harder + (1 - harder) * chances
    first, second = generator.random(instances) < chances, generator.random(instances) < chances - harder
    cells = (first & second, first & ~second, ~first & second, ~first & ~second)
    return FourfoldTable(*(int(cell.sum()) for cell in cells))


def mcnemar_exact(instances: int) -> Study:
    def is_found(generator: np.random.Generator) -> bool:
        table = _models(instances, generator)
        return mcnemar(table.first, table.second)[0] <= ALPHA

    return is_found


def mcnemar_mid(instances: int) -> Study:
    def is_found(generator: np.random.Generator) -> bool:
        table = _models(instances, generator)
        return mcnemar(table.first, table.second)[1] <= ALPHA

    return is_found


def reciprocal_ranks(instances: int) -> Study:
    def is_found(generator: np.random.Generator) -> bool:
        ranks = generator.integers(1, 5, (2, instances))
        return paired_difference(*(1 / ranks).tolist(), seed=int(generator.integers(2**31))).p <= ALPHA

    return is_found


def similar_models(instances: int) -> Study:
    def is_found(generator: np.random.Generator) -> bool:
        return tango_equivalence(_models(instances, generator, MARGIN), MARGIN).p <= ALPHA

    return is_found


def similar_to_model(design: Design) -> Study:
    """A model that is right less often by the margin."""

    def is_found(generator: np.random.Generator) -> bool:
        drawn = answered(design, generator)
        model = generator.random(len(drawn.chances)) < drawn.chances - MARGIN
        worth = dict(enumerate(model.astype(float).tolist()))
        found = people_minus_model(drawn.right, drawn.person, drawn.question, worth)
        similar = found.equivalence(MARGIN) if found else None
        return similar is not None and similar.p <= ALPHA

    return is_found


def times(people: int, questions: int, first: int, deadline: float) -> Study:
    """Log-normal seconds of people and questions, cut off at the deadline, of the first people and the others."""

    def is_found(generator: np.random.Generator) -> bool:
        person, item = np.repeat(np.arange(people), questions), np.tile(np.arange(questions), people)
        logs = 3 + generator.normal(0, 0.4, people)[person] + generator.normal(0, 0.3, questions)[item]
        seconds = np.exp(logs + generator.normal(0, 0.6, len(person)))
        cut = seconds > deadline
        found = time_ratio(np.minimum(seconds, deadline), cut, person, item, person < first)
        return found is not None and found.p is not None and found.p <= ALPHA

    return is_found


FEW = Design(1, 40, 16, RIGHT, 0.8, 0.8)
WHOLE = Design(1, 60, 40, RIGHT, 0.8, 0.8)
MANY = Design(1, 40, 300, RIGHT, 0.8, 0.8)
SIZES: dict[str, Study] = {
    "sign-flip, the study's crowd against a model": people_against_model(CROWD),
    "two-way t, the study's crowd against a model": people_against_model_two_way(CROWD),
    "two-way t, 30 people against 30, 40 questions": two_groups(WHOLE, 30),
    "two-way t, 10 people against 50, 40 questions": two_groups(WHOLE, 10),
    "McNemar mid-p, 300 instances": mcnemar_mid(300),
    "McNemar exact, 300 instances": mcnemar_exact(300),
    "sign-flip, reciprocal ranks of 300 instances": reciprocal_ranks(300),
    "similar (Tango), 300 instances": similar_models(300),
    "similar (two-way t), 40 people x 300 questions": similar_to_model(MANY),
    "times, 30 people against 30, 20 questions": times(60, 20, 30, 60.0),
    "times, 10 people against 50, 20 questions": times(60, 20, 10, 60.0),
}
TOO_LARGE: dict[str, Study] = {
    "Newcombe, 30 people against 30: answers independent": two_groups_independent(WHOLE, 30),
    "sign-flip, a model on 16 questions, 80 % right": people_against_model(FEW),
    "two-way t, a model on 16 questions, 80 % right": people_against_model_two_way(FEW),
}


def size_of(study: Study, *, studies: int) -> float:
    """Return the share of studies in which a test finds something."""
    generator = np.random.default_rng(SEED)
    return float(np.mean([study(generator) for _study in range(studies)]))


def main(studies: str = "2000") -> None:
    wrong = []
    for name, study in (SIZES | TOO_LARGE).items():
        size = size_of(study, studies=int(studies))
        print(f"{name:<54}{size:7.3f}", flush=True)
        if name in SIZES and not LEAST <= size <= MOST:
            wrong.append(name)
    print(f"promised {LEAST} to {MOST}; outside: {', '.join(wrong) or 'none'}")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main(*sys.argv[1:])
