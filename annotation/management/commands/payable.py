"""Write what each rater did in a stretch of days, and their hours at work, as a table for paying them.

Example: manage.py payable forum --since 2026-03-01 --until 2026-03-31 --out march.csv
"""

from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.actions.projects import must_be
from annotation.exporters import csv
from annotation.forms.payable import PeriodForm
from annotation.management.command import ColloquyCommand, project
from annotation.models import Kind, User
from annotation.selectors.payable import COLUMNS, payable_rows


class Command(ColloquyCommand):
    help = __doc__
    permission = "project.manage"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("--since", required=True, metavar="DATE", help="the first day (UTC), such as 2026-03-01")
        parser.add_argument("--until", required=True, metavar="DATE", help="the last day (UTC), included")
        parser.add_argument("--out", required=True, type=Path, metavar="FILE", help="the table, as CSV")

    def act(self, *, by: User, slug: str, since: str, until: str, out: Path, **options: Any) -> None:
        if out.suffix.lower() != ".csv":
            raise CommandError("Let the name of the file end in .csv.", returncode=2)
        target = project(slug, by=by)
        must_be(target, Kind.RATING)
        rows = list(payable_rows(target, **_days(since, until)))
        try:
            with out.open("wb") as file:
                file.writelines(csv.lines(COLUMNS, rows))
        except OSError as wrong:
            raise CommandError(f"{out} cannot be written: {wrong.strerror}.", returncode=2) from wrong
        people = [dict(zip(COLUMNS, row, strict=True)) for row in rows]
        self.say({"project": slug, "file": str(out), "people": people}, f"{len(rows):,} people written to {out}")


def _days(since: str, until: str) -> dict[str, date]:
    form = PeriodForm({"since": since, "until": until})
    if not form.is_valid():
        field, errors = next(iter(form.errors.items()))
        raise CommandError(f"--{field}: {errors[0]} Write a day such as 2026-03-01.", returncode=2)
    return form.cleaned_data
