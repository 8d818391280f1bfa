"""Two models on the same instances, against the worked values of METHODS and of publications."""

import numpy as np
import pytest

from study.domain.results.paired import (
    FourfoldTable,
    instances_needed,
    mcnemar,
    newcombe_paired,
    paired_difference,
    sign_flip_p,
    smallest_difference,
)

WORKED = FourfoldTable(20, 9, 3, 8)


def values(table: FourfoldTable) -> tuple[list[float], list[float]]:
    cells = [(1, 1)] * table.both + [(1, 0)] * table.first + [(0, 1)] * table.second + [(0, 0)] * table.neither
    return [float(one) for one, _other in cells], [float(other) for _one, other in cells]


def test_the_worked_example_of_two_models_that_are_right_or_wrong():
    found = paired_difference(*values(WORKED))
    assert (found.mean, found.table) == (pytest.approx(0.15), WORKED)
    assert (found.p, found.mid_p) == (pytest.approx(0.14599609375), pytest.approx(0.09228515625))
    assert found.interval == (pytest.approx(-0.02135, abs=5e-6), pytest.approx(0.30889, abs=5e-6))


def test_two_models_that_never_differ_have_no_evidence_of_a_difference():
    assert mcnemar(0, 0) == (1, 1)
    low, high = newcombe_paired(FourfoldTable(5, 0, 0, 5))
    assert low <= 0 <= high


def test_swapping_the_models_turns_the_difference_around():
    first, second = values(WORKED)
    one, other = paired_difference(first, second), paired_difference(second, first)
    assert (one.mean, one.p) == (-other.mean, other.p)
    assert one.interval == pytest.approx([-end for end in reversed(other.interval or ())])


def test_where_answers_are_worth_parts_signs_are_flipped():
    # METHODS' eight people against the model 1110101010: differences of the ten questions, mean .125, exact p .41015625
    right = [6, 7, 7, 4, 7, 5, 7, 4, 5, 6]
    people, model = [count / 8 for count in right], [1.0, 1, 1, 0, 1, 0, 1, 0, 1, 0]
    found = paired_difference(people, model)
    assert found.mean == pytest.approx(0.125)
    assert found.p == pytest.approx(0.41015625)
    assert found.table is None
    assert found.interval is not None
    assert found.interval[0] < 0.125 < found.interval[1]


def test_many_differences_are_flipped_by_draws_to_about_the_exact_p():
    differences = [1.0] * 9 + [-1.0] * 4  # 13 of them: one more than are counted exactly; the sign test gives .2668
    assert sign_flip_p(differences, np.random.default_rng(0)) == pytest.approx(0.2668, abs=0.02)


def test_what_a_set_can_tell_agrees_with_the_table_of_needed_instances():
    assert instances_needed(0.1, 0.3) == pytest.approx(234, abs=1)  # METHODS 5: discordant shares .20 and .10
    assert smallest_difference(234, 0.3) == pytest.approx(0.1, abs=0.001)
    assert smallest_difference(886, 0.12) == pytest.approx(0.033, abs=0.0005)
    assert smallest_difference(5, 0.2) == 0.2
    assert smallest_difference(10, 0) == 0
    assert instances_needed(0, 0.3) is None
