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


@pytest.mark.parametrize(
    ("corpus", "group", "names", "family"),
    [
        ("movie", "crowd", ["roberta", ""], P),
        ("movie", "crowd", ["v2", "BM25"], C),
        ("movie", "crowd", ["bert", ""], E),
        ("movie", "lab", ["roberta"], E),
        ("movie", None, ["roberta"], E),
        (None, "crowd", ["roberta"], E),
        ("ubuntu", "crowd", ["roberta"], E),
    ],
)
def test_only_what_the_plan_names_is_confirmatory(corpus, group, names, family):
    assert PLAN.family(corpus, group, names) == family


def test_a_plan_without_a_contrast_leaves_everything_exploratory():
    empty = PlannedContrasts.of({"primary_group": "", "primary_against": "", "margin": ""})
    assert (empty.corpus, empty.margin, empty.family(None, None, [""])) == (None, None, E)
    assert PlannedContrasts.of({}).family(None, "", [""]) == E


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


def test_each_family_says_how_its_p_values_are_adjusted():
    assert [family.adjustment for family in (P, C, E)] == ["holm", "holm", "benjamini-hochberg"]
