"""One line of a log: a message with its time, or why it is none.

Two styles are read, in one grammar: ``[14:02] <ann> hello`` with notices after ``===`` or ``***``, and irssi's
``14:02 < ann> hello`` with notices after ``-!-``. A stamp may have seconds and a date before it.
"""

import re
from datetime import date
from typing import NamedTuple

from core.domain.text import normalise

STAMP = r"\[?(?:(\d{4})-(\d\d)-(\d\d)[ T])?(\d{1,2}):(\d\d)(?::(\d\d))?\]?"
MESSAGE = re.compile(rf"{STAMP}\s*<[ @+%&~!]?([^<>\s]+)> ?(.*)", re.DOTALL)
ACTION = re.compile(rf"{STAMP}\s*\* ?\S")
NOTICE = re.compile(rf"(?:{STAMP}\s*)?(?:===|\*\*\*+|-!-|-->|<--|--+)\s*(.*)", re.DOTALL)
JOINED = re.compile(r"(\S+) .*has joined ")
RENAMED = re.compile(r"(\S+) is now known as (\S+)\s*$")
DAY = re.compile(
    r"(?:Log opened|Day changed|BEGIN LOGGING AT|LOGGING STARTED).*?([A-Z][a-z]{2}) +(\d{1,2})\b.*?(\d{4})"
)
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
CONTROL = re.compile("\x03(?:\\d{1,2}(?:,\\d{1,2})?)?|[\x00-\x08\x0a-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff]")
BLANK, ACTION_LINE, NOTICE_LINE, UNREADABLE = "blank", "action", "notice", "unreadable"  # reasons for dropping a line


class Stamp(NamedTuple):
    """The time of a line as written: its day where the line names one, and the seconds since midnight."""

    day: date | None
    seconds: int


class LogMessage(NamedTuple):
    stamp: Stamp
    sender: str
    text: str


class Notice(NamedTuple):
    """A line that is no message, with the reason for which it is dropped and what it tells all the same.

    `stamp` is None where the line has no time; `day` is the one that begins; `old` and `new` are the names of a user
    (`old` is empty where the user joins).
    """

    reason: str
    stamp: Stamp | None = None
    day: date | None = None
    old: str = ""
    new: str = ""


def without_controls(text: str) -> str:
    """Return a line without colours, bold and other control codes; a tab stays."""
    return text if text.isprintable() else CONTROL.sub("", text)


def parsed(line: str) -> LogMessage | Notice:
    """Return the message or notice of a line without control codes and line end."""
    if found := MESSAGE.match(line):
        try:
            stamp = _stamp(found)
        except ValueError:
            return Notice(UNREADABLE)
        text = normalise(found[8])
        return LogMessage(stamp, found[7], text) if text else Notice(BLANK, stamp)
    if not line.strip():
        return Notice(BLANK)
    return _notice(line)


def _notice(line: str) -> Notice:
    try:
        if found := NOTICE.match(line):
            stamp = _stamp(found) if found[4] else None
            return _told(found[7], stamp)
        if found := ACTION.match(line):
            return Notice(ACTION_LINE, _stamp(found))
    except ValueError:
        pass
    return Notice(UNREADABLE)


def _told(text: str, stamp: Stamp | None) -> Notice:
    if found := JOINED.match(text):
        return Notice(NOTICE_LINE, stamp, new=found[1])
    if found := RENAMED.match(text):
        return Notice(NOTICE_LINE, stamp, old=found[1], new=found[2])
    if (found := DAY.match(text)) and found[1] in MONTHS:
        return Notice(NOTICE_LINE, stamp, day=date(int(found[3]), MONTHS.index(found[1]) + 1, int(found[2])))
    return Notice(NOTICE_LINE, stamp)


def _stamp(found: re.Match[str]) -> Stamp:
    """Raises ValueError for a time or a day that does not exist."""
    year, month, day, hour, minute, second = found.groups()[:6]
    hours, minutes, seconds = int(hour), int(minute), int(second or 0)
    if hours > 23 or minutes > 59 or seconds > 60:
        raise ValueError(found[0])
    on = date(int(year), int(month), int(day)) if year else None
    return Stamp(on, hours * 3600 + minutes * 60 + seconds)
