"""Settings of models: what they may be, how they are spelled, and what is refused."""

import pytest

from core.domain.wording import ChoiceError
from study.baselines.registry import BASELINES
from study.baselines.settings import Setting, completed

DECLARED = (
    Setting("depth", 3, "", 1, 9),
    Setting("share", 0.5, ""),
    Setting("loss", "hinge", "", options=("hinge", "square")),
    Setting("tied", True, ""),
    Setting("name", "", "", most=8),
    Setting("c", None, "", 0.1, 10, without_dev=1.0),
)


def test_what_is_not_given_is_the_default():
    assert completed(DECLARED, {}) == {"depth": 3, "share": 0.5, "loss": "hinge", "tied": True, "name": "", "c": None}


def test_values_are_read_as_they_are_spelled_or_stored():
    spelled = {"depth": "4", "share": "0.25", "loss": "square", "tied": "off", "name": " a b ", "c": "2"}
    stored = completed(DECLARED, spelled)
    assert stored == {"depth": 4, "share": 0.25, "loss": "square", "tied": False, "name": "a b", "c": 2.0}
    assert completed(DECLARED, stored) == stored
    assert completed(DECLARED, {"c": "dev"})["c"] is None


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"depth": "0"}, "depth must be a whole number from 1 to 9, not 0."),
        ({"depth": 2.5}, "depth must be a whole number from 1 to 9, not 2.5."),
        ({"share": "much"}, "share must be a number from 0 to 1, not much."),
        ({"share": "nan"}, "share must be a number from 0 to 1, not nan."),
        ({"share": True}, "share must be a number from 0 to 1, not True."),
        ({"share": None}, "share must be a number from 0 to 1, not None."),
        ({"loss": "log"}, "loss must be one of hinge, square, not log."),
        ({"tied": "maybe"}, "tied must be on or off, not maybe."),
        ({"c": "11"}, "c must be a number from 0.1 to 10, not 11."),
        ({"name": "a" * 9}, "name must be one line of text, of at most 8 characters."),
        ({"name": "a\nb"}, "name must be one line of text, of at most 8 characters."),
        ({"name": 3}, "name must be one line of text, of at most 8 characters."),
        ({"hight": 1}, "There is no setting hight. Settings of this model: depth, share, loss, tied, name, c."),
    ],
)
def test_other_values_are_refused_with_those_that_are_allowed(given, said):
    with pytest.raises(ChoiceError) as caught:
        completed(DECLARED, given)
    assert str(caught.value) == said


def test_a_model_without_settings_says_so():
    with pytest.raises(ChoiceError, match="this model has none"):
        BASELINES["random"]({"c": 1})


@pytest.mark.parametrize("key", BASELINES)
def test_every_default_is_allowed(key):
    for setting in BASELINES[key].declares:
        assert setting.read(setting.default) == setting.default
        if setting.is_chosen_on_dev:
            assert setting.read(setting.without_dev) == setting.without_dev
