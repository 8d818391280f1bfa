"""Print what the rules found and what people decided, by rule and by person.

Example: manage.py cleaning_ledger forum --json
"""

from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandParser

from annotation.actions.projects.projects import must_be
from annotation.management.finding import project
from annotation.models import Kind
from annotation.selectors.cleaning.cleaning import cleaning_report
from core.management.command import ColloquyCommand, counted
from core.models import User


class Command(ColloquyCommand):
    help = __doc__
    permission = "cleaning.oversee"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")

    def act(self, *, by: User, slug: str, **options: Any) -> None:
        target = project(slug, permission=self.permission, by=by)
        must_be(target, Kind.RATING)
        report = cleaning_report(target)
        self.say(report, "\n".join(_lines(report)))


def _lines(report: dict[str, Any]) -> Iterator[str]:
    yield f"{counted(report['waiting'], 'pair waits', 'pairs wait')} for a decision."
    for table in (report["rules"], report["people"]):
        for name, numbers in table.items():
            yield f"{name}: " + ", ".join(f"{what} {number}" for what, number in numbers.items())
