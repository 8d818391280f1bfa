"""Imports for their pages: the job that works on a file, and its refused rows by reason."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, QuerySet
from django.utils.translation import gettext

from annotation.domain.transcription.recordings import RecordingKind
from annotation.importers.columns import Schema, folded_name
from annotation.importers.dialogues import DialogueRow
from annotation.importers.layout import Layout, ParsedHeader
from annotation.importers.preview import ROWS, Preview
from annotation.importers.reasons import UNREADABLE, RefusalReason, kind_text, reason_text
from annotation.importers.registry import importer_of
from annotation.importers.rows import BadRow, ItemRow, PairRow
from annotation.models import DuplicateRow, Import, Project, RefusedRow
from core.models import Job

PAGE = 100  # refused rows
DUPLICATES_SHOWN = 20
NO_COLUMNS = Schema(required=())


@dataclass(frozen=True)
class RefusedKind:
    """The number of rows that were refused for one reason."""

    code: str
    text: str
    rows: int


@dataclass(frozen=True)
class Refusal:
    """A refused row, in the reader's language; without a line the whole file was refused."""

    line: int | None
    reason: str
    excerpt: str
    record: int | None
    dialogue: str


@dataclass(frozen=True)
class ImportPreview:
    """The first rows of a file and its guessed layout; or, with `refusal`, the reason why it cannot be read."""

    layout: Layout | None
    rows: list[PairRow | ItemRow | DialogueRow | Refusal]
    refusal: str = ""

    parsed_header: ParsedHeader | None = None
    schema: Schema = NO_COLUMNS
    code: str = ""  # of the refusal

    @property
    def is_unreadable(self) -> bool:
        """Tell whether no choice of how the file is read mends the refusal."""
        return self.code in UNREADABLE

    @property
    def encoding(self) -> str:
        known = self.layout or self.parsed_header
        return known.encoding.codec.upper() if known else ""

    @property
    def cells(self) -> list[list[str]]:
        """The first rows as in the file, where its columns must be mapped first."""
        return self.parsed_header.cells(ROWS) if self.parsed_header and self.refusal else []

    @property
    def others(self) -> list[str]:
        """The columns that are not read, by their names in the file."""
        if self.layout is None or self.layout.header is None:
            return []
        read = {*self.schema.heeded, *self.layout.raters}
        return [name for column, name in self._read_as if name and column not in read]

    @property
    def left_out(self) -> list[str]:
        """The columns that are not read; those without a name, too, if there is something in them."""
        header = self.parsed_header if self.layout else None
        names = enumerate(header.names) if header else ()
        numbers = [number + 1 for number, name in names if not name and header and any(header.column(number))]
        return [*self.others, *(gettext("column %(number)d (no name)") % {"number": number} for number in numbers)]

    @property
    def of_raters(self) -> list[str]:
        """The columns that hold the grades of one rater each, by their names in the file."""
        return [name for column, name in self._read_as if self.layout and column in self.layout.raters]

    @property
    def rater_columns(self) -> list[str]:
        """The columns that may hold the grades of one rater each, by their names in the file."""
        return [name for column, name in self._read_as if self.layout and column in self.layout.rater_columns]

    @property
    def has_names(self) -> bool:
        return any(row.external_id or row.source or row.topic for row in self.rows if isinstance(row, PairRow))

    @property
    def has_grades(self) -> bool:
        return any(row.graded for row in self.rows if isinstance(row, PairRow))

    @property
    def hides_states(self) -> bool:
        """Tell whether grades may be among the answers that their people discarded or did not finish."""
        return "grade" in self.schema.known and bool(self.parsed_header and self.parsed_header.hides_states)

    @property
    def lacks_grades(self) -> bool:
        """Tell whether the file names who graded, and no column is read as the grade."""
        return "grade" in self.schema.known and "rater" in self.read_from and "grade" not in self.read_from

    @property
    def lacks_answers(self) -> bool:
        """Tell whether no column is read as the right answer, which is in no picture either."""
        if "answer" not in self.schema.known or self.parsed_header is None or self.layout is None:
            return False
        names = {*map(folded_name, self.parsed_header.names)}
        return "answer" not in self.read_from and RecordingKind.ANSWER_IMAGE not in names

    @property
    def read_from(self) -> dict[str, str]:
        """A map from our columns to the file's names or numbers: as they are read, or as far as they are known."""
        if self.layout is None and self.parsed_header:
            return self.schema.found_in(self.parsed_header.names, {})
        return dict(self._read_as)

    @property
    def _read_as(self) -> list[tuple[str, str]]:
        """The columns of the file: our name of each, or its own, with its name or number in the file."""
        if self.parsed_header is None or self.layout is None:
            return []
        names = self.parsed_header.names
        if self.parsed_header.has_keys:
            return [(self.layout.renaming.get(folded_name(name), folded_name(name)), name) for name in names]
        return [*zip(self.layout.columns, names, strict=True)]


def look_at(received: Import) -> ImportPreview:
    """Return the preview of a file, read as chosen, stored or not yet."""
    importer = importer_of(received.project)
    return shown(importer.preview_of(received), importer.schema)


def shown(seen: Preview, schema: Schema) -> ImportPreview:
    """Return the preview of a file with columns of this schema, its refusals in the reader's language."""
    rows = [refusal_of(row) if isinstance(row, BadRow) else row for row in seen.rows]
    refusal, code = (reason_text(seen.refusal), seen.refusal.code) if seen.refusal else ("", "")
    return ImportPreview(seen.layout, rows, refusal, seen.parsed_header, schema, code)


def refusal_of(row: BadRow) -> Refusal:
    return Refusal(row.line, reason_text(row.reason), row.excerpt, row.record, row.dialogue)


def imports_of(project: Project) -> QuerySet[Import]:
    return project.imports.select_related("created_by")


def last_job(project: int, received: int) -> Job | None:
    """Return the job that works on the file, or the last one that did."""
    return Job.objects.filter(
        scope_kind=Project._meta.label_lower, scope_id=project, arguments__import=received
    ).first()


def refused_kinds(received: Import) -> list[RefusedKind]:
    """Return the reasons for refused rows, the most frequent first."""
    kinds = received.refused_rows.order_by().values_list("code").annotate(rows=Count("pk")).order_by("-rows", "code")
    return [RefusedKind(code, kind_text(code), rows) for code, rows in kinds]


def refused_page(received: Import, *, code: str = "", number: str = "1") -> Page[Refusal]:
    """Return one page of the refused rows in the order of the file, of one reason if a code is given."""
    rows = received.refused_rows.filter(code=code) if code else received.refused_rows.all()
    page: Page[Any] = Paginator(rows, PAGE).get_page(number)
    page.object_list = [refusal_of(row) for row in _bad_rows(received, page.object_list)]
    return page


def refusals(received: Import) -> Iterator[Refusal]:
    return map(refusal_of, bad_rows(received))


def bad_rows(received: Import) -> Iterator[BadRow]:
    """Yield the refused rows in the order of the file, as they were read."""
    return _bad_rows(received, received.refused_rows.all())


def _bad_rows(received: Import, rows: Iterable[RefusedRow]) -> Iterator[BadRow]:
    for row in rows:
        reason = RefusalReason(row.code, row.params)
        yield BadRow(received.file_name, row.line, reason, row.excerpt, row.record, row.dialogue)


def first_duplicates(received: Import) -> list[DuplicateRow]:
    return list(received.duplicate_rows.all()[:DUPLICATES_SHOWN])
