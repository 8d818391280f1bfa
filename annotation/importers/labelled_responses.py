"""Douban's corpus, the E-commerce corpus and others of their form: a line is a label, the turns of a context and a
response, with tabs between them.

The lines of one context follow each other. With two of them, the false response was drawn and the true one makes a
dialogue; with more, they are the candidates of an instance, as in the test sets, if people found one of them right.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import cycle, groupby
from operator import attrgetter
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from annotation.domain.corpora.dialogue import Turn
from annotation.domain.corpora.ledger import ImportLedger
from annotation.importers.archive import Member
from annotation.importers.dialogues import (
    LONGEST_LINE,
    MOST_CANDIDATES,
    MOST_TURNS,
    DialogueRow,
    IdsByFile,
    Recipe,
    first_lines,
    in_order_of_splits,
    line_feeds,
    split_named,
    text,
)
from annotation.importers.encoding import recognise_encoding
from annotation.importers.lines import read_lines
from annotation.importers.reasons import RefusalReason, RowRefused
from annotation.importers.rows import BadRow, excerpt
from annotation.importers.ubuntu_csv import FALSE_RESPONSE
from core.domain.text import digest

RULES: Mapping[str, Any] = {}
HEEDS: Sequence[str] = ()
LABELS = {"0", "1"}
FEWEST_CELLS = 3  # a label, a turn, a response
DRAWN = 2  # lines of a context whose false response was drawn
NOT_ONE_RIGHT = "not_one_right"  # reason for dropping the lines of a context
REFUSED_CONTEXT = "refused_context"  # reason for dropping the other lines of a context


class LabelledLine(NamedTuple):
    """A response to a context that is right or not."""

    number: int
    context: list[str]
    response: str
    is_right: bool


class ContextLine(NamedTuple):
    """A line with the cells of its context as they are written: lines of one context follow each other."""

    context: list[str]
    row: LabelledLine | BadRow


def fits(files: Sequence[Member]) -> bool:
    """Tell whether the first line of a file is a label, turns and a response."""
    return bool(_meant(files))


def total(files: Sequence[Member]) -> int:
    """Return the number of lines, counted by line feeds."""
    return line_feeds(_meant(files))


def read(files: Sequence[Member], ledger: ImportLedger, _recipe: Recipe) -> Iterator[DialogueRow | BadRow]:
    """Yield the dialogues and instances of all files. Raises RowRefused where there are none."""
    meant = _meant(files)
    if not meant:
        raise RowRefused("no_labelled_lines")
    ledger.files_not_read = len(files) - len(meant)
    ids = IdsByFile()
    for member in meant:
        for _context, lines in groupby(_lines(member, ledger), key=attrgetter("context")):
            for row in _of_context((line.row for line in lines), member, ledger):
                yield row._replace(id=ids.next_of(member)) if isinstance(row, DialogueRow) else row


def _meant(files: Sequence[Member]) -> list[Member]:
    """Return the files to read: train, then dev and test."""
    return in_order_of_splits(filter(_is_labelled, files))


def _is_labelled(member: Member) -> bool:
    if any(part.startswith((".", "__MACOSX")) for part in PurePosixPath(member.name).parts):
        return False
    cells = "".join(first_lines([member], 1)).split("\t")
    return cells[0] in LABELS and len(cells) >= FEWEST_CELLS


def _lines(member: Member, ledger: ImportLedger) -> Iterator[ContextLine]:
    """Yield the lines of a file. One that cannot be read as text is taken for one of the context before it."""
    context: list[str] = []
    turns: list[str] = []
    with member.path.open("rb") as file:
        encoding = replace(recognise_encoding(file), longest_line=LONGEST_LINE)
        for line in read_lines(file, encoding):
            if line.is_blank:
                continue
            ledger.has_read()
            try:
                if line.flaw:
                    raise RowRefused(line.flaw.code, **line.flaw.params)
                label, *cells = line.text.rstrip("\r\n").split("\t")
                if cells[:-1] != context:
                    context, turns = cells[:-1], []
                turns = turns or _context(context)  # many lines share it
                row: LabelledLine | BadRow = _line(line.number, label, turns, cells)
            except RowRefused as refused:
                row = BadRow(member.name, line.number, refused.reason, excerpt(line.text))
            yield ContextLine(context, row)


def _context(cells: Sequence[str]) -> list[str]:
    turns = [turn for each in cells if (turn := text(each, "context"))]
    if not turns:
        raise RowRefused("no_context")
    if len(turns) >= MOST_TURNS:
        raise RowRefused("turns_count", limit=MOST_TURNS)
    return turns


def _line(number: int, label: str, turns: list[str], cells: Sequence[str]) -> LabelledLine:
    if label not in LABELS:
        raise RowRefused("label_unknown", label=label[:20])
    response = text(cells[-1], "response")
    if not response:
        raise RowRefused("no_response")
    return LabelledLine(number, turns, response, label == "1")


def _of_context(
    rows: Iterable[LabelledLine | BadRow], member: Member, ledger: ImportLedger
) -> Iterator[DialogueRow | BadRow]:
    """Yield what the lines of one context make; if one of them is refused, the others make nothing."""
    lines: list[LabelledLine] = []
    is_refused = False
    for row in rows:
        if isinstance(row, LabelledLine) and len(lines) < MOST_CANDIDATES:
            lines.append(row)
            continue
        is_refused = True
        yield _one_too_many(row, member) if isinstance(row, LabelledLine) else row
    if is_refused:
        ledger.dropped[REFUSED_CONTEXT] += len(lines)
    else:
        yield from _made(lines, member, ledger)


def _one_too_many(line: LabelledLine, member: Member) -> BadRow:
    reason = RefusalReason("candidates_count", {"limit": MOST_CANDIDATES})
    return BadRow(member.name, line.number, reason, excerpt(line.response))


def _made(lines: Sequence[LabelledLine], member: Member, ledger: ImportLedger) -> Iterator[DialogueRow]:
    """Yield a dialogue for each right response, or one instance."""
    right = [line for line in lines if line.is_right]
    if len(lines) <= DRAWN:
        ledger.kept += len(right)
        ledger.dropped[FALSE_RESPONSE] += len(lines) - len(right)
        yield from (_dialogue([*line.context, line.response], member) for line in right)
    elif len(right) != 1:
        ledger.dropped[NOT_ONE_RIGHT] += len(lines)
    else:
        ledger.kept += 1
        ledger.joined += len(lines) - 1
        candidates = [line.response for line in lines]
        yield _dialogue(lines[0].context, member)._replace(candidates=candidates, answer=lines.index(right[0]))


def _dialogue(texts: Sequence[str], member: Member) -> DialogueRow:
    """Return a dialogue of two people who take turns. Those that share their first turn are of one conversation."""
    turns = [Turn(speaker=speaker, text=said) for speaker, said in zip(cycle("AB"), texts, strict=False)]
    return DialogueRow("", split_named(member.name), turns, conversation=digest(texts[0]))
