"""Context of the page of an import: its outcome, and its reading with the forms that change it."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.translation import gettext as _

from annotation.actions.imports.file_grades import OTHER
from annotation.actions.imports.imports import ROWS_KEPT
from annotation.domain.workflow import ImportState, ItemState
from annotation.forms.imports import COLUMNS, GradesForm, ReadingForm, formats_of
from annotation.importers.layout import LayoutChoice, ParsedHeader
from annotation.importers.pairs import ASKED
from annotation.importers.registry import choice_of, importer_of
from annotation.importers.rows import PairRow
from annotation.models import Import, Item, Kind, Project
from annotation.presenters.reading_choices import reading_as_sent
from annotation.selectors.imports import ImportPreview, first_duplicates, look_at, refused_kinds, refused_page
from annotation.selectors.projects.members import members_named
from core.models import Job
from core.presenters.jobs import watch


@dataclass(frozen=True)
class FileGradesShown:
    """What is in the columns of grades: cells by grade of the scale, without one, and with something else.

    As grades already given some are `new`, others are `repeated` (in the file or stored before), `of_gold` or
    `of_cleaned`; what is `uncounted` where it comes from is none of them. `people` are those who gave new ones, with
    their number, and whether each is a member who signs in by that name.
    """

    form: GradesForm
    by_grade: list[tuple[int, int]]
    empty: int
    other: int
    graded: int
    cells: int
    nameless: int
    new: int
    repeated: int
    of_gold: int
    of_cleaned: int
    uncounted: int
    people: list[tuple[str, int, bool]]
    most: int


@dataclass(frozen=True)
class RowAsRated:
    """A row of a file as the rating page would show it, with what is told `about` it."""

    row: PairRow
    about: str


def grades_of(received: Import, form: GradesForm | None = None) -> FileGradesShown | None:
    """Return what the column of grades holds, with the form that says what it is; None where nothing is to decide."""
    found = received.grades_found
    if not found or not received.is_open or not (received.must_decide or received.grades_are):
        return None
    values = found["values"]
    members = members_named(received.project, list(found["raters"]))
    by_grade = [(grade, values.get(str(grade), 0)) for grade in received.project.rating.grades.grades]
    return FileGradesShown(
        form=form or GradesForm(received=received),
        by_grade=by_grade,
        empty=values.get("", 0),
        other=values.get(OTHER, 0),
        graded=sum(cells for _grade, cells in by_grade),
        cells=sum(values.values()),
        nameless=found["nameless"],
        new=received.new_grades,
        repeated=found.get("repeated", 0),
        of_gold=found.get("of_gold", 0),
        of_cleaned=found.get("of_cleaned", 0),
        uncounted=found.get("uncounted", 0),
        people=[(name, given, name in members) for name, given in found["raters"].items()],
        most=max(values.values(), default=0),
    )


def outcome_of(received: Import, job: Job | None, query: QueryDict) -> dict[str, Any]:
    """Return what came of the import, with the page of refused rows that the query names."""
    code = query.get("reason", "")
    is_read = received.state == ImportState.CHECKED and bool(received.rows) and not (job and not job.is_over)
    return {
        "is_read": is_read,
        "is_storable": is_read and bool(received.must_decide or received.good or received.takes_grades),
        "format_read": _format_read(received),
        "project": received.project,
        "received": received,
        "watch": watch(job) if job and not job.is_over else None,
        "ended": watch(job) if job and received.is_open and job.came_to_nothing else None,
        "grades": grades_of(received),
        "duplicates": first_duplicates(received),
        "kinds": refused_kinds(received),
        # Counting looks at each item of the file, and pairs have no recordings.
        "recorded": received.project.kind != Kind.RATING and received.items.filter(state=ItemState.RECORDED).count(),
        "listed": ROWS_KEPT,
        "reason": code,
        "query": urlencode({"reason": code}) if code else "",
        "page": refused_page(received, code=code, number=query.get("page", "1")),
    }


def _format_read(received: Import) -> str:
    """Return how a closed file was read, which tells what its rows are called in lists; of an open one the preview
    tells. Empty where there are no lists.
    """
    if received.is_open or not (received.refused or received.duplicate):
        return ""
    try:
        layout = importer_of(received.project).preview_of(received).layout
    except OSError:  # the database may have been restored without the files
        return ""
    return layout.format if layout else ""


def read_as_chosen(received: Import, sent: QueryDict) -> dict[str, Any]:
    """Set the format and layout of `received` from what was `sent`; return the preview and the forms to change them."""
    if not received.is_open:
        return {}
    project = received.project
    importer = importer_of(project)

    def look(format: str, choice: LayoutChoice) -> ImportPreview:
        received.format, received.choice = format, asdict(choice)
        return look_at(received)

    def form(sent: QueryDict | None, header: ParsedHeader | None) -> ReadingForm:
        asks = importer.asks if header else importer.asks_without_columns
        return ReadingForm(
            sent,
            formats=formats_of(project),
            format=received.format,
            choice=choice_of(received),
            asks=asks,
            header=header,
        )

    reading = reading_as_sent(look, form, importer.columns, received.format, choice_of(received), sent)
    return {
        "look": reading.look,
        "reading_form": reading.form,
        "columns_form": reading.columns_form,
        "is_trial": reading.is_trial,
        **(_readers(project) if project.kind == Kind.RATING else {}),
        "as_rater": _as_rater(project, reading.look.rows),
    }


def _as_rater(project: Project, rows: Iterable[object]) -> RowAsRated | None:
    """Return the first good row of pairs as raters would see it; None where there is none."""
    row = next((row for row in rows if isinstance(row, PairRow)), None)
    if row is None:
        return None
    return RowAsRated(row, Item(source=row.source, topic=row.topic).about(project.rating.told))


def _readers(project: Project) -> dict[str, str]:
    """Name the columns of pairs that all who work on them read, and those that researchers alone read."""
    for_all = {"prompt", "response", *project.rating.told}
    hidden = {*for_all, *ASKED}
    labels = {name: COLUMNS[name] for name in COLUMNS if name in importer_of(project).columns}
    return {
        "for_all": _(", ").join(str(label) for name, label in labels.items() if name in for_all),
        "for_researchers": _(", ").join(str(label) for name, label in labels.items() if name not in hidden),
    }
