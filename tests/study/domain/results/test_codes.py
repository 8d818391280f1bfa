"""People and questions as numbers: figures are those of the texts that they number, to the last digit."""

import random

import numpy as np
import pytest
from scipy import sparse

from core.domain.statistics import percentiles, positions, resampled, two_way, two_way_bootstraps
from study.domain.results.answer_table import Answered, Table
from study.domain.results.comparison import difference
from study.domain.results.labels import ResultPart, turns_class
from study.domain.results.metrics import METRICS, OF_PEOPLE, Ranked
from study.domain.results.resamples import Resamples, generator_for
from study.domain.results.results import cells_of
from tests.resampling import drawn_by

DRAWS = 230  # more than one chunk of draws


def random_answers(seed: int) -> list[Answered]:
    """Answers of people with names and questions in no order, some of whom skipped some; first choices alone too."""
    drawn = random.Random(seed)
    people = [drawn.choice(["", "Zoë ", "an/", "9", "人"]) + str(drawn.randrange(10_000)) for _ in range(30)]
    questions = [f"{drawn.choice(['set/', '', '题'])}q{number}" for number in range(12)]
    rows = []
    for person in dict.fromkeys(people):
        group, form = drawn.choice(["crowd", "lab", ""]), drawn.choice(["1", "2", "10"])
        for question in drawn.sample(questions, drawn.randrange(1, 12)):
            better, depth = drawn.choice([(0, 1), (0, 2), (1, 2), (None, 2), (None, 1), (0, 4), (2, 4), (3, 4)])
            tied = drawn.randrange(2) if depth == 4 and better == 0 else 0
            ranked = Ranked(better, tied, depth, 4)
            labels = {"corpus": question[:3], "group": group, "form": form, "turns": turns_class(drawn.randrange(8))}
            rows.append(Answered(person, question, ranked, labels))
    return drawn.sample(rows, len(rows))


def by_texts(answers: list[Answered], seed: int) -> dict[tuple[ResultPart, str], tuple]:
    """Compute every cell as it was done before: from columns of texts, which each cell sorts and numbers anew."""
    rows = sorted(answers, key=lambda row: (row.person, row.question))
    found = {}
    for part in {cell.part for cell in cells_of(Table.of(answers))}:
        chosen = [row for row in rows if Table.of([row]).of_part(part).all()]
        for metric in OF_PEOPLE:
            known = [(METRICS[metric](row.ranked), row) for row in chosen]
            known = [(value, row) for value, row in known if value is not None]
            if not known:
                continue
            value = np.array([value for value, _row in known], dtype=np.float64)
            people, questions = (np.array([getattr(row, of) for _v, row in known]) for of in ("person", "question"))
            lowest = 1 / 4 if metric == "MRR" else 0.0
            mean = two_way(value, people, questions, lowest=lowest)
            interval = None
            if mean.by_answers > 0:
                people_by = generator_for(seed, "people drawn", *sorted({*people}))
                questions_by = generator_for(seed, "questions drawn", *sorted({*questions}))
                interval = pigeonhole(value, people, questions, people_by, questions_by)
            found[part, metric] = (mean, interval)
    return found


def pigeonhole(value, people, questions, *generators):
    """The bootstrap of one metric by itself, with sparse tables of sums and of counts."""
    person, item = (np.unique(names, return_inverse=True)[1] for names in (people, questions))
    groups = int(person.max()) + 1, int(item.max()) + 1
    if min(groups) < 2:
        return None
    order = np.lexsort((item, person))
    cells = person[order], item[order]
    totals = sparse.csr_array((value[order], cells), shape=groups)
    counts = sparse.csr_array((np.ones(len(value)), cells), shape=groups)
    people_drawn, items_drawn = (resampled(size, DRAWS, by) for size, by in zip(groups, generators, strict=True))
    total = ((people_drawn @ totals) * items_drawn).sum(axis=1)
    answers = ((people_drawn @ counts) * items_drawn).sum(axis=1)
    with np.errstate(invalid="ignore"):
        return percentiles(total / answers)


@pytest.mark.parametrize("seed", range(6))
def test_every_cell_is_what_texts_gave_to_the_last_digit(seed):
    answers = random_answers(seed)
    table = Table.of(answers)
    cells = {
        (cell.part, cell.metric): (cell.found, cell.bootstrap)
        for cell in cells_of(table, resample=Resamples(table, seed, DRAWS))
        if cell.found
    }
    assert cells == by_texts(answers, seed)


@pytest.mark.parametrize("seed", range(4))
def test_a_difference_is_what_texts_gave_to_the_last_digit(seed):
    table, drawn = Table.of(random_answers(seed)), random.Random(seed)
    known = ~np.isnan(table.values("R@1"))
    model = {name: drawn.choice([0.0, 1 / 3, 1.0]) for name in table.questions.names[1:]}
    by_code = {table.questions.names.index(name): worth for name, worth in model.items()}
    value, people, questions = table.values("R@1")[known], table.people.codes[known], table.questions.codes[known]
    texts = [np.array(names.names)[codes] for names, codes in ((table.people, people), (table.questions, questions))]
    found = difference(value, people, questions, by_code, drawn_by(np.random.default_rng(seed), DRAWS))
    assert found == difference(value, *texts, model, drawn_by(np.random.default_rng(seed), DRAWS))
    assert found is not None
    assert found.interval == all_draws_at_once(value, people, questions, by_code, np.random.default_rng(seed))


def all_draws_at_once(value, people, questions, model, generator):
    rows = np.isin(questions, list(model))
    person, question = (np.unique(codes[rows], return_inverse=True)[1] for codes in (people, questions))
    worth = np.array([model[code] for code in np.unique(questions[rows]).tolist()])
    size = int(person.max()) + 1, len(worth)
    right = sparse.csr_array((value[rows], (person, question)), shape=size)
    given = sparse.csr_array((np.ones(rows.sum()), (person, question)), shape=size)
    people_drawn, questions_drawn = (resampled(count, DRAWS, generator) for count in size)
    answers = people_drawn @ given
    share = np.divide(people_drawn @ right, answers, out=np.zeros_like(answers), where=answers > 0)
    weight = questions_drawn * (answers > 0)
    with np.errstate(invalid="ignore"):
        return percentiles((weight * (share - worth)).sum(axis=1) / weight.sum(axis=1))


def test_values_of_the_same_answers_are_drawn_together_and_each_as_by_itself():
    drawn = np.random.default_rng(1)
    people, items = np.repeat(np.arange(40), 6), np.tile(np.arange(6), 40)
    values = [drawn.integers(0, 2, 240), drawn.choice([0, 0.5, 1], 240), drawn.choice([1, 1 / 2, 1 / 3], 240)]
    together = two_way_bootstraps(values, people, items, drawn_by(np.random.default_rng(7), DRAWS))
    alone = [two_way_bootstraps([value], people, items, drawn_by(np.random.default_rng(7), DRAWS)) for value in values]
    assert together == [one for [one] in alone]
    in_turn = (np.random.default_rng(7) for _value in values)
    assert together == [
        pigeonhole(value, people, items, turn, turn) for value, turn in zip(values, in_turn, strict=True)
    ]


@pytest.mark.parametrize("numbers", [[], [5, 3, 5, 0], [10**9, 3, 10**9], [-2, 7, -2], [1.5, 0.5, 1.5]])
def test_numbers_of_names_have_the_positions_of_names(numbers):
    assert positions(numbers).tolist() == np.unique(numbers, return_inverse=True)[1].tolist()
