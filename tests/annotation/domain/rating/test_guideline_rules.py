"""What a guideline must have, what a new version must keep, and how its rows are edited."""

import pytest

from annotation.domain.rating.guideline import bare_guideline, complete, in_language, study_guideline
from annotation.domain.rating.guideline_changes import changes, texts_before
from annotation.domain.rating.guideline_edits import edited, with_types_of
from annotation.domain.rating.guideline_rules import MOST_TYPES, excess, flaws, must_keep_types, scale_of, settled
from annotation.domain.rating.rating import check_reason, reasons_for
from annotation.domain.rating.reading import reading_time
from core.domain.wording import ChoiceError


def english(*grades: int):
    return in_language(bare_guideline(grades), "en")


def found(guideline) -> list[tuple[str, str]]:
    return [(flaw.place, flaw.code) for flaw in flaws(guideline, "en")]


def test_the_first_guidelines_have_no_flaws():
    assert found(english(0, 1, 2, 3)) == []
    assert flaws(study_guideline(), "both") == []


@pytest.mark.parametrize(
    ("grades", "expected"),
    [
        ([], [("", "grades_count")]),
        ([1], [("", "grades_count")]),
        ([0, 0], [("g1-grade", "grade_twice")]),
        ([1, 2, 4], [("g2-grade", "grade_missing")]),
        (list(range(22)), [("", "grades_count")]),
    ],
)
def test_a_scale_has_2_to_21_grades_that_go_up_by_one(grades, expected):
    guideline = english(0, 1)
    guideline["grades"] = [
        {**guideline["grades"][0], "grade": grade, "name": {"zh": "", "en": f"name {row}"}}
        for row, grade in enumerate(grades)
    ]
    assert found(guideline) == expected


def test_names_are_wanted_and_different_among_grades_and_within_a_grade():
    guideline = english(1, 2, 3)
    guideline["grades"][0]["name"]["en"] = ""
    guideline["grades"][2]["name"]["en"] = "Grade 2"
    guideline["grades"][1]["types"] = [
        {"key": key, "name": {"zh": "", "en": "vague"}, "example": {"zh": "", "en": ""}, "is_retired": False}
        for key in "ab"
    ]
    guideline["grades"][2]["types"] = guideline["grades"][1]["types"][:1]  # of another grade: no flaw
    assert found(guideline) == [
        ("g0-name-en", "name_missing"),
        ("g1-t1-name-en", "name_twice"),
        ("g2-name-en", "name_twice"),
    ]


def test_a_grade_has_as_many_types_as_keys():
    guideline = english(1, 2)
    for _type in range(MOST_TYPES + 1):
        guideline = edited(guideline, "add-g0")
    for number, kind in enumerate(guideline["grades"][0]["types"]):
        kind["name"]["en"] = f"type {number}"
    assert found(guideline) == [("g0-types", "types_count")]


@pytest.mark.parametrize(
    ("edit", "grades"),
    [
        ("add-lower", [-1, 0, 1, 2]),
        ("add-higher", [0, 1, 2, 3]),
        ("drop-lower", [1, 2]),
        ("drop-higher", [0, 1]),
        ("drop-g9-t0", [0, 1, 2]),
        ("<script>", [0, 1, 2]),
    ],
)
def test_grades_are_added_and_removed_at_the_ends(edit, grades):
    before = english(0, 1, 2)
    assert [guide["grade"] for guide in edited(before, edit)["grades"]] == grades
    assert before == english(0, 1, 2)


def types_of(guideline, row: int) -> list[str]:
    return [kind["key"] for kind in guideline["grades"][row]["types"]]


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        ("up-g4-t1", ["interesting", "informative", "new_topic"]),
        ("down-g4-t1", ["informative", "new_topic", "interesting"]),
        ("up-g4-t0", ["informative", "interesting", "new_topic"]),
        ("down-g4-t2", ["informative", "interesting", "new_topic"]),
        ("up-g4-t9", ["informative", "interesting", "new_topic"]),
        ("up-g4", ["informative", "interesting", "new_topic"]),
        ("drop-g4-t1", ["informative", "new_topic"]),
    ],
)
def test_a_type_moves_within_its_grade_and_not_beyond_its_ends(edit, expected):
    assert types_of(edited(study_guideline(), edit), 4) == expected


def test_a_type_that_moved_is_a_change_of_the_order_and_of_no_text():
    [change] = changes(study_guideline(), edited(study_guideline(), "up-g4-t1"))
    assert (change.kind, change.grade) == ("order", 5)
    assert change.before == "informative, interesting, opens a new topic"
    assert change.after == "interesting, informative, opens a new topic"


def test_the_texts_before_are_found_wherever_a_type_stands_now():
    after = edited(edited(edited(study_guideline(), "up-g4-t1"), "add-g4"), "add-higher")
    was = texts_before(study_guideline(), after)
    assert (was["g4-t0-name-en"], was["g4-t1-name-en"]) == ("interesting", "informative")
    assert (was["g4-t3-name-en"], was["g5-name-en"]) == (None, None)
    assert was["prose-en"] == ""


def test_what_began_from_an_older_version_gets_the_types_of_the_newer_one():
    newer, own = study_guideline(), edited(study_guideline(), "drop-g2-t1")
    assert types_of(with_types_of(newer, own), 2) == types_of(newer, 2)
    assert with_types_of(newer, newer) == newer


def test_a_draft_may_lack_anything_and_have_nothing_too_much():
    incomplete = english(0)
    incomplete["grades"][0]["name"]["en"] = ""
    assert excess(incomplete, "en") == []
    assert [flaw.code for flaw in excess(english(*range(22)), "en")] == ["grades_count"]
    incomplete["prose"]["en"] = "x" * 10_001
    assert [flaw.place for flaw in excess(incomplete, "en")] == ["prose-en"]
    for _type in range(MOST_TYPES + 1):
        incomplete = edited(incomplete, "add-g0")
    assert {flaw.code for flaw in excess(incomplete, "en")} == {"too_long", "types_count"}


@pytest.mark.parametrize(
    ("text", "language", "count", "seconds"),
    [
        ("Read slowly, please.", "en", 3, 1),
        ("word " * 50, "en", 50, 15),
        ("先读问题，再读回复。", "zh", 8, 2),
        ("字" * 300, "zh", 300, 60),
        ("", "en", 0, 0),
    ],
)
def test_a_text_is_read_at_200_words_or_300_characters_a_minute(text, language, count, seconds):
    time = reading_time(text, language)
    assert (time.count, time.seconds) == (count, seconds)


def test_a_type_that_grades_may_name_stays_with_its_grade():
    before = study_guideline()
    must_keep_types(before, edited(before, "add-g4"))
    with pytest.raises(ChoiceError, match="“versatile, fits anything” of grade 3 stays"):
        must_keep_types(before, edited(before, "drop-g2-t1"))
    moved = study_guideline()
    moved["grades"][3]["types"].append(moved["grades"][2]["types"].pop())
    with pytest.raises(ChoiceError, match="of grade 3 stays"):
        must_keep_types(before, moved)


def test_new_types_get_keys_of_their_own_and_grades_are_put_in_order():
    guideline = english(1, 2)
    for name in ("Off the point!", "off the point", "跑题"):
        guideline = edited(guideline, "add-g0")
        guideline["grades"][0]["types"][-1]["name"]["en"] = name
    guideline["grades"].reverse()
    stored = settled(guideline, lambda name: name.replace("跑题", "pao ti"))
    assert [guide["grade"] for guide in stored["grades"]] == [1, 2]
    assert [kind["key"] for kind in stored["grades"][0]["types"]] == ["off_the_point", "off_the_point_2", "pao_ti"]
    assert str(scale_of(stored)) == "1..2"


def test_a_retired_type_is_not_offered_and_still_taken():
    guideline = study_guideline()
    guideline["grades"][4]["types"][0]["is_retired"] = True
    assert [kind["key"] for kind in reasons_for(guideline, 5)] == ["interesting", "new_topic"]
    check_reason(guideline, 5, "informative")
    guideline["grades"][4]["types"][1]["is_retired"] = True
    assert reasons_for(guideline, 5) == []  # one alone explains nothing
    check_reason(guideline, 5, None)


def test_a_version_from_before_is_read_with_empty_parts():
    words = {"zh": "差", "en": "bad"}
    kind = {"key": "a", "name": words, "example": words}
    old = {"prompt": None, "grades": [{"grade": 1, "name": words, "types": [kind]}]}
    read = complete(old)
    assert read["prose"] == read["prompt"] == read["grades"][0]["meaning"] == {"zh": "", "en": ""}
    assert read["grades"][0]["types"] == [{**kind, "is_retired": False}]
    assert complete(read) == read
