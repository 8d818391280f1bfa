"""Import gold, pairs whose grade is known, from a csv, tsv or jsonl file.

Columns: prompt, response, grade [, type, explanation]. Annotators practise on these pairs, and meet some of them while
rating; no figure counts them. If a row is refused, nothing is stored. Example: manage.py import_gold forum gold.csv
"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.actions.qualification.gold import import_gold
from annotation.management.finding import project
from core.management.command import ColloquyCommand, counted, readable_file
from core.models import User


class Command(ColloquyCommand):
    help = __doc__
    permission = "pairs.import"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("file", metavar="FILE", type=readable_file)
        parser.add_argument("--correct", action="store_true", help="let the file change what is known of stored pairs")

    def act(self, *, by: User, slug: str, file: Path, correct: bool, **options: Any) -> None:
        outcome = import_gold(
            project=project(slug, permission=self.permission, by=by),
            source=file,
            file_name=file.name,
            corrects=correct,
            by=by,
        )
        self.say(
            outcome._asdict(),
            f"{counted(outcome.stored, 'gold pair')} stored; {counted(outcome.duplicate, 'was', 'were')} stored before"
            + f", {counted(outcome.corrected, 'is', 'are')} corrected" * bool(outcome.corrected)
            + ".",
        )
