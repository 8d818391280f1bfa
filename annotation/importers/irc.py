"""Raw logs of chat channels, a file a day: in order of time, dialogues of two people are taken out of them."""

from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from heapq import heappop, heappush
from itertools import groupby
from pathlib import PurePosixPath
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from annotation.domain.corpora.dialogue import LoggedTurn
from annotation.domain.corpora.ledger import ImportLedger
from annotation.domain.corpora.replacements import replaced
from annotation.domain.irc import extraction
from annotation.domain.irc.clock import EPOCH, LogClock
from annotation.domain.irc.extraction import ExtractedDialogue, Extraction
from annotation.domain.irc.lines import LogMessage, Notice, parsed, without_controls
from annotation.domain.irc.people import Utterance
from annotation.domain.irc.recipients import SeenNames
from annotation.domain.releases.splitting import Split
from annotation.importers.archive import Member
from annotation.importers.dialogues import LONGEST_FACT, DialogueRow, Recipe, line_feeds
from annotation.importers.encoding import byte_lines, line_codec
from annotation.importers.irc_files import LogFile, in_its_encoding, log_files, shows_half_days
from annotation.importers.reasons import RowRefused
from annotation.importers.rows import BadRow
from core.domain.draws import uniforms
from core.domain.text import digest, normalise, timestamp

LONGEST_MESSAGE = 4_000  # characters
TEST_SHARE = 0.02
CHANNEL_IN_ID = 60  # characters
CHAT_BEGAN = 567_993_600  # seconds: 1988; an earlier moment is of a log whose day is not known
ASKER, ANSWERER = "A", "B"
RULES: Mapping[str, Any] = {**extraction.RULES, "longest_message": LONGEST_MESSAGE, "test_share": TEST_SHARE}
HEEDS: Sequence[str] = ("zone", "seed", "leave")
TOO_LONG, IN_TWO_LOGS, UNKNOWN_ENCODING = "too_long", "in_two_logs", "unknown_encoding"  # reasons for dropping a line
CONTROL_CODES, OTHER_ENCODING, CLOCK_RAN_BACK = "control_codes", "other_encoding", "clock_ran_back"  # what is changed


class LogEvent(NamedTuple):
    """A message, or a notice of a user's name, with its moment (seconds from 1970, UTC) and its day on the clock."""

    at: int
    day: int
    file: int
    line: int
    entry: LogMessage | Notice


def fits(files: Sequence[Member]) -> bool:
    """Tell whether one of the files is a log."""
    return bool(log_files(files))


def total(files: Sequence[Member]) -> int:
    """Return the number of lines, counted by line feeds."""
    return line_feeds(log.member for log in log_files(files))


def read(files: Sequence[Member], ledger: ImportLedger, recipe: Recipe) -> Iterator[DialogueRow | BadRow]:
    """Yield the dialogues of each channel, as they end, and logs whose encoding is not known.

    Raises RowRefused where there is no log.
    """
    logs = log_files(files)
    ledger.files_not_read = len(files) - len(logs)
    if not logs:
        raise RowRefused("no_logs")
    readable = []
    for log in logs:
        try:
            readable.append(in_its_encoding(log))
        except RowRefused as refused:
            ledger.has_read()
            yield BadRow(log.member.name, None, refused.reason)
    for channel, of_channel in groupby(readable, key=lambda log: log.channel):
        names = SeenNames()
        found = (dialogue for dialogue in extracted(list(of_channel), names, ledger, recipe) if not dialogue.dropped)
        for number, dialogue in enumerate(found, start=1):
            yield _anonymous(_row(dialogue, channel, number, recipe), dialogue, names, ledger, recipe)


def extracted(
    logs: Sequence[LogFile], names: SeenNames, ledger: ImportLedger, recipe: Recipe
) -> Iterator[ExtractedDialogue]:
    """Yield all dialogues of one channel, those that a rule drops too, and fill `names`."""
    channel = Extraction(ledger)
    file_names = [PurePosixPath(log.member.name).name for log in logs]
    for _day, events in groupby(_in_order_of_time(logs, ledger, recipe), key=_rising_day()):
        day = list(events)  # a name may be spoken to before its user says a word on that day
        for event in day:
            names.see(event.entry.sender if isinstance(event.entry, LogMessage) else event.entry.new)
        for event in day:
            if isinstance(event.entry, Notice):
                if event.entry.old:
                    channel.users.rename(event.entry.old, event.entry.new)
                continue
            sender = event.entry.sender
            recipient, text = names.recipient_of(event.entry.text, sender)
            yield from channel.take(event.at, sender, recipient, text, f"{file_names[event.file]}:{event.line}")
        channel.end_day(day[-1].at)
    yield from channel.end()


def _rising_day() -> Any:
    """Return a key for groupby under which a line of the day before, after midnight, is of the new day."""
    latest = 0

    def day(event: LogEvent) -> int:
        nonlocal latest
        latest = max(latest, event.day)
        return latest

    return day


def _in_order_of_time(logs: Sequence[LogFile], ledger: ImportLedger, recipe: Recipe) -> Iterator[LogEvent]:
    """Merge the logs of one channel; a line that two of them have in the same minute is taken once.

    A log is opened when the time has come to its day, so that only a few are open at once.
    """
    zone = ZoneInfo(recipe.zone)
    waiting = deque((LogClock(log.day or EPOCH, zone).now, number, log) for number, log in enumerate(logs))
    events: list[tuple[LogEvent, Iterator[LogEvent]]] = []
    twins = _Twins()
    while waiting or events:
        while waiting and (not events or waiting[0][0] <= events[0][0].at):
            _begins, number, log = waiting.popleft()
            _push(events, _events(log, number, zone, ledger))
        if not events:
            continue
        event, rest = heappop(events)
        _push(events, rest)
        if isinstance(event.entry, LogMessage) and twins.has(event, event.entry):
            ledger.dropped[IN_TWO_LOGS] += 1
            continue
        yield event


def _push(events: list[tuple[LogEvent, Iterator[LogEvent]]], rest: Iterator[LogEvent]) -> None:
    if event := next(rest, None):
        heappush(events, (event, rest))


class _Twins:
    """The messages of one minute by log, so that a message of another log is known again."""

    def __init__(self) -> None:
        self._minute = 0
        self._seen: dict[tuple[str, str], Counter[int]] = defaultdict(Counter)

    def has(self, event: LogEvent, message: LogMessage) -> bool:
        """Tell whether another log has the message; one log may well have the same words twice in a minute."""
        if event.at // 60 != self._minute:
            self._minute = event.at // 60
            self._seen.clear()
        counts = self._seen[message.sender, message.text]
        counts[event.file] += 1
        return any(count >= counts[event.file] for file, count in counts.items() if file != event.file)


def _events(log: LogFile, number: int, zone: ZoneInfo, ledger: ImportLedger) -> Iterator[LogEvent]:
    """Yield the messages of a log, and the notices that name a user; every line is counted."""
    clock = LogClock(log.day or EPOCH, zone, half_days=shows_half_days(log))
    with log.member.path.open("rb") as file:
        for line, raw in enumerate(byte_lines(file, log.encoding), start=1):
            ledger.has_read()
            text = _decoded(raw, log.encoding.line_codec, ledger)
            if text is None:
                ledger.dropped[UNKNOWN_ENCODING] += 1
                continue
            entry = parsed(text)
            if isinstance(entry, Notice):
                ledger.dropped[entry.reason] += 1
                if entry.day:
                    clock.begin(entry.day)
            if entry.stamp:
                clock.read(entry.stamp)
            if isinstance(entry, LogMessage) and len(entry.text) > LONGEST_MESSAGE:
                ledger.dropped[TOO_LONG] += 1
            elif isinstance(entry, LogMessage) or entry.new:
                yield LogEvent(clock.now, clock.day, number, line, entry)
    ledger.changed[CLOCK_RAN_BACK] += clock.ran_back


def _decoded(raw: bytes, usual: str, ledger: ImportLedger) -> str | None:
    """Return a line without control codes; None where its encoding cannot be known."""
    codec = "utf-8" if raw.isascii() else line_codec(raw, usual)
    if not codec:
        return None
    ledger.changed[OTHER_ENCODING] += codec != usual and not raw.isascii()
    text = raw.decode(codec, "replace").rstrip("\r")
    plain = without_controls(text)
    ledger.changed[CONTROL_CODES] += len(plain) < len(text)
    return plain


def _row(dialogue: ExtractedDialogue, channel: str, number: int, recipe: Recipe) -> DialogueRow:
    question = dialogue.question
    moment = _moment(question)
    conversation = digest(channel, moment, question.sender.key, question.text)
    is_test = uniforms(recipe.seed, "test dialogue", conversation)[0] < TEST_SHARE
    return DialogueRow(
        id="-".join(filter(None, (channel[:CHANNEL_IN_ID], moment[:10], str(number)))),
        split=Split.TEST if is_test else Split.TRAIN,
        turns=[_turn(turn, dialogue) for turn in dialogue.turns],
        conversation=conversation,
        facts={"channel": channel[:LONGEST_FACT], "line": normalise(question.line[-LONGEST_FACT:])},
    )


def _moment(message: Utterance) -> str:
    """Return when a message was sent, in UTC; empty for a log whose day is not known."""
    return timestamp(datetime.fromtimestamp(message.at, UTC)) if message.at >= CHAT_BEGAN else ""


def _turn(said: Sequence[Utterance], dialogue: ExtractedDialogue) -> LoggedTurn:
    """Return a turn; the two people are A, who asks, and B."""
    is_asker = said[0].sender is dialogue.question.sender
    turn = LoggedTurn(speaker=ASKER if is_asker else ANSWERER, text="\n".join(message.text for message in said))
    if moment := _moment(said[0]):
        turn["at"] = moment
    if any(message.to for message in said):
        turn["to"] = ANSWERER if is_asker else ASKER
    return turn


def _anonymous(
    row: DialogueRow, dialogue: ExtractedDialogue, names: SeenNames, ledger: ImportLedger, recipe: Recipe
) -> DialogueRow:
    """Return the row with tags in place of names, addresses and the like, all counted."""
    people = {dialogue.question.sender.key, dialogue.answerer.key}
    for turn in row.turns:
        text = replaced(turn["text"], ledger, leave=recipe.leave)
        if "user" not in recipe.leave:
            text = names.without_mentions(text, people, ledger)
        turn["text"] = normalise(text)
    return row
