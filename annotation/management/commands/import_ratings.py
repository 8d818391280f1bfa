"""Import grades given elsewhere, from a csv file: columns item, rater, grade [, prompt, response, type, counted].

An item may have any number of raters; unknown items are created. If a row is refused, nothing is stored.
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

    def act(self, *, by: User, slug: str, file: Path, **options: Any) -> None:
        stored = import_ratings(project=project(slug, by=by), path=file, report=ProgressPrinter(self, "grades"), by=by)
        self.say(
            stored._asdict(),
            f"{counted(stored.ratings, 'grade')} by {counted(stored.raters, 'rater')} stored; "
            f"{counted(stored.items, 'item')} made, "
            f"{counted(stored.duplicate, 'grade was', 'grades were')} stored before"
            + f", {stored.uncounted:,} did not count where they come from" * bool(stored.uncounted)
            + ".",
        )
