"""Who may rate: practice passed or not, gold graded and missed while rating, paused or not.

Example: manage.py qualification forum --json
"""

from typing import Any

from django.core.management.base import CommandParser

from annotation.actions.projects import must_be
from annotation.management.command import ColloquyCommand, project
from annotation.models import Kind, User
from annotation.selectors.qualification import qualification_report


class Command(ColloquyCommand):
    help = __doc__
    permission = "raters.judge"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")

    def act(self, *, by: User, slug: str, **options: Any) -> None:
        found = project(slug, by=by)
        must_be(found, Kind.RATING)
        report = qualification_report(found)
        self.say(report, table(report))


def table(report: dict[str, Any]) -> str:
    """The report for people: a line for each rater."""
    lines = [f"{report['gold']:,} gold pairs; {report['practice']:,} in an attempt"]
    for each in report["raters"]:
        last = each["attempts"][-1] if each["attempts"] else None
        practice = f"{len(each['attempts'])} attempts" + (f", the last {last['state']}" if last else "")
        lines.append(
            f"{each['name']:<24}{each['standing']:<11}{practice}; {each['missed']} of {each['gold']} gold missed"
        )
    return "\n".join(lines)
