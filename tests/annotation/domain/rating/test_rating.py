import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.rating.rating import PairOutcome, RatingSettings, Scale, final_grade, gap, outcome

scales = st.tuples(st.integers(-30, 30), st.integers(1, 20)).map(lambda ends: Scale(ends[0], ends[0] + ends[1]))


@given(scales)
def test_a_scale_is_read_back_from_how_it_is_written(scale):
    assert Scale.parse(str(scale)) == scale


@pytest.mark.parametrize(
    ("text", "grades"),
    [("1..5", (1, 2, 3, 4, 5)), ("-2..2", (-2, -1, 0, 1, 2)), (" 0..1 ", (0, 1)), ("-5..-3", (-5, -4, -3))],
)
def test_a_scale_is_written_lowest_to_highest(text, grades):
    assert Scale.parse(text).grades == grades


@pytest.mark.parametrize("text", ["", "5", "1-5", "1...5", "a..b", "1..5..9", "1.5..3", "１..５", "1.." + "9" * 5000])
def test_what_is_no_scale_is_refused_with_an_example(text):
    with pytest.raises(ValueError, match=r"lowest\.\.highest, for example 1\.\.5"):
        Scale.parse(text)


@pytest.mark.parametrize("text", ["5..1", "3..3", "0..21", "1..100"])
def test_a_scale_has_from_2_to_21_grades(text):
    with pytest.raises(ValueError, match="2 to 21 grades"):
        Scale.parse(text)
    assert len(Scale.parse("0..20").grades) == 21


@pytest.mark.parametrize(
    ("grade", "inside"),
    [(1, True), (5, True), (0, False), (6, False), (True, False), (3.0, False), ("3", False), (None, False)],
)
def test_only_whole_numbers_within_its_ends_are_on_the_scale(grade, inside):
    assert (grade in Scale(1, 5)) is inside


def test_the_defaults_are_the_study_s():
    assert RatingSettings().as_mapping() == {
        "grades": "1..5",
        "raters": 2,
        "gap": 1,
        "lease_minutes": 30,
        "per_day": 120,
        "adjudicate": False,
        "show_source": False,
        "show_topic": False,
        "show_missed": False,
        "language": "both",
        "practice": 0,
        "practice_accuracy": 60,
        "practice_kappa": 60,
        "attempts": 3,
        "gold_first": 0,
        "gold_lowest": 2,
        "gold_half": 200,
        "gold_window": 10,
        "gold_misses": 4,
    }


def test_settings_are_read_from_the_strings_of_the_command_line():
    settings = RatingSettings.from_mapping({"grades": "-2..2", "raters": "19"})
    assert settings == RatingSettings(grades=Scale(-2, 2), raters=19)


@given(
    st.builds(
        RatingSettings,
        grades=scales,
        raters=st.integers(1, 50),
        gap=st.integers(0, 20),
        lease_minutes=st.integers(1, 1440),
        per_day=st.integers(1, 10_000),
    )
)
def test_settings_survive_json(settings):
    assert RatingSettings.from_mapping(json.loads(json.dumps(settings.as_mapping()))) == settings


def test_an_unknown_setting_is_answered_with_the_known_ones():
    with pytest.raises(ValueError, match=r"“rater” is not a setting.*grades, raters, gap, lease_minutes, per_day"):
        RatingSettings.from_mapping({"rater": 2})


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("raters", 0, "from 1 to 50"),
        ("raters", "51", "from 1 to 50"),
        ("raters", True, "from 1 to 50"),
        ("raters", 2.0, "from 1 to 50"),
        ("raters", None, "from 1 to 50"),
        ("raters", [2], "from 1 to 50"),
        ("raters", "two", "from 1 to 50"),
        ("gap", "-1", "from 0 to 20"),
        ("lease_minutes", 0, "from 1 to 1440"),
        ("per_day", "1e3", "from 1 to 10000"),
        ("grades", None, "for example 1..5"),
        ("grades", 5, "for example 1..5"),
    ],
)
def test_a_wrong_value_is_answered_with_what_is_allowed(name, value, allowed):
    with pytest.raises(ValueError, match=allowed):
        RatingSettings.from_mapping({name: value})


@pytest.mark.parametrize(
    ("grades", "expected"),
    [
        ([], PairOutcome.OPEN),
        ([3], PairOutcome.OPEN),
        ([3, 3], PairOutcome.KEPT),
        ([4, 3], PairOutcome.KEPT),
        ([2, 4], PairOutcome.REMOVED),
        ([1, 5], PairOutcome.REMOVED),
        ([2, 3, 2], PairOutcome.KEPT),
        ([2, 3, 4], PairOutcome.REMOVED),
    ],
)
def test_two_grades_at_most_one_apart_are_kept_as_in_the_study(grades, expected):
    assert outcome(grades, RatingSettings()) is expected


def test_a_project_may_ask_for_more_annotators_and_a_wider_gap():
    settings = RatingSettings(raters=3, gap=2)
    assert outcome([1, 3], settings) is PairOutcome.OPEN
    assert outcome([1, 3, 2], settings) is PairOutcome.KEPT
    assert outcome([1, 4, 2], settings) is PairOutcome.REMOVED


@given(st.lists(st.integers(-10, 10), min_size=1, max_size=19))
def test_the_order_of_grades_changes_neither_gap_nor_final_grade(grades):
    turned = grades[::-1]
    assert gap(turned) == gap(grades) == max(abs(a - b) for a in grades for b in grades)
    assert final_grade(turned) == final_grade(grades)


def test_the_final_grade_is_the_mean():
    assert (final_grade([2, 3]), final_grade([4, 4]), final_grade([-1, 1])) == (2.5, 4.0, 0.0)


@pytest.mark.parametrize("figure", [gap, final_grade])
def test_without_grades_there_is_no_figure(figure):
    with pytest.raises(ValueError, match="Without grades"):
        figure([])


@pytest.mark.parametrize(
    ("grades", "decision", "becomes"),
    [
        ((1,), PairOutcome.KEPT, PairOutcome.OPEN),
        ((3, 4), None, PairOutcome.KEPT),
        ((3, 4), PairOutcome.REMOVED, PairOutcome.KEPT),  # equal grades need no adjudicator
        ((1, 5), None, PairOutcome.DISPUTED),
        ((1, 5), PairOutcome.KEPT, PairOutcome.KEPT),
        ((1, 5), PairOutcome.REMOVED, PairOutcome.REMOVED),
    ],
)
def test_a_third_person_decides_where_the_grades_lie_too_far_apart(grades, decision, becomes):
    assert outcome(grades, RatingSettings(adjudicate=True), decision) == becomes


def test_a_decision_holds_after_nobody_is_asked_any_more():
    assert outcome((1, 5), RatingSettings(), PairOutcome.KEPT) == PairOutcome.KEPT
    assert outcome((1, 5), RatingSettings()) == PairOutcome.REMOVED


def test_the_final_grade_is_that_of_the_third_person_where_there_is_one():
    assert (final_grade((1, 4)), final_grade((1, 4), 5), final_grade((1, 4), 0)) == (2.5, 5.0, 0.0)
