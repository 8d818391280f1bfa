"""Print who may rate or write: practice results and, for annotators, gold graded and missed, paused or not.

Example: manage.py qualification forum --json
"""

from typing import Any

from django.core.management.base import CommandParser

from annotation.management.finding import project
from annotation.models import Kind
from annotation.selectors.qualification.practice_drafts import practice_report
from annotation.selectors.qualification.qualification import qualification_report
from core.management.command import ColloquyCommand, counted
from core.models import User


class Command(ColloquyCommand):
    help = __doc__
    permission = "raters.judge"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")

    def act(self, *, by: User, slug: str, **options: Any) -> None:
        found = project(slug, permission=self.permission, by=by)
        if found.kind == Kind.RATING:
            report = qualification_report(found)
            self.say(report, table(report))
        else:
            report = practice_report(found)
            self.say(report, table_of_authors(report))


def table(report: dict[str, Any]) -> str:
    """Return the report as text: a line for each annotator."""
    lines = [f"{counted(report['gold'], 'gold pair')}; {report['practice']:,} in an attempt"]
    for each in report["raters"]:
        gold = f"{each['missed']} of {each['gold']} gold missed"
        lines.append(f"{each['name']:<24}{each['status']:<11}{_attempts(each)}; {gold}")
    return "\n".join(lines)


def table_of_authors(report: dict[str, Any]) -> str:
    """Return the report as text: a line for each author."""
    lines = [f"{counted(report['items'], 'practice item')}; {report['practice']:,} drafts in an attempt"]
    for each in report["authors"]:
        last = each["attempts"][-1] if each["attempts"] else {"accepted": 0, "graded": 0}
        drafts = f"{last['accepted']} of {last['graded']} graded drafts accepted"
        lines.append(f"{each['name']:<24}{each['status']:<11}{_attempts(each)}; {drafts}")
    return "\n".join(lines)


def _attempts(each: dict[str, Any]) -> str:
    last = each["attempts"][-1] if each["attempts"] else None
    return counted(len(each["attempts"]), "attempt") + (f", the last {last['state']}" if last else "")
