"""Import grades given elsewhere, from a csv file: columns item, rater, grade [, prompt, response, type, dialogue].

An item may have any number of raters; unknown items are created. If a row is refused, nothing is stored; with --partial
gaps and other rows that cannot be read are left out and counted. Rows whose column counted is no are not imported.
Example: manage.py import_ratings quality grades.csv
"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.actions.rating.imported_ratings import import_ratings
from annotation.management.finding import project
from core.management.command import ColloquyCommand, ProgressPrinter, counted, readable_file
from core.models import User


class Command(ColloquyCommand):
    help = __doc__
    permission = "pairs.import"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("file", metavar="FILE", type=readable_file)
        parser.add_argument("--partial", action="store_true", help="store the good rows when others are refused")

    def act(self, *, by: User, slug: str, file: Path, partial: bool, **options: Any) -> None:
        stored = import_ratings(
            project=project(slug, permission=self.permission, by=by),
            path=file,
            is_partial=partial,
            report=ProgressPrinter(self, "grades"),
            by=by,
        )
        self.list_refused(stored.rows_refused)
        self.say(
            stored._asdict(),
            f"{counted(stored.ratings, 'grade')} by {counted(stored.raters, 'rater')} stored; "
            f"{counted(stored.items, 'item')} made, "
            f"{counted(stored.duplicate, 'grade was', 'grades were')} stored before"
            + f", {stored.uncounted:,} did not count where they come from" * bool(stored.uncounted)
            + f", {counted(stored.refused, 'row was', 'rows were')} refused and left out" * bool(stored.refused)
            + ".",
        )
