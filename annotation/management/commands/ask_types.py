"""Ask two people to name the reasoning types of the accepted instances: all, or a sample drawn by the project's seed.

Example: manage.py ask_types exams
         manage.py ask_types exams --instances 100
"""

from argparse import ArgumentTypeError
from typing import Any

from django.core.management.base import CommandParser

from annotation.actions.reasoning import ask_about
from annotation.forms.reasoning import AskForm
from annotation.management.finding import project
from core.management.command import ColloquyCommand, counted
from core.models import User


class Command(ColloquyCommand):
    help = __doc__
    permission = "project.manage"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument(
            "--instances",
            type=_number,
            metavar="N",
            help="so many in all, those that were asked about before among them; without it every accepted one",
        )

    def act(self, *, by: User, slug: str, instances: int | None, **options: Any) -> None:
        asked = ask_about(project=project(slug, permission=self.permission, by=by), instances=instances, by=by)
        self.say({"project": slug, "asked": asked}, f"Two people are asked about {counted(asked, 'instance')} more.")


def _number(text: str) -> int:
    form = AskForm({"instances": text})
    if not form.is_valid() or form.cleaned_data["instances"] is None:
        raise ArgumentTypeError(f"a whole number from 1, not {text}")
    number: int = form.cleaned_data["instances"]
    return number
