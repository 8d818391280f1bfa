"""Which files of a folder are logs, of which channel and day, and in which order they are read."""

import re
from collections.abc import Sequence
from datetime import date
from pathlib import PurePosixPath
from typing import NamedTuple

from annotation.domain.irc.lines import UNREADABLE, LogMessage, parsed, without_controls
from annotation.importers.archive import Member
from annotation.importers.dialogues import first_lines
from annotation.importers.encoding import Encoding, byte_lines, recognise_log
from core.domain.text import normalise

SUFFIXES = {".txt", ".log", ".weechatlog", ""}
DATE = re.compile(r"(?<!\d)(\d{4})[-_/.]?(\d\d)[-_/.]?(\d\d)(?!\d)")
CHANNEL = re.compile(r"#[\w-]+")
HEAD = 40  # lines by which a log is known
HOUR = re.compile(rb"\[?(\d\d):\d\d")


class LogFile(NamedTuple):
    """A log: its channel ("" where no name says it), the day of its first line (None: not known), and its file.

    `encoding` is that of most of its lines.
    """

    channel: str
    day: date | None
    member: Member
    encoding: Encoding = Encoding("utf-8")


def log_files(files: Sequence[Member]) -> list[LogFile]:
    """Return the logs by channel, day and name. A NAME.ascii.txt beside a NAME.raw.txt is a copy, and left out."""
    names = {member.name for member in files}
    return sorted(
        (
            _log_file(member)
            for member in files
            if _may_be_log(PurePosixPath(member.name))
            and member.name.replace(".ascii.", ".raw.") not in names - {member.name}
            and is_log(member)
        ),
        key=lambda log: (log.channel, log.day or date.min, log.member.name),
    )


def is_log(member: Member) -> bool:
    """Tell whether at least half of the first lines are messages or notices, and one is a message."""
    lines = [parsed(without_controls(line)) for line in first_lines([member], HEAD)]
    readable = [line for line in lines if isinstance(line, LogMessage) or line.reason != UNREADABLE]
    has_message = any(isinstance(line, LogMessage) for line in readable)
    return has_message and 2 * len(readable) >= len(lines)


def in_its_encoding(log: LogFile) -> LogFile:
    """Return the log with its encoding. Raises RowRefused where that cannot be known."""
    with log.member.path.open("rb") as file:
        return log._replace(encoding=recognise_log(file))


def shows_half_days(log: LogFile) -> bool:
    """Tell whether the clock of a log shows hours from 1 to 12, and 1 after 12."""
    before, after_twelve = 0, False
    with log.member.path.open("rb") as file:
        for line in byte_lines(file, log.encoding):
            if found := HOUR.match(line):
                hour = int(found[1])
                if not 1 <= hour <= 12:
                    return False
                after_twelve = after_twelve or (before, hour) == (12, 1)
                before = hour
    return after_twelve


def _may_be_log(path: PurePosixPath) -> bool:
    is_hidden = any(part.startswith((".", "__MACOSX")) for part in path.parts)
    return not is_hidden and path.suffix.lower() in SUFFIXES


def _log_file(member: Member) -> LogFile:
    """Return the log with the day and channel that its name says: 2008/07/14/#lamps.txt, lamps_20080714.log."""
    path = normalise(member.name)
    name = PurePosixPath(path).name
    found = DATE.search(name) or DATE.search(path)
    try:
        day = date(*map(int, found.groups())) if found else None
    except ValueError:
        day = None
    if named := CHANNEL.search(path):
        return LogFile(named[0], day, member)
    before = DATE.split(name)[0] if day and DATE.search(name) else PurePosixPath(name).stem
    return LogFile(before.strip("-_. "), day, member)
