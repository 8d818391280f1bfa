"""The layout of a file: encoding, format, delimiter and header, guessed from its content."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from annotation.domain.rating.rating import Scale
from annotation.importers.columns import (
    LEFT_OUT,
    Schema,
    folded_name,
    read_as,
    refuse_repeated,
    renaming,
    with_aliases,
)
from annotation.importers.encoding import LINE_LIMIT, Encoding
from annotation.importers.rater_columns import BOTH, rater_columns
from annotation.importers.reasons import RefusalReason
from annotation.importers.rows import excerpt
from core.domain.text import is_spaced_chinese, join_chinese, join_spaced_chinese, normalise

HEAD = 4096
OBJECTS = ("jsonl", "json", "zip")
DELIMITERS = {"auto": "\t,;", "tsv": "\t", "csv": ",;"}


@dataclass(frozen=True, slots=True)
class LayoutChoice:
    """Choices made by hand where a guess was wrong: codec, sheet, header or not, columns. The rest is guessed.

    `columns` maps our names to the file's (numbers from 1 without a header, empty for none). `longest_line` is counted
    in bytes. Between the turns in a cell is the `separator`. The right answer of an item may be a number, which is
    `first_number` for the first choice. With `numbers_speakers`, utterances without a speaker are said by A and B in
    turn. With `keeps_others`, columns of dialogues that are none of ours become facts of them. `raters` are the columns
    that hold the grades of one rater each; None: guessed, by the `scale` of the project, too, which no one chooses.
    """

    encoding: str = ""
    sheet: str = ""
    header: bool | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    longest_line: int = LINE_LIMIT
    separator: str = ""
    first_number: int | None = None
    numbers_speakers: bool = False
    keeps_others: bool = False
    raters: Sequence[str] | None = None
    scale: Scale | None = None


GUESS = LayoutChoice()


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout: ``header`` as written, None where there is none; ``columns``: our name for each column.

    Both are empty for json and jsonl, in which ``renaming`` maps keys to our names. The rows of a ``sheet`` come after
    ``header_row``. ``raters``: who gave the grades in each column that holds those of one rater; the columns that may
    be such ones are ``rater_columns``. With ``has_verdicts`` the objects say what became of their tasks, as Prodigy's.
    """

    format: str
    encoding: Encoding
    delimiter: str = ""
    header: tuple[str, ...] | None = ()
    columns: tuple[str, ...] = ()
    renaming: Mapping[str, str] = field(default_factory=dict)
    is_spaced: bool = False
    sheet: str = ""
    header_row: int = 0
    raters: Mapping[str, str] = field(default_factory=dict)
    rater_columns: Sequence[str] = ()
    has_verdicts: bool = False

    @property
    def has_lines(self) -> bool:
        """Tell whether a line of the file is mostly a row."""
        return self.format in (*DELIMITERS, "jsonl")

    def in_its_words(self, reason: RefusalReason) -> RefusalReason:
        """Return the reason with the file's own name of a column where it has ours; columns of raters stand for two."""
        names = {ours: name for name, ours in self.renaming.items() if ours}
        names |= zip(self.columns, self.header or (), strict=False)
        if self.raters:
            names |= dict.fromkeys(BOTH, ", ".join(names.get(column, column) for column in self.raters))
        column = names.get(str(reason.params.get("column")))
        return RefusalReason(reason.code, {**reason.params, "column": excerpt(column)}) if column else reason

    def tidy(self, text: str) -> str:
        """Return a prompt or response as stored. In a file of spaced Chinese even a single space is artificial."""
        text = normalise(text)
        if " " not in text:
            return text
        join = join_chinese if self.is_spaced else join_spaced_chinese
        return normalise(join(text))  # a mark that comes to stand beside its letter is composed with it


@dataclass(frozen=True, slots=True)
class ParsedHeader:
    """A file before its columns are mapped. ``names`` are those of the header, the keys, or numbers from 1.

    ``texts`` are some of its texts, and ``first`` its first rows as written, a cell for each of the names. A workbook
    has ``sheets``, of which ``sheet`` is read. A tool's export may hold answers and hide which of them are unfinished,
    or say of each task whether it was accepted.
    """

    format: str
    encoding: Encoding
    names: tuple[str, ...]
    texts: Sequence[str]
    first: Sequence[Sequence[str]]
    delimiter: str = ""
    has_header: bool = False
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    header_row: int = 0
    hides_states: bool = False
    has_verdicts: bool = False

    @property
    def has_keys(self) -> bool:
        """Tell whether the rows are objects, which name their cells themselves."""
        return self.format in OBJECTS

    def layout(self, schema: Schema, choice: LayoutChoice) -> Layout:
        """Return the layout with columns read as chosen, else by name or position. Raises RowRefused."""
        chosen = dict(choice.columns)
        is_spaced = is_spaced_chinese("\n".join(self.texts))
        if not (self.has_header or self.has_keys):
            chosen = {name: str(position) for position, name in enumerate(schema.required, start=1)} | chosen
        first = {name: self.column(number) for number, name in enumerate(self.names)}
        is_named = self.has_header or self.has_keys
        found = rater_columns(first, schema, chosen, choice.scale if is_named else None)
        taken = found.likely if choice.raters is None else [*map(folded_name, choice.raters)]
        raters = {column: rater for column, rater in found.raters.items() if column in taken}
        if found.raters:
            chosen |= dict.fromkeys(BOTH, LEFT_OUT)
        elif found.grade:
            chosen["grade"] = found.grade
        chosen = with_aliases(self.names, schema, chosen)
        # No names: no line of the sample is an object, and each is refused by itself.
        columns = read_as(self.names, schema, chosen) if self.names else ()
        refuse_repeated(columns, self.names, {*schema.heeded, *raters})
        if self.has_keys:
            return Layout(
                self.format,
                self.encoding,
                renaming=renaming(chosen),
                is_spaced=is_spaced,
                raters=raters,
                rater_columns=tuple(found.raters),
                has_verdicts=self.has_verdicts,
            )
        return Layout(
            self.format,
            self.encoding,
            self.delimiter,
            self.names if self.has_header else None,
            columns,
            is_spaced=is_spaced,
            sheet=self.sheet,
            header_row=self.header_row,
            raters=raters,
            rater_columns=tuple(found.raters),
        )

    def column(self, number: int) -> list[str]:
        """Return the first cells of a column, which has a number from 0."""
        return [row[number] for row in self.first if number < len(row)]

    def cells(self, rows: int) -> list[list[str]]:
        """Return the first rows as written, a cell for each of the names."""
        return [list(map(excerpt, row[: len(self.names)])) for row in self.first[:rows]]
