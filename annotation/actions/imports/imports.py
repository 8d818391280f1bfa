"""Import files of pairs or items: received, checked without storing, then stored whole or dropped.

A file is read as a stream when it is checked, and its new rows are kept on disk until they are stored. No row of it is
visible before all of them are stored.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from django.core.files import File
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.actions.adjudication import disputes
from annotation.actions.imports import file_grades, file_rows
from annotation.actions.imports.file_grades import FileGrades, brings_grade
from annotation.actions.imports.file_rows import FoundDuplicate, Kept, opening_of
from annotation.actions.imports.refused_rows import RowsRefused
from annotation.actions.projects.projects import must_be
from annotation.actions.queue.assignments import lock_queue
from annotation.actions.queue.slots import move_tail
from annotation.actions.transcription import recordings
from annotation.domain.workflow import ImportState
from annotation.importers.layout import GUESS, LayoutChoice
from annotation.importers.registry import Row, importer_of
from annotation.importers.rows import BadRow, ItemRow, excerpt
from annotation.models import DuplicateRow, GradesAre, Import, Item, Kind, Project, Purpose, RefusedRow, Slot
from annotation.selectors.imports import last_job
from core.actions.events import move, record
from core.actions.jobs import ProgressReport
from core.actions.refusals import Refused
from core.domain.batches import batched
from core.domain.text import one_line
from core.models import User
from core.models.bulk import gather_statistics, room_for_indexes

ROWS_KEPT = 10_000  # of refused and of duplicate rows each: all are counted, only this many are shown
REFUSALS = {
    "read_anew": _(
        "Nothing was stored: the file has been read with other settings in the meantime. Review it as it is read now."
    ),
    "not_waiting": _("This file is not waiting to be imported. See its page for what happened."),
    "rows_refused": _("Nothing was stored: some rows were refused. Correct them, or import only the good rows."),
    "grades_undecided": _("Nothing was stored: first choose what the column of grades is."),
    "refused_since": _(
        "Nothing was stored: the scale or the stored grades have changed since the file was read, and other rows are "
        "refused now. Look at the list, then correct the file or import the rows that are left."
    ),
    "nothing_new": _("Nothing was stored: every row of the file is already stored."),
    "busy": _("This file is being worked on. Wait until that has ended, or cancel it."),
}


def receive(
    *,
    project: Project,
    file: "File[bytes]",
    name: str,
    format: str = "auto",
    choice: LayoutChoice = GUESS,
    is_practice: bool = False,
    grades_are: GradesAre | None = None,
    by: User,
) -> Import:
    """Keep a file under a generated name without reading it. What its column of grades is may be said already.

    Its rows become work, or, with `is_practice`, practice items of a rewriting project. Raises Refused for another kind
    of project.
    """
    if is_practice:
        must_be(project, Kind.REWRITING)
    with transaction.atomic():
        file_name = one_line(Path(name).name)[:255]  # no file system and no upload has a longer name
        received = Import(
            project=project,
            file_name=file_name,
            format=format,
            choice=asdict(choice),
            purpose=Purpose.PRACTICE if is_practice else Purpose.WORK,
            grades_are=grades_are or "",
            created_by=by,
        )
        received.file.save("pairs", file, save=False)
        received.save()
        record(received, became=ImportState.RECEIVED, scope=project, by=by)
    return received


def check(*, received: Import, report: ProgressReport, by: User | None) -> Import:
    """Read the whole file and count what storing it would do. Store the refused rows and nothing else.

    All writes come at the end, so that reading the file blocks no one.
    """
    found, sorter = FileContents(), file_rows.Sorter(received.project)
    grades = FileGrades(received) if received.project.kind == Kind.RATING else None
    rows = file_rows.read(received)
    expected = file_rows.rows_expected(received)
    with Kept(received).writing() as keep:
        for chunk in batched(grades.checked(rows) if grades else rows, file_rows.CHUNK):
            new, known = sorter.new(chunk)
            keep(new)
            found.add(chunk, len(new), [each for each in known if not brings_grade(each, received)])
            done = found.taken + found.refused
            report(done, expected and max(done, expected))
    found.grades = grades.found if grades else {}
    if found.whole:
        found = FileContents(refused=1, bad=[found.whole])
    return write_down(received, found, by=by)


@dataclass
class FileContents:
    """Content of a file: number of valid rows, number of new ones, and the refused and the duplicate rows.

    A valid row that is neither new nor a duplicate has a further grade of a known pair.
    """

    taken: int = 0
    new: int = 0
    duplicate: int = 0
    refused: int = 0
    bad: list[BadRow] = field(default_factory=list)
    duplicates: list[FoundDuplicate] = field(default_factory=list)
    grades: dict[str, Any] = field(default_factory=dict)  # FileGrades.found
    whole: BadRow | None = None  # why the file, or what comes after its good rows, cannot be read

    def add(self, chunk: Iterable[Row | BadRow], new: int, duplicates: list[FoundDuplicate]) -> None:
        for row in chunk:
            if not isinstance(row, BadRow):
                self.taken += 1
                continue
            self.refused += 1
            if row.line is None:
                self.whole = row
            if len(self.bad) < ROWS_KEPT:
                self.bad.append(row)
        self.new += new
        self.duplicate += len(duplicates)
        self.duplicates += duplicates[: ROWS_KEPT - len(self.duplicates)]

    @property
    def rows(self) -> int:
        """Number of rows; zero for a file that is refused as a whole."""
        return self.taken + (self.refused if self.bad and self.bad[0].line is not None else 0)


@transaction.atomic
def write_down(received: Import, found: FileContents, *, by: User | None) -> Import:
    """Store the counts and refused rows of a reading; drop the kept rows if the import is over by now."""
    received = locked(received)
    if not received.is_open:  # it was stored or dropped while it was read
        Kept(received).drop()
        return received
    _list_rows(received, found)
    preview = importer_of(received.project).preview_of(received)
    received.encoding = preview.layout.encoding.codec if preview.layout else ""
    received.rows, received.good, received.refused = found.rows, found.new, found.refused
    received.duplicate, received.grades_found = found.duplicate, found.grades
    received.save()
    if received.state == ImportState.RECEIVED:
        move(received, ImportState.CHECKED, scope=received.project, by=by)
    return received


def _list_rows(received: Import, found: FileContents) -> None:
    """Store the refused and duplicate rows, replacing those of an earlier reading."""
    received.refused_rows.all().delete()
    RefusedRow.objects.bulk_create(_refused_row(received, row) for row in found.bad)
    received.duplicate_rows.all().delete()
    words = importer_of(received.project).words
    DuplicateRow.objects.bulk_create(
        DuplicateRow(
            origin=received,
            line=duplicate.row.line,
            first_line=duplicate.first_line,
            first_file=duplicate.first_file,
            excerpt=excerpt(words(duplicate.row)),
            opening=opening_of(duplicate.row.turns) if isinstance(duplicate.row, ItemRow) else "",
            first_opening=duplicate.first_opening,
        )
        for duplicate in sorted(found.duplicates, key=lambda duplicate: duplicate.row.line)
    )


def _refused_row(received: Import, row: BadRow) -> RefusedRow:
    return RefusedRow(
        origin=received,
        line=row.line,
        record=row.record,
        dialogue=row.dialogue,
        code=row.reason.code,
        params=dict(row.reason.params),
        excerpt=row.excerpt,
    )


def store(*, received: Import, partial: bool, report: ProgressReport, by: User | None) -> Import:
    """Store the good rows of a checked file, in an order drawn from the project's seed.

    If rows were refused, the others are stored only with `partial`. Storing twice changes nothing. Raises Refused.
    """
    received = Import.objects.select_related("project").get(pk=received.pk)
    if received.state == ImportState.CHECKED and not Kept(received).is_there:
        seen = received.refused, received.new_grades  # the kept rows are of another reading, or were deleted
        received = check(received=received, report=report, by=by)
        if (received.refused, received.new_grades) != seen:
            raise refusal("refused_since")
    recordings.keep_files(received)
    try:
        return _take_in(received, partial, report, by=by)
    except RowsRefused as refused:
        check(received=received, report=report, by=by)
        raise refusal("refused_since") from refused


@transaction.atomic
def _take_in(received: Import, partial: bool, report: ProgressReport, *, by: User | None) -> Import:
    received = locked(received)
    if received.state == ImportState.STORED:
        return received
    must_be_storable(received, partial)
    if not Kept(received).is_there:
        raise refusal("read_anew")
    disputes.lock(received.project)  # before the queue, as everywhere
    queue = lock_queue(received.project, importer_of(received.project).step)
    with room_for_indexes():
        if received.takes_gold:
            assert by  # who asked for it
            stored = file_grades.store_gold(received, by=by)
        elif received.purpose == Purpose.WORK:
            stored = file_rows.store_items(received, queue.tail, report)
            file_rows.open_slots(received, queue)
            recordings.take_in(received)
            move_tail(queue, received.good)
        else:
            stored = file_rows.store_items(received, file_rows.before_all(received), report)
    gather_statistics(Item, Slot)
    # Another file stored since the check may have brought some of these rows: they count as duplicates now.
    received.duplicate, received.good = received.duplicate + received.good - stored, stored
    if received.takes_grades:
        assert by  # who asked for it
        received.grades = file_grades.store_grades(received, report, by=by)
    received.stored_at = timezone.now()
    received.save(update_fields=["duplicate", "good", "grades", "stored_at"])
    move(received, ImportState.STORED, scope=received.project, by=by)
    transaction.on_commit(Kept(received).drop)
    return received


@transaction.atomic
def discard(*, received: Import, by: User) -> None:
    """Drop the file without storing rows; its counts and refused rows stay visible. Raises Refused while a job runs."""
    waiting = locked(received)
    must_be_idle(waiting)
    if waiting.is_open:
        move(waiting, ImportState.DISCARDED, scope=waiting.project, by=by)
        transaction.on_commit(Kept(waiting).drop)


def refusal(code: str) -> Refused:
    """Return the refusal of `REFUSALS` with this code."""
    return Refused(code, REFUSALS[code])


def must_be_idle(received: Import) -> None:
    """Raise Refused while a job works on the file."""
    job = last_job(received.project_id, received.pk)
    if job is not None and not job.is_over:
        raise refusal("busy")


def counts(received: Import) -> dict[str, Any]:
    """Return the numbers of rows for a job's or a command's result; "stored" or "good" counts the new ones."""
    return {
        "rows": received.rows,
        "stored" if received.state == ImportState.STORED else "good": received.good,
        "duplicate": received.duplicate,
        "refused": received.refused,
        **({"grades": received.grades} if received.takes_grades else {}),
    }


def locked(received: Import) -> Import:
    """Return the import as stored now, locked."""
    return Import.objects.select_for_update(of=("self",)).select_related("project").get(pk=received.pk)


def must_be_storable(received: Import, partial: bool) -> None:
    """Raise Refused unless the file was checked and has good rows; with refused rows it needs `partial`."""
    if received.state != ImportState.CHECKED:
        raise refusal("not_waiting")
    if received.refused and not partial:
        raise refusal("rows_refused")
    if received.must_decide:
        raise refusal("grades_undecided")
    if not (received.good or received.takes_grades):
        raise refusal("nothing_new")
