"""Freeze a report of a closed study, and write it to a folder. Example: manage.py report lines --out lines-report

The folder has a page that opens without a server, figures, tables as CSV and LaTeX, and the data without names. Where
nothing has changed since the last report, it is that one again.
"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from core.management.command import ColloquyCommand, ProgressPrinter, folder, writing_to
from core.models.people import User
from study.actions import reports
from study.management.command import study
from study.presenters.reports.shown import write_folder


class Command(ColloquyCommand):
    help = __doc__
    permission = "study.view"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("--out", required=True, type=folder, metavar="FOLDER")

    def act(self, *, by: User, slug: str, out: Path, **options: Any) -> None:
        found = study(slug, by=by)
        frozen = reports.freeze(study=found, report=ProgressPrinter(self, "figures"), by=by)
        with writing_to(out):
            files = [str(path) for path in write_folder(frozen, out)]
        result = {"study": slug, "report": frozen.number, "checksum": frozen.checksum, "files": files}
        self.say(result, f"Report {frozen.number} of {slug}: {out / 'index.html'}, checksum {frozen.checksum}")
