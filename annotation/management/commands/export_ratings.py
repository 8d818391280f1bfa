"""Write every grade of a project to a file, one per row. Example: manage.py export_ratings forum --out ratings.csv"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.actions.projects.projects import must_be
from annotation.management.finding import project
from annotation.models import Kind
from annotation.selectors.rating.rating_rows import COLUMNS, FORMATS, rating_rows
from core.management.command import ColloquyCommand, ProgressPrinter, counted, file_to_write, writing_to
from core.models import User


class Command(ColloquyCommand):
    help = __doc__
    permission = "project.view"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("--out", required=True, type=file_to_write, metavar="FILE", help="its ending is the format")
        parser.add_argument("--format", choices=sorted(FORMATS), help="where the ending does not")

    def act(self, *, by: User, slug: str, out: Path, format: str | None, **options: Any) -> None:
        format = format or out.suffix.removeprefix(".").lower()
        if format not in FORMATS:
            known = " or ".join(f".{name}" for name in FORMATS)
            raise CommandError(f"Let the name of the file end in {known}, or name a --format.", returncode=2)
        found = project(slug, permission=self.permission, by=by)
        must_be(found, Kind.RATING)
        report, rows = ProgressPrinter(self, "grades"), 0

        def told() -> Iterator[Any]:
            nonlocal rows
            for row in rating_rows(found):
                rows += 1
                report(rows)
                yield row

        with writing_to(out), out.open("wb") as file:
            file.writelines(FORMATS[format](COLUMNS, told()))
        self.say({"project": slug, "ratings": rows, "file": str(out)}, f"{counted(rows, 'grade')} written to {out}")
