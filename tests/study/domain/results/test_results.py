"""Cells of answers: which figure is a share, the figures beside it, and invariances."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.statistics import MissingFigure, headline, two_way, wilson
from study.domain.results.answer_table import Answered, Table
from study.domain.results.labels import ResultPart, turns_class
from study.domain.results.metrics import Ranked
from study.domain.results.resamples import Resamples
from study.domain.results.results import ResultCell, cells_of

RANKS = st.sampled_from([Ranked(0, 0, 2, 5), Ranked(1, 0, 2, 5), Ranked(None, 0, 2, 5), Ranked(0, 0, 1, 5)])
ROWS = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from("1234"), RANKS, st.sampled_from(["", "movie", "ubuntu"])),
    min_size=1,
    max_size=16,
    unique_by=lambda row: row[:2],
)


def full(rank: int, candidates: int = 5) -> Ranked:
    return Ranked(rank - 1, 0, candidates, candidates)


def cell(answers: list[Answered], metric: str, **part: str) -> ResultCell:
    cells = cells_of(table := Table.of(answers), resample=Resamples(table, draws=200))
    [found] = [one for one in cells if one.part == ResultPart.of(part) and one.metric == metric]
    return found


def grid(ranks: list[list[Ranked]]) -> list[Answered]:
    return [
        Answered(f"p{person}", f"q{position}", ranked)
        for person, row in enumerate(ranks)
        for position, ranked in enumerate(row)
    ]


def answered(person: str, question: str, ranked: Ranked, corpus: str) -> Answered:
    return Answered(person, question, ranked, {"corpus": corpus})


def test_a_share_has_k_and_intervals_for_independent_answers_and_a_mean_has_not():
    answers = grid([[full(1), full(2), full(1)], [full(1), full(5), full(3)]])
    share, mean = cell(answers, "R@1"), cell(answers, "MRR")
    assert (share.k, share.n, share.p, share.is_share) == (3, 6, 0.5, True)
    assert share.independent("wilson") == wilson(3, 6)
    assert (mean.k, mean.starred(), mean.is_share) == (None, None, False)
    assert mean.independent("wilson") is None
    assert mean.p == pytest.approx((1 + 1 / 2 + 1 + 1 + 1 / 5 + 1 / 3) / 6)
    values, people = [1, 1 / 2, 1, 1, 1 / 5, 1 / 3], ["a"] * 3 + ["b"] * 3
    assert mean.headline == headline(two_way(values, people, [1, 2, 3] * 2, lowest=1 / 5))
    assert mean.headline.interval != mean.bootstrap


def test_the_range_of_a_reciprocal_rank_is_that_of_the_question_with_most_candidates():
    mixed = cell(grid([[full(1, 4), full(2, 10)], [full(4, 4), full(1, 10)]]), "MRR")
    assert mixed.found.lowest == pytest.approx(1 / 10)
    assert cell(grid([[full(1, 4), full(2, 10)], [full(4, 4), full(1, 10)]]), "R@1").found.lowest == 0


def test_recall_with_ties_is_a_mean():
    tied = cell(grid([[Ranked(0, 1, 4, 4), full(1, 4)], [full(1, 4), full(2, 4)]]), "R@1")
    assert (tied.p, tied.k, tied.is_share) == ((0.5 + 1 + 1 + 0) / 4, None, False)
    assert tied.headline == headline(two_way([0.5, 1, 1, 0], ["a", "a", "b", "b"], [1, 2, 1, 2]))


def test_answers_with_a_first_choice_alone_count_for_r1_only_and_their_number_is_told():
    answers = grid([[Ranked(0, 0, 1, 5), Ranked(1, 0, 2, 5)], [Ranked(0, 0, 2, 5), Ranked(None, 0, 2, 5)]])
    assert (cell(answers, "R@1").n, cell(answers, "R@1").left_out) == (4, 0)
    assert (cell(answers, "R@2").n, cell(answers, "R@2").k, cell(answers, "R@2").left_out) == (3, 2, 1)
    assert (cell(answers, "MRR@2").p, cell(answers, "MRR@2").left_out) == (pytest.approx(0.5), 1)
    assert (cell(answers, "MRR").n, cell(answers, "MRR").left_out) == (0, 4)
    assert cell(answers, "MRR").headline.why == MissingFigure.NO_ANSWERS


def test_cells_stand_for_all_and_for_each_corpus_group_form_and_length():
    answers = [
        Answered("a", "1", full(1), {"corpus": "movie", "group": "crowd", "form": "1", "turns": "<=2"}),
        Answered("b", "2", full(2), {"corpus": "ubuntu", "group": "lab", "form": "10", "turns": ">=6"}),
        Answered("b", "3", full(2), {"corpus": "ubuntu", "group": "lab", "form": "2"}),
    ]
    parts = [one.part for one in cells_of(Table.of(answers)) if one.metric == "R@1"]
    assert [dict(part.labels) for part in parts] == [
        {},
        {"corpus": "movie"},
        {"corpus": "ubuntu"},
        {"group": "crowd"},
        {"group": "lab"},
        {"form": "1"},
        {"form": "2"},
        {"form": "10"},
        {"turns": "<=2"},
        {"turns": ">=6"},
        {"corpus": "movie", "group": "crowd"},
        {"corpus": "movie", "group": "lab"},
        {"corpus": "ubuntu", "group": "crowd"},
        {"corpus": "ubuntu", "group": "lab"},
    ]
    assert cell(answers, "R@1", corpus="movie", group="lab").n == 0
    assert cell(answers, "R@1", turns=">=6").n == 1


@given(ROWS, st.randoms())
def test_neither_the_order_of_answers_nor_other_cells_change_a_cell(rows, random):
    answers = [answered(*row) for row in rows]
    shuffled = random.sample(answers, len(answers))
    one, other = (Table.of(given) for given in (answers, shuffled))
    assert cells_of(one, resample=Resamples(one, draws=20)) == cells_of(other, resample=Resamples(other, draws=20))
    alone = [row for row in answers if row.labels["corpus"] == "movie"]
    if alone:
        assert cell(answers, "MRR@2", corpus="movie") == cell(alone, "MRR@2", corpus="movie")


@given(ROWS)
def test_a_cell_is_as_large_as_what_it_is_made_of(rows):
    answers = [answered(*row) for row in rows]
    by_corpus = [cell(answers, "R@1", corpus=name).n for name in ("movie", "ubuntu") if any(r[3] == name for r in rows)]
    assert sum(by_corpus) + sum(row[3] == "" for row in rows) == cell(answers, "R@1").n == len(rows)


def test_a_study_without_answers_has_cells_without_figures():
    found = cells_of(Table.of([]))
    assert {one.metric for one in found} == {"R@1", "R@2", "MRR@2", "MRR"}
    for one in found:
        assert (one.n, one.p, one.k, one.headline.interval) == (0, None, None, None)


def test_contexts_fall_into_the_classes_of_the_mutual_study():
    assert [turns_class(turns) for turns in range(8)] == ["", "<=2", "<=2", "3", "4", "5", ">=6", ">=6"]


def test_where_all_answers_are_worth_the_same_no_resample_is_drawn():
    assert cell(grid([[full(1)] * 3] * 3), "R@1").bootstrap is None


def test_the_seed_changes_the_bootstrap_and_nothing_else():
    answers = grid([[full(1), full(2), full(1)], [full(1), full(5), full(3)], [full(4), full(1), full(1)]])
    table = Table.of(answers)
    first, again, other = (cells_of(table, resample=Resamples(table, seed))[0] for seed in (1, 1, 2))
    assert first == again
    assert replace(first, bootstrap=None) == replace(other, bootstrap=None)
    assert np.isfinite(first.bootstrap).all()
