"""What a guideline must have, what a new version must keep, and how its rows are edited."""

import pytest

from annotation.domain.rating.guideline import bare_guideline, complete, in_language, study_guideline
from annotation.domain.rating.guideline_edits import edited
from annotation.domain.rating.guideline_rules import MOST_TYPES, flaws, must_keep_types, scale_of, settled
from annotation.domain.rating.rating import check_reason, reasons_for
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
