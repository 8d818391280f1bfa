"""Find what is wrong with a question set: how it can be guessed, and which questions are unfair or known to models.

Made once of each set, and stored. Example: manage.py audit_questions films --json
"""

from typing import Any

from django.core.management.base import CommandParser

from core.management.command import ColloquyCommand, counted
from core.models.people import User
from study.actions.questions import audits
from study.management.command import question_set

NOT_CHECKED = {
    "is_training": "drawn from the training split itself",
    "no_training": "no train split from the same source",
}


class Command(ColloquyCommand):
    help = __doc__
    permission = "questions.read"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("name", metavar="NAME")

    def act(self, *, by: User, name: str, **options: Any) -> None:
        report = audits.report_of(question_set(name, by=by), by=by)
        self.say(report, text(report))


def text(report: dict[str, Any]) -> str:
    """Return the report as text: a line for each check."""
    found = ", ".join(report["findings"]) or "nothing"
    return "\n".join(
        [
            f"{report['of']}: {counted(report['questions'], 'question')}, found: {found}",
            *(f"not checked: training, {each['source']}: {NOT_CHECKED[each['why']]}" for each in report["not_checked"]),
            f"{'check':<24}{'value':>8}  {100 * report['level']:.1f} %{'':<14}{'chance':>8}",
            *map(_line, report["checks"]),
            "The intervals hold together with 95 %. What has none is a number of questions.",
        ]
    )


def _line(check: dict[str, Any]) -> str:
    if check["value"] is None:
        return f"{check['name']:<24}too few questions"
    interval = "{:.3f} to {:.3f}".format(*check["ci"]) if check["ci"] else ""
    value = f"{check['value']:.3f}" if check["ci"] else f"{check['value']:g}"
    verdict = "look" if check["found"] else check["verdict"].replace("_", " ")
    return f"{check['name']:<24}{value:>8}  {interval:<20}{check['chance']:>8.3f}  {verdict}"
