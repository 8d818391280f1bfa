"""Flags: who may raise them, what is kept, and their resolution."""

from uuid import uuid4

import pytest

from annotation.actions import flags
from annotation.models import Assignment, Flag
from core.models import Event
from tests import factories
from tests.annotation.actions.queue.assigned_work import expire_all, refused


@pytest.fixture
def assignment(project, annotator) -> Assignment:
    factories.pairs(project, 2)
    return factories.take(project, annotator)[0]


def test_a_flag_keeps_who_when_and_what_was_said(assignment, annotator):
    flags.raise_flag(assignment=assignment, comment=" 缺了半句 \r\n", by=annotator)
    flag = Flag.objects.get()
    assert (flag.assignment.person, flag.comment, flag.resolved_at) == (annotator, "缺了半句", None)
    assert flag.raised_at >= assignment.claimed_at
    assert assignment.flags.get() == flag


def test_the_log_says_that_a_flag_was_raised_and_not_what_it_says(assignment, annotator):
    flags.raise_flag(assignment=assignment, comment="缺了半句", by=annotator)
    event = Event.objects.get(subject="flag")
    assert (event.became, event.by, event.why) == ("raised", annotator, "")


def test_sent_twice_with_one_key_a_flag_is_stored_once(assignment, annotator):
    key = uuid4()
    for _ in range(2):
        flags.raise_flag(assignment=assignment, comment="?", key=key, by=annotator)
    flags.raise_flag(assignment=assignment, comment="and another thing", key=uuid4(), by=annotator)
    assert Flag.objects.count() == 2
    assert Event.objects.filter(subject="flag").count() == 2


def test_without_keys_two_flags_are_two(assignment, annotator):
    for _ in range(2):
        flags.raise_flag(assignment=assignment, by=annotator)
    assert Flag.objects.count() == 2


@pytest.mark.parametrize("then", ["graded", "skipped", "expired"])
def test_a_pair_can_be_flagged_when_it_is_no_longer_in_hand(assignment, annotator, then):
    if then == "graded":
        factories.grade(assignment)
    elif then == "skipped":
        from annotation.actions.rating import ratings

        ratings.skip(assignment=assignment, reason="other", by=annotator)
    else:
        expire_all()
    flags.raise_flag(assignment=assignment, comment="late", by=annotator)
    assert Flag.objects.get().comment == "late"


def test_nobody_flags_on_somebody_elses_assignment(assignment, partner):
    with refused("not_yours"):
        flags.raise_flag(assignment=assignment, by=partner)
    assert not Flag.objects.exists()


def test_words_that_are_too_long_are_refused_and_not_cut(assignment, annotator):
    flags.raise_flag(assignment=assignment, comment="话" * 1000, by=annotator)
    with refused("too_long"):
        flags.raise_flag(assignment=assignment, comment="话" * 1001, by=annotator)
    assert Flag.objects.get().comment == "话" * 1000


def test_a_flag_is_resolved_once_and_with_a_note(assignment, annotator, researcher):
    flags.raise_flag(assignment=assignment, by=annotator)
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
