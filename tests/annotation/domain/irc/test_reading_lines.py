"""Lines of both styles become messages or say why they are none."""

from datetime import date

import pytest

from annotation.domain.irc.lines import LogMessage, Notice, Stamp, parsed, without_controls


@pytest.mark.parametrize(
    ("line", "stamp", "sender", "text"),
    [
        ("[14:02] <ann> is it on?", Stamp(None, 50_520), "ann", "is it on?"),
        ("[14:02:07] <ann> is it on?", Stamp(None, 50_527), "ann", "is it on?"),
        ("14:02 < ann> is it on?", Stamp(None, 50_520), "ann", "is it on?"),
        ("14:02 <@ann> is it on?", Stamp(None, 50_520), "ann", "is it on?"),
        ("2008-07-14 14:02:07 <+ann> yes", Stamp(date(2008, 7, 14), 50_527), "ann", "yes"),
        ("[9:02] <|ann_[x]`^> > quoted", Stamp(None, 32_520), "|ann_[x]`^", "> quoted"),
    ],
)
def test_a_message_has_time_sender_and_text(line, stamp, sender, text):
    assert parsed(line) == LogMessage(stamp, sender, text)


@pytest.mark.parametrize(
    ("line", "notice"),
    [
        ("", Notice("blank")),
        ("[14:02] <ann>  ", Notice("blank", Stamp(None, 50_520))),
        ("[14:02]  * ann waves", Notice("action", Stamp(None, 50_520))),
        ("=== ann [~ann@lamp.example] has joined #lamps", Notice("notice", new="ann")),
        ("=== ann [~ann@lamp.example] has left #lamps []", Notice("notice")),
        ("*** ann has quit IRC (Ping timeout)", Notice("notice")),
        ("=== ann is now known as ann_away", Notice("notice", old="ann", new="ann_away")),
        ("14:02 -!- ann [~a@b] has joined #lamps", Notice("notice", Stamp(None, 50_520), new="ann")),
        ("--- Day changed Tue Jul 15 2008", Notice("notice", day=date(2008, 7, 15))),
        ("--- Log opened Mon Jul 14 10:02:00 2008", Notice("notice", day=date(2008, 7, 14))),
        ("[24:02] <ann> late", Notice("unreadable")),
        ("[14:02] <> hello", Notice("unreadable")),
        ("2008-02-30 14:02 <ann> no such day", Notice("unreadable")),
        ("a line without a time", Notice("unreadable")),
    ],
)
def test_a_line_that_is_no_message_says_why(line, notice):
    assert parsed(line) == notice


def test_colours_bold_and_other_codes_are_taken_out_and_a_tab_stays():
    assert without_controls("\x02bold\x02 \x0304,12red\x03 \x1funder\x0f\tend\x07") == "bold red under\tend"
