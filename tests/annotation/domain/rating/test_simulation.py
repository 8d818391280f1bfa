from collections import Counter
from itertools import combinations
from random import Random
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.domain.rating.rating import Scale, check_reason, default_guideline, reasons_for
from annotation.domain.rating.simulation import SimulatedAnnotators, kept_kappa, latent_kinds

STUDY_SCALE = Scale(1, 5)
ITEMS = 20_000
PAIRS = list(combinations(["amy", "bo", "chen", "dai"], 2))


def simulated_pairs(seed, scale, kappa):
    """The grades of two of four annotators for every item, the couples taking turns."""
    raters = SimulatedAnnotators(seed, scale, kappa)
    couples = [PAIRS[number % len(PAIRS)] for number in range(ITEMS)]
    return [(raters.grade(f"item {n}", a), raters.grade(f"item {n}", b)) for n, (a, b) in enumerate(couples)]


def scotts_pi(pairs):
    observed = fmean(a == b for a, b in pairs)
    counts = Counter(grade for pair in pairs for grade in pair)
    expected = sum((count / (2 * len(pairs))) ** 2 for count in counts.values())
    return (observed - expected) / (1 - expected)


@pytest.mark.parametrize(
    "scale", [STUDY_SCALE, pytest.param(Scale(-2, 2), marks=pytest.mark.slow), Scale(0, 10)], ids=str
)
@pytest.mark.parametrize(
    "target", [0.2, *(pytest.param(target, marks=pytest.mark.slow) for target in (0.6, 0.7, 0.9)), 0.8, 1.0]
)
def test_the_filter_removes_the_study_s_share_and_leaves_the_kappa_asked_for(scale, target):
    pairs = simulated_pairs(1, scale, target)
    kept = [(a, b) for a, b in pairs if abs(a - b) <= 1]
    # Standard errors over 20,000 items: 0.003 for the share, at most 0.009 for kappa.
    assert 1 - len(kept) / ITEMS == pytest.approx(23_815 / 105_825, abs=0.012)
    assert scotts_pi(kept) == pytest.approx(target, abs=0.03)


def test_without_options_the_figures_are_the_study_s():
    raters = SimulatedAnnotators(seed=2, scale=STUDY_SCALE)
    pairs = [(raters.grade(str(item), "amy"), raters.grade(str(item), "bo")) for item in range(ITEMS)]
    kept = [(a, b) for a, b in pairs if abs(a - b) <= 1]
    means = [(a + b) / 2 for a, b in kept]
    assert 1 - len(kept) / ITEMS == pytest.approx(0.225, abs=0.012)
    assert scotts_pi(kept) == pytest.approx(0.8, abs=0.02)
    assert scotts_pi(pairs) < 0.6
    # Standard errors: 0.004.
    assert fmean(mean <= 2.5 for mean in means) == pytest.approx(0.350, abs=0.02)
    assert fmean(2.5 <= mean <= 3.5 for mean in means) == pytest.approx(0.489, abs=0.02)


def test_a_kappa_the_filter_cannot_leave_is_approached_as_far_as_it_goes():
    kept = [(a, b) for a, b in simulated_pairs(3, STUDY_SCALE, 0.0) if abs(a - b) <= 1]
    assert scotts_pi(kept) == pytest.approx(0.06, abs=0.03)


@pytest.mark.parametrize("target", [0.0, 0.5, 0.8])
def test_two_grades_agree_as_asked_though_no_gap_is_wide(target):
    pairs = simulated_pairs(4, Scale(0, 1), target)
    assert scotts_pi(pairs) == pytest.approx(target, abs=0.03)
    assert fmean(grade for pair in pairs for grade in pair) == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize("scale", [Scale(0, 1), Scale(1, 3), Scale(1, 4), STUDY_SCALE, Scale(0, 20)], ids=str)
def test_kappa_falls_from_1_as_items_become_torn(scale):
    kappas = [kept_kappa(latent_kinds(scale, torn / 20), scale) for torn in range(21)]
    assert kappas[0] == pytest.approx(1)
    assert kappas == sorted(kappas, reverse=True)
    assert all(sum(kind.share for kind in latent_kinds(scale, torn)) == pytest.approx(1) for torn in (0, 0.3, 1))


@settings(max_examples=30)
@given(st.integers(), st.integers(-10, 10), st.integers(1, 20), st.floats(0, 1), st.text(), st.text())
def test_grades_stay_inside_the_scale_and_are_the_same_each_time(seed, lowest, width, kappa, item, annotator):
    scale = Scale(lowest, lowest + width)
    grade = SimulatedAnnotators(seed, scale, kappa).grade(item, annotator)
    assert grade in scale
    assert SimulatedAnnotators(seed, scale, kappa).grade(item, annotator) == grade


def test_bots_may_work_in_any_order():
    work = [(str(item), annotator) for item in range(300) for annotator in ("amy", "bo", "chen")]
    shuffled = Random(6).sample(work, len(work))
    first, second = SimulatedAnnotators(7, STUDY_SCALE), SimulatedAnnotators(7, STUDY_SCALE)
    assert {assignment: first.grade(*assignment) for assignment in work} == {
        assignment: second.grade(*assignment) for assignment in shuffled
    }


def test_another_seed_gives_other_grades():
    one, other = SimulatedAnnotators(1, STUDY_SCALE), SimulatedAnnotators(2, STUDY_SCALE)
    assert any(one.grade(str(item), "amy") != other.grade(str(item), "amy") for item in range(50))


def test_every_grade_comes_with_a_reason_that_it_allows_and_each_reason_occurs():
    guideline, raters = default_guideline(STUDY_SCALE), SimulatedAnnotators(8, STUDY_SCALE)
    rated = [(raters.grade(str(item), "bo"), raters.reason(str(item), "bo", guideline)) for item in range(2_000)]
    for grade, reason in rated:
        check_reason(guideline, grade, reason)
    asked = {(grade, kind["key"]) for grade in STUDY_SCALE.grades for kind in reasons_for(guideline, grade)}
    assert {(grade, reason) for grade, reason in rated if reason} == asked


@pytest.mark.parametrize("kappa", [-0.1, 1.1, float("nan")])
def test_a_kappa_outside_0_to_1_is_refused(kappa):
    with pytest.raises(ValueError, match="from 0 to 1"):
        SimulatedAnnotators(0, STUDY_SCALE, kappa)


@pytest.mark.parametrize("scale", [STUDY_SCALE, Scale(0, 1), Scale(0, 10)], ids=str)
def test_gold_is_graded_as_known_or_beside_it_and_seldom_far_off(scale):
    raters = SimulatedAnnotators(9, scale)
    known = [scale.grades[number % len(scale.grades)] for number in range(ITEMS)]
    given = [raters.grade_of_gold(f"gold {number}", "bo", grade, 1) for number, grade in enumerate(known)]
    assert all(grade in scale for grade in given)
    gaps = [abs(one - other) for one, other in zip(known, given, strict=True)]
    # Standard errors over 20,000 pairs: 0.003 and 0.001.
    assert fmean(gap == 0 for gap in gaps) == pytest.approx(0.8, abs=0.01)
    assert fmean(gap > 1 for gap in gaps) == pytest.approx(0 if len(scale.grades) == 2 else 0.02, abs=0.004)


def test_a_second_meeting_with_gold_is_another_grade():
    raters = SimulatedAnnotators(10, STUDY_SCALE)
    meetings = [[raters.grade_of_gold(str(item), "bo", 3, meeting) for item in range(200)] for meeting in (1, 2, 1)]
    assert meetings[0] == meetings[2] != meetings[1]
