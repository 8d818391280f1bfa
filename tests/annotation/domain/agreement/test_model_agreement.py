"""A model beside people, against scikit-learn's kappa and against the definition written out item by item."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from annotation.domain.agreement import ModelAgreement, grade_patterns, model_agreement, pairs_of_raters
from annotation.domain.agreement.model_agreement import Verdict

A = [int(grade) for grade in "11122233344455512345"]
B = [int(grade) for grade in "11222333444555413325"]  # METHODS 4: two raters, 20 items
MODEL = -1
SCALE = range(1, 6)

Columns = dict[int, list[int | None]]  # by rater: a grade or None for each item


def beside(columns: Columns, *, units: list[int] | None = None, draws: int = 200) -> ModelAgreement:
    rows = [(n, rater, grade) for rater, given in columns.items() for n, grade in enumerate(given) if grade]
    items, raters, grades = (list(column) for column in zip(*rows, strict=True))
    of_units = [units[item] for item in items] if units else None
    patterns = grade_patterns(items, raters, grades, SCALE, of_units)
    return model_agreement(patterns, MODEL, draws, np.random.default_rng(0))


def quadratic(one: list[int], other: list[int]) -> float:
    return cohen_kappa_score(one, other, weights="quadratic", labels=list(SCALE))


def with_mean(model: list[int], people: list[list[int]]) -> float:
    """Squared differences seen over those of every two items, as 1 less their ratio."""
    own, mean = np.array(model, dtype=float), np.array([np.mean(grades) for grades in people])
    seen = ((own - mean) ** 2).sum() * len(own)
    return 1 - seen / ((own[:, None] - mean) ** 2).sum()


def test_with_two_people_a_place_is_the_kappa_with_the_other_one():
    model = [int(grade) for grade in "22122333444455523345"]
    found = beside({0: A, 1: B, MODEL: model})
    first, second = found.places
    assert (first.rater, first.n, second.rater, found.n, found.shared) == (0, 20, 1, 20, 20)
    assert first.person.value == second.person.value == pytest.approx(0.868421, abs=5e-7)  # METHODS 4
    assert first.model.value == pytest.approx(quadratic(model, B))
    assert second.model.value == pytest.approx(quadratic(model, A))
    assert first.difference.value == pytest.approx(quadratic(model, B) - quadratic(A, B))
    assert [each.kappa_quadratic.value for each in found.each] == pytest.approx(
        [quadratic(model, A), quadratic(model, B)]
    )
    assert found.people.value == pytest.approx(0.868248, abs=5e-7)  # METHODS 4, pooled
    assert found.mean.value == pytest.approx(with_mean(model, [list(both) for both in zip(A, B, strict=True)]))


def test_a_model_with_the_grades_of_a_person_is_as_good_in_that_place():
    found = beside({0: A, 1: B, MODEL: A})
    first, second = found.places
    assert first.difference.value == 0 and first.verdict == Verdict.UNCLEAR
    assert second.model.value == found.each[0].kappa_quadratic.value == 1.0  # it agrees with its own double


def test_a_contrary_model_is_clearly_less_and_a_better_one_clearly_more():
    truth = A * 6
    noisy = [grade % 5 + 1 if n % 3 == 0 else grade for n, grade in enumerate(truth)]
    contrary = beside({0: truth, 1: noisy, MODEL: [6 - grade for grade in truth]})
    assert [place.verdict for place in contrary.places] == [Verdict.LESS] * 2
    better = beside({0: noisy, 1: truth, 2: truth, MODEL: truth})
    assert better.places[0].verdict == Verdict.MORE


def test_partners_weigh_an_item_once_however_many_they_are():
    """Person 0 graded five items: one with two partners, four with one."""
    columns: Columns = {
        0: [1, 2, 3, 4, 5, None],
        1: [1, 2, 2, 4, 4, 3],
        2: [3, None, None, None, None, 3],
        MODEL: [2, 2, 3, 5, 4, 3],
    }
    place = beside(columns).places[0]
    partners = [[1, 3], [2], [2], [4], [4]]
    assert place.n == 5
    for figure, own in ((place.person, [1, 2, 3, 4, 5]), (place.model, [2, 2, 3, 5, 4])):
        rows = [(g, p, 1 / len(some)) for g, some in zip(own, partners, strict=True) for p in some]
        seen = sum(weight * (g - p) ** 2 for g, p, weight in rows) * 5
        expected = sum(w * v * (g - p) ** 2 for g, _p, w in rows for _g, p, v in rows)
        assert figure.value == pytest.approx(1 - seen / expected)


def test_pairs_of_one_person_count_with_that_person_and_in_no_place():
    columns: Columns = {0: [1, 2, 3, 4], 1: [1, 2, None, None], 2: [None, None, None, 5], MODEL: [1, 3, 3, 4]}
    found = beside(columns)
    assert (found.n, found.shared) == (4, 3)
    assert [(place.rater, place.n) for place in found.places] == [(0, 3), (1, 2), (2, 1)]
    assert [(each.rater, each.n) for each in found.each] == [(0, 4), (1, 2), (2, 1)]
    alone = beside({0: [1, 2, 3], MODEL: [1, 3, 3]})
    assert (alone.shared, alone.places, alone.mean.value) == (0, [], None)
    assert alone.each[0].kappa_quadratic.value == pytest.approx(quadratic([1, 2, 3], [1, 3, 3]))


def test_prompts_are_resampled_whole():
    columns: Columns = {0: A * 4, 1: B * 4, MODEL: [min(5, grade + n % 2) for n, grade in enumerate(A * 4)]}
    apart = beside(columns, units=list(range(80)))
    together = beside(columns, units=[n % 20 for n in range(80)])
    assert (apart.units, together.units) == (80, 20)
    assert apart.mean.value == together.mean.value

    def width(found: ModelAgreement) -> float:
        low, high = found.mean.interval
        return high - low

    assert width(together) > width(apart)


@given(st.lists(st.tuples(*[st.integers(1, 5)] * 4), min_size=3, max_size=30))
def test_the_model_is_as_one_more_rater_of_three(rows):
    """Against the pair of raters that the model and a person make in the figures of people."""
    one, two, three, model = (list(column) for column in zip(*rows, strict=True))
    found = beside({0: one, 1: two, 2: three, MODEL: model}, draws=20)
    flat = [(n, rater, grade) for n, row in enumerate(rows) for rater, grade in zip((0, 1, 2, MODEL), row, strict=True)]
    pairs = pairs_of_raters(grade_patterns(*map(list, zip(*flat, strict=True)), SCALE))
    of_model = {pair.raters[1]: pair.kappa_quadratic.value for pair in pairs if pair.raters[0] == MODEL}
    assert {each.rater: each.kappa_quadratic.value for each in found.each} == of_model
    if found.mean.value is not None:
        assert found.mean.value == pytest.approx(with_mean(model, [list(row[:3]) for row in rows]))


def test_what_is_undefined_is_said_and_never_1():
    found = beside({0: [3] * 5, 1: [3] * 5, MODEL: [3] * 5})
    [first, _second] = found.places
    assert [first.model.value, first.difference.value, found.mean.value] == [None, None, None]
    assert first.model.why is not None and first.verdict == Verdict.UNCLEAR
