"""What a plan fixed, and the p-values of each family."""

import pytest

from study.domain.results.families import Family, PlannedContrasts, adjusted

PLAN = PlannedContrasts.of(
    {
        "primary_group": "crowd",
        "primary_against": "RoBERTa; bm25 ;",
        "primary_metric": "R@2",
        "primary_corpus": "movie",
        "margin": "6.5",
        "text": "Paired over questions.",
    }
)
P, C, E = Family.PRIMARY, Family.CONFIRMATORY, Family.EXPLORATORY


def test_the_plan_names_a_primary_contrast_and_further_ones_with_semicolons():
    assert PlannedContrasts("crowd", ("RoBERTa", "bm25"), "R@2", "movie", pytest.approx(0.065)) == PLAN


def test_each_name_of_the_plan_is_one_contrast_and_the_first_is_primary():
    assert [PLAN.family(name) for name in ("RoBERTa", "bm25", None)] == [P, C, E]
    assert PlannedContrasts.of({"primary_against": "bm25; BERT; BM25"}).against == ("bm25", "BERT")


def test_a_plan_without_a_group_has_no_contrast():
    empty = PlannedContrasts.of({"primary_group": "", "primary_against": "bm25", "margin": ""})
    assert (empty.corpus, empty.margin, empty.contrasts) == (None, None, ())
    assert PLAN.contrasts == PLAN.against


def test_holm_is_over_the_confirmatory_family_and_the_rest_has_its_own():
    worked = [0.001, 0.008, 0.020, 0.041, 0.30, 0.60]
    by_holm, by_rate = [0.006, 0.040, 0.080, 0.123, 0.600, 0.600], [0.006, 0.024, 0.040, 0.0615, 0.36, 0.60]
    assert adjusted([P, *[C] * 5], worked) == pytest.approx(by_holm)
    assert adjusted([E] * 6, worked) == pytest.approx(by_rate)
    mixed = [each for pair in zip([P, *[C] * 5], [E] * 6, strict=True) for each in pair]
    both = [each for pair in zip(by_holm, by_rate, strict=True) for each in pair]
    assert adjusted(mixed, [p for p in worked for _twice in range(2)]) == pytest.approx(both)


def test_a_comparison_without_a_p_is_in_no_family():
    assert adjusted([E, E, E], [0.02, None, 0.04]) == [pytest.approx(0.04), None, pytest.approx(0.04)]


def test_planned_contrasts_without_a_p_count_as_1_and_the_family_stays_as_large():
    assert adjusted([P, C, E], [0.01, None, 0.02], planned=4) == [pytest.approx(0.04), None, pytest.approx(0.02)]
    assert adjusted([C, C], [0.02, 0.01], planned=3) == pytest.approx([0.04, 0.03])


def test_each_family_says_how_its_p_values_are_adjusted():
    assert [family.adjustment for family in (P, C, E)] == ["holm", "holm", "benjamini-hochberg"]
