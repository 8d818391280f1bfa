"""The first word is the recipient when it is the name of a user and no very common English word."""

import pytest

from annotation.domain.corpora.ledger import ImportLedger, Replacement, ReplacementExamples
from annotation.domain.irc import recipients
from annotation.domain.irc.recipients import SeenNames


@pytest.fixture
def names():
    seen = SeenNames()
    for name in ("Ann", "bo|away", "the", "stop", "cleo-"):
        seen.see(name)
    return seen


@pytest.mark.parametrize(
    ("text", "recipient", "rest"),
    [
        ("ann: yes", "ann", "yes"),
        ("ANN, yes", "ann", "yes"),
        ("ann yes", "ann", "yes"),
        ("@ann yes", "ann", "yes"),
        ("bo|away: yes", "bo|away", "yes"),
        ("cleo- yes", "cleo-", "yes"),
        ("ann - yes", "ann", "yes"),
        ("ann?", "ann", "ann?"),
        ("yes, ann", "", "yes, ann"),
        ("anna: yes", "", "anna: yes"),
        ("the lamp is on", "", "the lamp is on"),
        ("stop: it is on", "", "stop: it is on"),
    ],
)
def test_who_is_spoken_to_and_what_is_said(names, text, recipient, rest):
    assert names.recipient_of(text, "dan") == (recipient, rest)


def test_a_user_does_not_speak_to_themselves(names):
    assert names.recipient_of("ann: well", "Ann") == ("", "ann: well")


def test_the_names_unseen_for_longest_are_forgotten(names, monkeypatch):
    monkeypatch.setattr(recipients, "MOST_NAMES", 5)
    names.see("Ann")
    names.see("dan")
    assert names.recipient_of("bo|away: yes", "dan")[0] == ""
    assert names.recipient_of("ann: yes", "dan")[0] == "ann"


def test_names_in_the_text_become_user_where_no_plain_word_is_meant(names):
    text = "thanks bo|away, ann and cleo-! the stop at anna's"
    ledger = ImportLedger(examples=ReplacementExamples(seed=0))
    assert names.without_mentions(text, {"ann"}, ledger) == "thanks @user, @user and @user! the stop at anna's"
    assert names.without_mentions("ann", set(), ledger) == "ann"
    assert ledger.changed == {"user": 3}
    assert ledger.examples.by_kind["user"].kept == [
        Replacement("thanks ", "bo|away", "@user", ", ann and cleo-! the stop at anna's")
    ]
