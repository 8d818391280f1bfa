"""The first record of an input is shown taken apart, whatever it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.irc.lines import LogMessage, parsed
from annotation.domain.irc.recipients import SeenNames
from annotation.importers.archive import Member
from annotation.importers.specimen import _parts, specimen_of
from core.domain.text import normalise


def specimen(folder, format, content, name="2008-07-14.txt"):
    (folder / "0").write_text(content, encoding="utf-8")
    return specimen_of(format, [Member(name, folder / "0")])


def test_a_line_of_a_log_is_taken_apart_one_to_a_recipient_first(tmp_path):
    log = "=== bo [b@c] has joined #lamps\n[10:00] <ann> dark\n[10:01] <bo> hm\n[10:02] <Bo> Ann: is it plugged in\n"
    shown = specimen(tmp_path, "irc", log)
    assert [(part.name, part.text) for part in shown.parts] == [
        ("", "["),
        ("time", "10:02"),
        ("", "] <"),
        ("sender", "Bo"),
        ("", "> "),
        ("recipient", "Ann"),
        ("", ": "),
        ("text", "is it plugged in"),
    ]
    assert shown.file == "2008-07-14.txt"


def test_a_log_in_which_nobody_is_addressed_shows_its_first_message(tmp_path):
    shown = specimen(tmp_path, "irc", "2008-07-14 10:00:07 <@ann> dark\n2008-07-14 10:01:00 <bo> hm\n")
    assert {part.name: part.text for part in shown.parts if part.name} == {
        "time": "2008-07-14 10:00:07",
        "sender": "ann",
        "text": "dark",
    }


@given(st.text("Aab :,@(é\u0301İ\t", max_size=12))
def test_the_parts_of_a_line_are_the_line(text):
    line = normalise(f"[10:02] <bo> {text}")
    entry = parsed(line)
    if isinstance(entry, LogMessage):
        names = SeenNames()
        names.see("a")
        parts = _parts(line, names.recipient_of(entry.text, entry.sender))
        assert "".join(part.text for part in parts) == line


def test_a_row_of_a_table_is_shown_with_the_names_of_its_columns(tmp_path):
    table = "tweet_id,author_id,text,in_response_to_tweet_id\n7,ann,Cold & dark,\n"
    shown = specimen(tmp_path, "twitter", table, "tweets.csv")
    assert [*shown.parts] == [
        ("id", "tweet_id", "7"),
        ("author", "author_id", "ann"),
        ("text", "text", "Cold & dark"),
        ("parent", "in_response_to_tweet_id", ""),
    ]
    assert shown.encoding == "utf-8"


@pytest.mark.parametrize("format", ["mutual", "jsonl", "twitter", "irc"])
def test_what_has_no_line_or_row_to_take_apart_shows_none(tmp_path, format):
    assert specimen(tmp_path, format, "a\n\n\nb\n") is None
