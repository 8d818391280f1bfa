"""What a person changed of an older version, put on top of a newer one: each text by itself."""

from copy import deepcopy

import pytest

from annotation.domain.rating.guideline import study_guideline
from annotation.domain.rating.guideline_changes import changes
from annotation.domain.rating.guideline_edits import edited
from annotation.domain.rating.guideline_merging import on_top_of

BEGAN_FROM = study_guideline()


def changed(*edits: str, **texts: str):
    """Return the study's guideline after edits of its rows, with other English names of grades (`g1="dull"`)."""
    guideline = study_guideline()
    for edit in edits:
        guideline = edited(guideline, edit)
    for row, text in texts.items():
        guideline["grades"][int(row[1:])]["name"]["en"] = text
    return guideline


def keys(guideline, row: int) -> list[str]:
    return [kind["key"] for kind in guideline["grades"][row]["types"]]


def test_texts_that_were_not_touched_are_those_of_the_newer_version():
    newer, own = changed(g0="poor", g1="dull"), changed(g0="awful")
    own["prose"]["en"], newer["prose"]["zh"] = "Read.", "先读。"
    merged = on_top_of(newer, own, BEGAN_FROM)
    assert [guide["name"]["en"] for guide in merged["grades"][:2]] == ["awful", "dull"]
    assert merged["prose"] == {"zh": "先读。", "en": "Read."}
    assert {(change.kind, change.grade) for change in changes(newer, merged)} == {("prose", None), ("name", 1)}


def test_flags_of_grades_and_types_are_taken_by_themselves():
    newer, own = study_guideline(), study_guideline()
    newer["grades"][2]["is_failed"] = own["grades"][1]["types"][0]["is_retired"] = True
    newer["grades"][1]["types"][0]["name"]["en"] = "torn"
    merged = on_top_of(newer, own, BEGAN_FROM)
    assert merged["grades"][2]["is_failed"]
    kind = merged["grades"][1]["types"][0]
    assert (kind["name"]["en"], kind["is_retired"]) == ("torn", True)


@pytest.mark.parametrize(
    ("theirs", "mine", "expected"),
    [
        ("up-g4-t1", "add-g0", ["interesting", "informative", "new_topic"]),
        ("add-g0", "up-g4-t1", ["interesting", "informative", "new_topic"]),
        ("up-g4-t1", "add-g4", ["interesting", "informative", "new_topic", ""]),
        ("drop-g4-t0", "up-g4-t2", ["new_topic", "interesting"]),
        ("up-g4-t1", "drop-g4-t0", ["interesting", "new_topic"]),
    ],
)
def test_types_are_in_the_order_of_whoever_moved_them_and_gone_where_one_removed_them(theirs, mine, expected):
    assert keys(on_top_of(changed(theirs), changed(mine), BEGAN_FROM), 4) == expected


def test_a_type_that_the_newer_version_added_is_there():
    newer = changed("add-g0")
    newer["grades"][0]["types"][-1] |= {"key": "made_up"}
    assert keys(on_top_of(newer, changed("add-g0"), BEGAN_FROM), 0)[-1] == "made_up"
    assert len(on_top_of(newer, changed("add-g0"), BEGAN_FROM)["grades"][0]["types"]) == 4


def test_grades_that_one_of_the_two_added_or_removed_are_so():
    merged = on_top_of(changed("drop-lower"), changed("add-higher"), BEGAN_FROM)
    assert [guide["grade"] for guide in merged["grades"]] == [2, 3, 4, 5, 6]
    merged = on_top_of(changed("add-higher"), changed("drop-lower"), BEGAN_FROM)
    assert [guide["grade"] for guide in merged["grades"]] == [2, 3, 4, 5, 6]


def test_nothing_of_one_s_own_is_the_newer_version_and_neither_is_changed():
    newer = changed("up-g4-t1", "add-higher", g1="dull")
    kept = deepcopy(newer)
    assert on_top_of(newer, BEGAN_FROM, BEGAN_FROM) == newer == kept
    assert on_top_of(newer, newer, BEGAN_FROM) == newer
    assert study_guideline() == BEGAN_FROM
