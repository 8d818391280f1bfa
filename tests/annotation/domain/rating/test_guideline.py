import json
import re

import pytest

from annotation.domain.rating.rating import (
    ReasonMissing,
    ReasonNotAsked,
    Scale,
    check_reason,
    default_guideline,
    reasons_for,
)

STUDY = default_guideline(Scale(1, 5))


def keys(grade, guideline=STUDY):
    return [kind["key"] for kind in reasons_for(guideline, grade)]


def test_the_study_s_grades_have_their_names_in_both_languages():
    assert [(guide["grade"], guide["name"]["en"], guide["name"]["zh"]) for guide in STUDY["grades"]] == [
        (1, "bad", "差"),
        (2, "mediocre", "较差"),
        (3, "acceptable", "可接受"),
        (4, "good", "好"),
        (5, "excellent", "优秀"),
    ]


@pytest.mark.parametrize(
    ("grade", "expected"),
    [
        (1, ["nonsense", "irrelevant"]),
        (2, ["incoherent", "echoing"]),
        (3, ["limited", "versatile"]),
        (4, []),
        (5, ["informative", "interesting", "new_topic"]),
    ],
)
def test_each_grade_but_4_asks_why(grade, expected):
    assert keys(grade) == expected


def test_the_guideline_shows_an_example_for_grade_4_although_it_asks_no_reason():
    [natural] = STUDY["grades"][3]["types"]
    assert natural["key"] == "natural"
    assert natural["example"]["zh"]


def test_every_word_is_there_in_chinese_and_in_english():
    kinds = [kind for guide in STUDY["grades"] for kind in guide["types"]]
    texts = [STUDY["prompt"]] + [guide["name"] for guide in STUDY["grades"]]
    texts += [kind[part] for kind in kinds for part in ("name", "example")]
    assert all(re.search(r"[\u4e00-\u9fff]", text["zh"]) and text["en"].isascii() and text["en"] for text in texts)
    assert len({text["zh"] for text in texts}) == len(texts)


@pytest.mark.parametrize("scale", [Scale(1, 5), Scale(-2, 2), Scale(0, 20)])
def test_a_guideline_survives_json_and_has_every_grade_once(scale):
    guideline = default_guideline(scale)
    assert json.loads(json.dumps(guideline)) == guideline
    assert [guide["grade"] for guide in guideline["grades"]] == list(scale.grades)


def test_another_scale_has_bare_grades_and_asks_no_reason():
    guideline = default_guideline(Scale(-2, 2))
    assert guideline["prompt"] == {"zh": "", "en": ""}
    assert [guide["name"]["en"] for guide in guideline["grades"]] == [
        "lowest",
        "grade -1",
        "grade 0",
        "grade 1",
        "highest",
    ]
    assert all(keys(grade, guideline) == [] for grade in Scale(-2, 2).grades)


@pytest.mark.parametrize(
    ("grade", "reason"), [(1, "irrelevant"), (3, "versatile"), (5, "new_topic"), (4, None), (4, "")]
)
def test_a_reason_of_the_grade_is_taken_and_grade_4_goes_without(grade, reason):
    check_reason(STUDY, grade, reason)


@pytest.mark.parametrize(
    ("reason", "error"),
    [
        (None, ReasonMissing),
        ("", ReasonMissing),
        ("echoing", ValueError),
        ("Versatile", ValueError),
        ("natural", ValueError),
    ],
)
def test_a_missing_or_foreign_reason_is_answered_with_the_right_ones(reason, error):
    with pytest.raises(ValueError, match="Grade 3 needs one of these reasons: limited, versatile") as wrong:
        check_reason(STUDY, 3, reason)
    assert wrong.type is error


def test_a_reason_where_none_is_asked_is_refused():
    with pytest.raises(ReasonNotAsked, match="Grade 4 takes no reason"):
        check_reason(STUDY, 4, "natural")


def test_a_grade_outside_the_guideline_is_refused():
    with pytest.raises(ValueError, match="no grade 6"):
        check_reason(STUDY, 6, None)
