"""Base of the commands that import a file into a project: checked first, then stored whole, in part or not at all."""

from pathlib import Path
from typing import Any

from django.core.files import File
from django.core.management.base import CommandParser

from annotation.actions.imports import imports
from annotation.actions.imports.refused_rows import refused_line
from annotation.actions.projects.projects import must_be
from annotation.importers.registry import PROJECT_IMPORTERS
from annotation.management.finding import project
from annotation.management.layout import add_layout_options, layout_choice
from annotation.models import GradesAre, Import, Kind
from annotation.selectors.imports import bad_rows
from core.management.command import ColloquyCommand, ProgressPrinter, counted, readable_file
from core.models import User


class ImportCommand(ColloquyCommand):
    """Command that imports a file into a project of one kind; `thing` names what a row becomes."""

    kind: Kind
    thing: str

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("file", metavar="FILE", type=readable_file)
        parser.add_argument("--format", default="auto", choices=PROJECT_IMPORTERS[self.kind].formats)
        add_layout_options(parser, PROJECT_IMPORTERS[self.kind].columns)
        parser.add_argument("--partial", action="store_true", help="store the good rows when others are refused")

    def is_practice(self, **options: Any) -> bool:
        """Tell whether the rows become practice items."""
        return False

    def act(self, *, by: User, slug: str, file: Path, format: str, partial: bool, **options: Any) -> None:
        target = project(slug, permission=self.permission, by=by)
        must_be(target, self.kind)
        with file.open("rb") as opened:
            received = imports.receive(
                project=target,
                file=File(opened),
                name=file.name,
                format=format,
                choice=layout_choice(**options),
                is_practice=self.is_practice(**options),
                grades_are=GradesAre.OUT,  # import_ratings and import_gold take them
                by=by,
            )
        received = imports.check(received=received, report=ProgressPrinter(self, "rows read"), by=by)
        rows = list(map(refused_line, bad_rows(received)))
        self.list_refused(rows)
        if rows and not (partial and received.rows > received.refused):
            imports.discard(received=received, by=by)
            self.refuse(_why_nothing(received), **imports.counts(received), stored=0, rows_refused=rows)
        if received.good:
            received = imports.store(
                received=received, partial=partial, report=ProgressPrinter(self, f"{self.thing}s stored"), by=by
            )
        else:
            imports.discard(received=received, by=by)
        stored = received.good
        self.say(
            {
                "rows": received.rows,
                "stored": stored,
                "duplicate": received.duplicate,
                "refused": received.refused,
                "rows_duplicate": _duplicate_rows(received),
                "rows_refused": rows,
            },
            f"{counted(stored, self.thing)} stored of {counted(received.rows, 'row')}; "
            f"{received.duplicate:,} duplicate, {received.refused:,} refused.",
        )


def _duplicate_rows(received: Import) -> list[dict[str, Any]]:
    """Return each duplicate row with its first occurrence: a line of this file, or of the file named."""
    return [dict(row) for row in received.duplicate_rows.values("line", "first_line", "first_file")]


def _why_nothing(received: Import) -> str:
    if not received.rows:
        return "Nothing was stored: the file cannot be read."
    if received.rows == received.refused:
        which = "the row was" if received.rows == 1 else f"all {received.rows:,} rows were"
        return f"Nothing was stored: {which} refused."
    return (
        f"Nothing was stored: {received.refused:,} of {received.rows:,} rows were refused. "
        "Correct them, or store the others with --partial."
    )
