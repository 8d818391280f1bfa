"""Agreement of experts, against hand calculations."""

import numpy as np
import pytest

from study.domain.results.experts import RankedQuestion, agreement_of


def generator(*names: str) -> np.random.Generator:
    return np.random.default_rng(0)


def asked(*rankings: tuple[int, ...], answer: int | None = 0, candidates: int = 4) -> RankedQuestion:
    return RankedQuestion(rankings, candidates, answer)


ALIKE = asked((0, 1, 2, 3), (0, 1, 2, 3), (0, 1, 2, 3))  # W 1
TASTE = asked((0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))  # sums 3, 9, 9, 9: S 27 of 45; the wrong lines cancel
WRONG = asked((1, 0, 2, 3), (1, 0, 2, 3), (1, 0, 2, 3))  # all chose the same other line


def test_w_is_the_mean_over_questions_with_and_without_the_true_line():
    found = agreement_of([ALIKE, TASTE], generator)
    assert found.w.value == pytest.approx((1 + 27 / 45) / 2)
    assert found.w_wrong.value == pytest.approx((1 + 0) / 2)
    assert found.by_w == [0, 0, 1, 0, 1]
    assert found.w.questions == 2


def test_how_many_were_right_is_counted_from_all_to_none():
    mixed = asked((0, 1, 2, 3), (1, 0, 2, 3), (2, 0, 1, 3))
    found = agreement_of([ALIKE, TASTE, WRONG, mixed], generator)
    assert found.right == [(3, 2), (2, 0), (1, 1), (0, 1)]
    assert found.same_wrong == 1


def test_pairs_are_compared_by_their_first_line_and_by_rank():
    found = agreement_of([ALIKE, asked((0, 1, 2, 3), (1, 0, 2, 3), (0, 1, 2, 3))], generator)
    assert [(pair.experts, pair.same_first) for pair in found.pairs] == [((0, 1), 1), ((0, 2), 2), ((1, 2), 1)]
    assert found.pairs[0].rho.value == pytest.approx((1 + 0.8) / 2)  # 1 - 6 · 2 / (4 · 15)


def test_candidates_without_a_rank_are_tied_behind_all_others():
    assert agreement_of([asked((0, 1), (0, 1))], generator).w.value == pytest.approx(1)
    partial, whole = asked((0,), (0, 1, 2, 3)), asked((0, 2, 3, 1), (0, 1, 2, 3))
    assert agreement_of([partial], generator).w.value > agreement_of([whole], generator).w.value


def test_without_variance_there_is_no_interval():
    found = agreement_of([ALIKE, ALIKE], generator)
    assert (found.w.value, found.w.interval) == (pytest.approx(1), None)
    assert agreement_of([ALIKE, TASTE, WRONG], generator).w.interval is not None


def test_questions_without_a_known_answer_count_for_w_alone():
    found = agreement_of([asked((0, 1, 2, 3), (0, 1, 2, 3), answer=None)], generator)
    assert (found.w.value, found.w_wrong.value) == (pytest.approx(1), None)
    assert found.right == [(2, 0), (1, 0), (0, 0)]
