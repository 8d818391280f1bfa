"""Write each person's work in a period and their hours as a table for paying them.

Example: manage.py payable forum --since 2026-03-01 --until 2026-03-31 --out march.csv
"""

from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.forms.payable import PeriodForm
from annotation.management.finding import project
from annotation.selectors.quality.payable import payable_columns, payable_rows
from core.exporters import csv as csv
from core.management.command import ColloquyCommand, counted, file_to_write, writing_to
from core.models import User


class Command(ColloquyCommand):
    help = __doc__
    permission = "project.manage"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("--since", required=True, metavar="DATE", help="the first day (UTC), such as 2026-03-01")
        parser.add_argument("--until", required=True, metavar="DATE", help="the last day (UTC), included")
        parser.add_argument("--out", required=True, type=file_to_write, metavar="FILE", help="the table, as CSV")

    def act(self, *, by: User, slug: str, since: str, until: str, out: Path, **options: Any) -> None:
        if out.suffix.lower() != ".csv":
            raise CommandError("Let the name of the file end in .csv.", returncode=2)
        target = project(slug, permission=self.permission, by=by)
        columns, rows = payable_columns(target), list(payable_rows(target, **_days(since, until)))
        with writing_to(out), out.open("wb") as file:
            file.writelines(csv.lines(columns, rows))
        people = [dict(zip(columns, row, strict=True)) for row in rows]
        done = f"{counted(len({row[0] for row in rows}), 'person', 'people')} written to {out}"
        self.say({"project": slug, "file": str(out), "people": people}, done)


def _days(since: str, until: str) -> dict[str, date]:
    form = PeriodForm({"since": since, "until": until})
    if not form.is_valid():
        field, errors = next(iter(form.errors.items()))
        raise CommandError(f"--{field}: {errors[0]} Write a day such as 2026-03-01.", returncode=2)
    return form.cleaned_data
