"""Values typed for a study, and their effect on its questions."""

import re

import pytest

from study.domain.survey.survey import SurveySettings, group_as_typed


@pytest.mark.parametrize(
    ("typed", "group"),
    [
        ("crowd", ("crowd", None)),
        ("crowd:136", ("crowd", 136)),
        (" lab : 9 ", ("lab", 9)),
        ("two words:1", ("two words", 1)),
    ],
)
def test_a_group_may_have_a_quota_behind_a_colon(typed, group):
    assert group_as_typed(typed) == group


@pytest.mark.parametrize("typed", ["crowd:", "crowd:many", "crowd:-1", "crowd:1.5", "crowd:٣", "a:b:1"])
def test_a_quota_is_a_whole_number(typed):
    with pytest.raises(ValueError, match=re.escape(typed)):
        group_as_typed(typed)


def test_everybody_answers_all_questions_or_one_of_the_forms():
    assert SurveySettings(forms=4, per_form=30).dealt(200) == (4, 30)
    assert SurveySettings(forms=4, per_form=30, assign="all").dealt(200) == (1, 200)
