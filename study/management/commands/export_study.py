"""Write a closed study to a folder, with a codebook. Example: manage.py export_study lines --out lines-export

People are named by random ids. Nothing in the files tells who they are on a platform, or at what time they answered.
"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from core.management.command import ColloquyCommand, folder, writing_to
from core.models.people import User
from study.exporters.study_tables import FORMATS
from study.management.command import study
from study.selectors.results.export import SMALL, is_exportable, small_cells_of, write


class Command(ColloquyCommand):
    help = __doc__
    permission = "study.view"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("--out", required=True, type=folder, metavar="FOLDER")
        parser.add_argument("--format", choices=FORMATS, default="csv")

    def act(self, *, by: User, slug: str, out: Path, format: str, **options: Any) -> None:
        found = study(slug, by=by)
        if not is_exportable(found):
            self.refuse(f"No export before “{slug}” closes: manage.py close_study {slug}", code="still_open")
        with writing_to(out):
            files = write(found, format=format, folder=out)
        small = small_cells_of(found)
        if small.people:
            self.stderr.write(
                f"{small.people:,} people share what they say about themselves with fewer than {SMALL}: they may be "
                "recognised. Leave out columns, or join answers, before you publish people."
            )
        shown = [str(path) for path in files]
        result = {"study": slug, "files": shown, "small_cells": vars(small)}
        self.say(result, f"Study {slug} written: {', '.join(shown)}")
