"""Flags: who may raise them, what is kept, and what came of them."""

from uuid import uuid4

import pytest

from annotation.actions import flags
from annotation.models import Event, Flag, Seat
from tests import factories
from tests.annotation.actions.desk import expire_all, refused


@pytest.fixture
def seat(project, rater) -> Seat:
    factories.pairs(project, 2)
    return factories.take(project, rater)[0]


def test_a_flag_keeps_who_when_and_what_was_said(seat, rater):
    flags.raise_flag(seat=seat, comment=" 缺了半句 \r\n", by=rater)
    flag = Flag.objects.get()
    assert (flag.seat.person, flag.comment, flag.resolved_at) == (rater, "缺了半句", None)
    assert flag.raised_at >= seat.claimed_at
    assert seat.flags.get() == flag


def test_the_log_says_that_a_flag_was_raised_and_not_what_it_says(seat, rater):
    flags.raise_flag(seat=seat, comment="缺了半句", by=rater)
    event = Event.objects.get(subject="flag")
    assert (event.became, event.by, event.why) == ("raised", rater, "")


def test_sent_twice_with_one_key_a_flag_is_stored_once(seat, rater):
    key = uuid4()
    for _ in range(2):
        flags.raise_flag(seat=seat, comment="?", key=key, by=rater)
    flags.raise_flag(seat=seat, comment="and another thing", key=uuid4(), by=rater)
    assert Flag.objects.count() == 2
    assert Event.objects.filter(subject="flag").count() == 2


def test_without_keys_two_flags_are_two(seat, rater):
    for _ in range(2):
        flags.raise_flag(seat=seat, by=rater)
    assert Flag.objects.count() == 2


@pytest.mark.parametrize("then", ["graded", "skipped", "expired"])
def test_a_pair_can_be_flagged_when_it_is_no_longer_in_hand(seat, rater, then):
    if then == "graded":
        factories.grade(seat)
    elif then == "skipped":
        from annotation.actions import ratings

        ratings.skip(seat=seat, reason="other", by=rater)
    else:
        expire_all()
    flags.raise_flag(seat=seat, comment="late", by=rater)
    assert Flag.objects.get().comment == "late"


def test_nobody_flags_on_somebody_elses_seat(seat, partner):
    with refused("not_yours"):
        flags.raise_flag(seat=seat, by=partner)
    assert not Flag.objects.exists()


def test_words_that_are_too_long_are_refused_and_not_cut(seat, rater):
    flags.raise_flag(seat=seat, comment="话" * 1000, by=rater)
    with refused("too_long"):
        flags.raise_flag(seat=seat, comment="话" * 1001, by=rater)
    assert Flag.objects.get().comment == "话" * 1000


def test_a_flag_is_resolved_once_and_with_a_note(seat, rater, researcher):
    flags.raise_flag(seat=seat, by=rater)
    flag = Flag.objects.get()
    with refused("note_missing", "note"):
        flags.resolve(flag=flag, note="  ", by=researcher)
    flags.resolve(flag=flag, note="It stays.", by=researcher)
    with refused("resolved"):
        flags.resolve(flag=flag, note="It goes.", by=researcher)
    flag.refresh_from_db()
    assert (flag.note, flag.resolved_by) == ("It stays.", researcher)
    events = Event.objects.filter(subject="flag").values_list("was", "became", "why")
    assert list(events) == [("", "raised", ""), ("raised", "resolved", "")]
