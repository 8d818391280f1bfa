"""Print the reasoning types labelled by two people and the published shares. Example: reasoning_types exams"""

from typing import Any

from django.core.management.base import CommandParser

from annotation.actions.projects.projects import must_be
from annotation.management.finding import project
from annotation.models import Kind
from annotation.selectors.reasoning import FIGURES, reasoning_report
from core.management.command import ColloquyCommand, counted
from core.models import User


class Command(ColloquyCommand):
    help = __doc__
    permission = "project.view"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")

    def act(self, *, by: User, slug: str, **options: Any) -> None:
        target = project(slug, permission=self.permission, by=by)
        must_be(target, Kind.REWRITING)
        report = reasoning_report(target)
        self.say(report, table(report))


def table(report: dict[str, Any]) -> str:
    """Return the report as text: a line for each type, and one for each figure of agreement."""
    if not report["instances"]:
        return "Shares need instances that two people named; 0 so far."
    return "\n".join(
        [
            f"{counted(report['instances'], 'instance')} labelled by two people, unsure in {report['unsure']:,} of "
            f"{2 * report['instances']:,} answers",
            "",
            f"{'type':<12}{'here':<28}published",
            *(f"{kind:<12}{_cell(each, 'share'):<28}{each['published']:.2f}" for kind, each in report["types"].items()),
            "",
            f"{'agreement':<18}{'n = ' + format(report['agreement']['n'], ','):<30}"
            f"no one unsure, n = {report['agreement_without_unsure']['n']:,}",
            *(
                f"{name:<18}{_cell(report['agreement'], name):<30}{_cell(report['agreement_without_unsure'], name)}"
                for name in FIGURES
            ),
        ]
    )


def _cell(block: dict[str, Any], name: str) -> str:
    if block[name] is None:
        return "undefined"
    interval = block[f"{name}_ci"]
    return f"{block[name]:.3f}" + (f" ({interval[0]:.3f} to {interval[1]:.3f})" if interval else "")
