"""The first record of an input, taken apart, so that a person sees how a format is read."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from annotation.domain.irc.lines import MESSAGE, LogMessage, parsed, without_controls
from annotation.domain.irc.recipients import AFTER, BEFORE, SeenNames, key_of
from annotation.importers import subtitles, tweets, ubuntu_csv
from annotation.importers.archive import Member
from annotation.importers.dialogues import first_lines
from annotation.importers.encoding import recognise_encoding
from annotation.importers.irc_files import HEAD, log_files
from annotation.importers.reasons import RowRefused
from annotation.importers.records import Record
from annotation.importers.tables import Aliases, columns_of, table_rows, tables
from core.domain.text import normalise

LONGEST = 200  # characters of a cell
TABLES: Mapping[str, tuple[Aliases, Sequence[str]]] = {
    "twitter": (tweets.COLUMNS, tweets.REQUIRED),
    "subtitles": (subtitles.COLUMNS, subtitles.REQUIRED),
    "ubuntu-csv": (ubuntu_csv.COLUMNS, ubuntu_csv.REQUIRED),
}


class SpecimenPart(NamedTuple):
    """A piece of the record: our name of it ("" between two parts), its column in the file, and its text."""

    name: str
    column: str
    text: str


class Specimen(NamedTuple):
    """The first record that can be read; the parts of a line, joined, are the line."""

    file: str
    encoding: str
    parts: list[SpecimenPart]


def specimen_of(format: str, files: Sequence[Member]) -> Specimen | None:
    """Return the first record of logs or tables; None of other formats, or where there is none."""
    if format == "irc":
        return _of_log(files)
    if format in TABLES:
        return _of_table(files, *TABLES[format])
    return None


def _of_log(files: Sequence[Member]) -> Specimen | None:
    """Return a message, one to a recipient if the head of the first log has one."""
    log = log_files(files)[:1]
    lines = [normalise(without_controls(line)) for each in log for line in first_lines([each.member], HEAD)]
    said = [(line, entry) for line in lines if isinstance(entry := parsed(line), LogMessage)]
    names = SeenNames()
    for _line, entry in said:
        names.see(entry.sender)
    parts = [_parts(line, names.recipient_of(entry.text, entry.sender)) for line, entry in said]
    if not parts:
        return None
    to_someone = (some for some in parts if any(part.name == "recipient" for part in some))
    return Specimen(log[0].member.name, "utf-8", next(to_someone, parts[0]))


def _parts(line: str, addressed: tuple[str, str]) -> list[SpecimenPart]:
    found = MESSAGE.match(line)
    assert found
    stamp = [number for number in range(1, 7) if found[number]]
    places = [("time", found.start(stamp[0]), found.end(stamp[-1])), ("sender", *found.span(7))]
    recipient, rest = addressed
    text = found.start(8)
    if recipient:
        word = line[text:].partition(" ")[0]
        name = word if key_of(word) == recipient else word.lstrip(BEFORE).rstrip(AFTER)
        at = line.index(name, text)
        places.append(("recipient", at, at + len(name)))
        text = line.rindex(rest)
    parts, end = [], 0
    for name, start, stop in [*places, ("text", text, len(line.rstrip()))]:
        parts += [SpecimenPart("", "", line[end:start])] * (start > end)
        parts.append(SpecimenPart(name, "", line[start:stop]))
        end = stop
    return parts


def _of_table(files: Sequence[Member], aliases: Aliases, required: Sequence[str]) -> Specimen | None:
    for member in tables(files, aliases, required):
        columns = columns_of(member, aliases)
        for record in islice(table_rows(member, aliases, required, lambda record: record), 1):
            if isinstance(record, Record):
                cells = ((ours, theirs, record.cells.get(ours)) for ours, theirs in columns.items())
                parts = [
                    SpecimenPart(ours, theirs, normalise(str(cell or ""))[:LONGEST]) for ours, theirs, cell in cells
                ]
                return Specimen(member.name, _encoding(member), parts)
    return None


def _encoding(member: Member) -> str:
    with member.path.open("rb") as file:
        try:
            return recognise_encoding(file).codec
        except RowRefused:
            return ""
