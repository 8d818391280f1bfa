"""Bringing files of pairs or items in: received, checked without storing anything, then stored whole or dropped.

A file is read as a stream, twice: once to check, once to store. Nothing of it is seen by anybody before all of it is.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

from django.core.files import File
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.actions import file_rows, jobs
from annotation.actions.assignments import lock_queue
from annotation.actions.events import move, record
from annotation.actions.file_rows import Double
from annotation.actions.jobs import Report, handles
from annotation.actions.places import move_tail
from annotation.actions.refusals import Refused
from annotation.domain.batches import batched
from annotation.domain.text import one_line
from annotation.domain.workflow import ImportState
from annotation.importers.intake import Row, intake_of
from annotation.importers.layout import GUESS, Choice
from annotation.importers.rows import BadRow, excerpt
from annotation.models import DoubleRow, Import, Item, Job, Place, Project, RefusedRow, User
from annotation.models.bulk import gather_statistics
from annotation.selectors.imports import last_job

ROWS_KEPT = 10_000  # of refused and of double rows: all are counted, so many are shown
QUICK_BYTES = 1 << 19
REFUSALS = {
    "not_waiting": _("This file is not waiting to be stored. Look at its page for what happened."),
    "rows_refused": _("Nothing was stored: some rows were refused. Mend them, or store the good rows alone."),
    "nothing_new": _("Nothing was stored: the file has no row that is not stored already."),
    "busy": _("This file is being worked on. Wait until that has ended, or cancel it."),
}


def receive(
    *, project: Project, file: "File[bytes]", name: str, format: str = "auto", choice: Choice = GUESS, by: User
) -> Import:
    """Keep a file under a name of our own; nothing of it is read yet."""
    with transaction.atomic():
        file_name = one_line(Path(name).name)[:255]  # no file system and no upload has longer ones
        received = Import(project=project, file_name=file_name, format=format, choice=asdict(choice), created_by=by)
        received.file.save("pairs", file, save=False)
        received.save()
        record(received, became=ImportState.RECEIVED, project=project, by=by)
    return received


def check(*, received: Import, report: Report, by: User | None) -> Import:
    """Read the whole file and count what storing it would do. Refused rows are written down, nothing else is stored.

    All that is written is written at the end, so that nobody waits while the file is read.
    """
    found, sorter = Found(), file_rows.Sorter(received.project)
    total = file_rows.count_lines(Path(received.file.path))
    for chunk in batched(file_rows.read(received), file_rows.CHUNK):
        found.add(chunk, *sorter.new(chunk))
        report(found.taken + found.refused, total)
    return _write_down(received, found, by=by)


@dataclass
class Found:
    """What a file holds: rows that can be taken, those of them that are new, and rows that were refused."""

    taken: int = 0
    new: int = 0
    refused: int = 0
    bad: list[BadRow] = field(default_factory=list)
    doubles: list[Double] = field(default_factory=list)

    def add(self, chunk: Iterable[Row | BadRow], new: list[Row], doubles: list[Double]) -> None:
        for row in chunk:
            if not isinstance(row, BadRow):
                self.taken += 1
                continue
            self.refused += 1
            if len(self.bad) < ROWS_KEPT:
                self.bad.append(row)
        self.new += len(new)
        self.doubles += doubles[: ROWS_KEPT - len(self.doubles)]

    @property
    def rows(self) -> int:
        """A file that is refused as a whole has none."""
        return self.taken + (self.refused if self.bad and self.bad[0].line is not None else 0)


@transaction.atomic
def _write_down(received: Import, found: Found, *, by: User | None) -> Import:
    received = _locked(received)
    if not received.is_open:
        return received  # dropped while it was read
    _list_rows(received, found)
    look = intake_of(received.project).look(received)
    received.encoding = look.layout.encoding.codec if look.layout else ""
    received.rows, received.good, received.refused = found.rows, found.new, found.refused
    received.double = found.taken - found.new
    received.save()
    if received.state == ImportState.RECEIVED:
        move(received, ImportState.CHECKED, project=received.project, by=by)
    return received


def _list_rows(received: Import, found: Found) -> None:
    """The refused and double rows, in place of those that an earlier reading found."""
    received.refused_rows.all().delete()
    RefusedRow.objects.bulk_create(
        RefusedRow(
            origin=received, line=row.line, record=row.record, dialogue=row.dialogue, code=row.reason.code,
            params=dict(row.reason.params), excerpt=row.excerpt,
        )
        for row in found.bad
    )  # fmt: skip
    received.double_rows.all().delete()
    words = intake_of(received.project).words
    DoubleRow.objects.bulk_create(
        DoubleRow(
            origin=received, line=double.row.line, first_line=double.first_line, first_file=double.first_file,
            excerpt=excerpt(words(double.row)),
        )
        for double in sorted(found.doubles, key=lambda double: double.row.line)
    )  # fmt: skip


def store(*, received: Import, partial: bool, report: Report, by: User | None) -> Import:
    """Store the good rows of a checked file, in an order drawn from the project's seed.

    With refused rows it takes `partial` to store the others. Storing twice changes nothing. Raises Refused.
    """
    received = Import.objects.select_related("project").get(pk=received.pk)
    if received.state == ImportState.STORED:
        return received
    _may_be_stored(received, partial)
    with file_rows.spooled(received, report) as spool:
        return _take_in(received, spool, partial, by=by)


@transaction.atomic
def _take_in(received: Import, spool: IO[bytes], partial: bool, *, by: User | None) -> Import:
    received = _locked(received)
    if received.state == ImportState.STORED:
        return received  # by another, while its rows were read
    _may_be_stored(received, partial)
    queue = lock_queue(received.project, intake_of(received.project).step)
    stored = file_rows.store_items(received, queue.tail, spool)
    file_rows.open_places(received, queue)
    move_tail(queue, received.good)
    gather_statistics(Item, Place)
    # Another file stored since the check may have brought some of these rows: they count as double now.
    received.double, received.good = received.double + received.good - stored, stored
    received.stored_at = timezone.now()
    received.save(update_fields=["double", "good", "stored_at"])
    move(received, ImportState.STORED, project=received.project, by=by)
    return received


@transaction.atomic
def discard(*, received: Import, by: User) -> None:
    """Store nothing of the file. Its counts and refused rows stay to be looked at. Raises Refused while a job runs."""
    locked = _locked(received)
    _must_be_idle(locked)
    if locked.is_open:
        move(locked, ImportState.DISCARDED, project=locked.project, by=by)


def is_quick(job: Job) -> bool:
    """Whether the job is on a file so small that reading or storing it takes less than half a second."""
    return _import_of(job).file.size < QUICK_BYTES


def _page(job: Job) -> tuple[str, list[Any]]:
    assert job.project is not None
    return "import", [job.project.slug, job.arguments["import"]]


def _import_of(job: Job) -> Import:
    return Import.objects.get(pk=job.arguments["import"])


@handles("check_import", title=_("Reading the file"), page=_page, refusals=REFUSALS, is_quick=is_quick)
def run_check(job: Job, report: Report) -> dict[str, Any]:
    """`counts` of the file that was read."""
    return counts(check(received=_import_of(job), report=report, by=job.created_by))


@handles("store_import", title=_("Storing the rows"), page=_page, refusals=REFUSALS, is_quick=is_quick)
def run_store(job: Job, report: Report) -> dict[str, Any]:
    """`counts` of the file that was stored."""
    return counts(store(received=_import_of(job), partial=job.arguments["partial"], report=report, by=job.created_by))


@transaction.atomic
def ask_for_check(*, received: Import, format: str | None = None, choice: Choice | None = None, by: User) -> Job | None:
    """A job that reads the file, in another format or by another choice than before if one is named. None for a file
    whose first look refuses it: that is written down at once. Raises Refused.
    """
    received = _locked(received)
    _must_be_idle(received)
    if not received.is_open:
        raise refusal("not_waiting")
    received.format = received.format if format is None else format
    received.choice = received.choice if choice is None else asdict(choice)
    received.save(update_fields=["format", "choice"])
    if unreadable := intake_of(received.project).look(received).refusal:
        whole = BadRow(received.file_name, None, unreadable)
        _write_down(received, Found(refused=1, bad=[whole]), by=by)
        return None
    return jobs.ask_for(kind="check_import", arguments={"import": received.pk}, project=received.project, by=by)


@transaction.atomic
def ask_for_store(*, received: Import, partial: bool, by: User) -> Job:
    """A job that stores the good rows. Raises Refused."""
    received = _locked(received)
    _must_be_idle(received)
    _may_be_stored(received, partial)
    arguments = {"import": received.pk, "partial": partial}
    return jobs.ask_for(kind="store_import", arguments=arguments, project=received.project, by=by)


def refusal(code: str) -> Refused:
    """The refusal with this code of `REFUSALS`."""
    return Refused(code, REFUSALS[code])


def _must_be_idle(received: Import) -> None:
    job = last_job(received.project_id, received.pk)
    if job is not None and not job.is_over:
        raise refusal("busy")


def counts(received: Import) -> dict[str, Any]:
    """What a job or a command says of the file: numbers of rows, those that are stored or could be among them."""
    return {
        "rows": received.rows,
        "stored" if received.state == ImportState.STORED else "good": received.good,
        "double": received.double,
        "refused": received.refused,
    }


def _locked(received: Import) -> Import:
    return Import.objects.select_for_update(of=("self",)).select_related("project").get(pk=received.pk)


def _may_be_stored(received: Import, partial: bool) -> None:
    if received.state != ImportState.CHECKED:
        raise refusal("not_waiting")
    if received.refused and not partial:
        raise refusal("rows_refused")
    if not received.good:
        raise refusal("nothing_new")
