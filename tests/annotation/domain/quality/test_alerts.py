"""Alerts about raters, with medians and limits worked out by hand."""

from dataclasses import replace

import pytest

from annotation.domain.quality.alerts import Alert, RaterFacts, SharedItems, alerts_of, others_kappa

SOUND = RaterFacts(timed=20, median_seconds=8.0, shared=30, kappa=0.1)
PAIRS = [
    SharedItems(("an", "bo"), 30, 0.6),
    SharedItems(("an", "chen"), 40, 0.4),
    SharedItems(("bo", "chen"), 50, 0.58),
    SharedItems(("an", "di"), 30, 0.1),
    SharedItems(("bo", "di"), 29, 0.9),
    SharedItems(("bo", "ed"), 29, -1.0),  # too few items
    SharedItems(("an", "ed"), 30, None),  # undefined
]


@pytest.mark.parametrize(
    ("rater", "kappa"),
    [
        ("di", 0.58),  # the middle of .4, .58 and .6
        ("bo", 0.25),  # between .1 and .4
        ("an", 0.58),  # the one pair left with thirty items
    ],
)
def test_the_others_agree_among_themselves(rater, kappa):
    assert others_kappa(rater, PAIRS) == pytest.approx(kappa)


def test_without_two_others_there_is_nothing_to_compare_with():
    assert others_kappa("an", [SharedItems(("an", "bo"), 500, 0.0)]) is None


@pytest.mark.parametrize(
    ("facts", "alerts"),
    [
        (replace(SOUND, kappa=0.2), []),
        (replace(SOUND, kappa=0.199), [Alert.APART]),
        (replace(SOUND, shared=29), []),
        (replace(SOUND, kappa=None), []),
        (replace(SOUND, kappa=0.5, median_seconds=0.999), [Alert.TOO_FAST]),
        (replace(SOUND, kappa=0.5, median_seconds=1.0), []),
        (replace(SOUND, kappa=0.5, median_seconds=0.4, timed=19), []),
        (replace(SOUND, kappa=0.5, median_seconds=None), []),
        (replace(SOUND, median_seconds=0.4), [Alert.TOO_FAST, Alert.APART]),
    ],
)
def test_alerts_begin_at_their_limits(facts, alerts):
    assert alerts_of({"di": facts}, PAIRS).get("di", []) == alerts


def test_a_low_kappa_raises_nothing_where_the_others_disagree_too():
    assert alerts_of({"bo": SOUND}, PAIRS) == {}
