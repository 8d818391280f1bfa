"""Make a draft with the plan of a study. Example: manage.py duplicate_study lines lines-pilot --pilot"""

from typing import Any

from django.core.management.base import CommandParser

from core.management.command import ColloquyCommand
from core.models.people import User
from study.actions.survey import copies
from study.management.command import study


class Command(ColloquyCommand):
    help = __doc__
    permission = "study.create"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("new", metavar="NEW", help="SLUG of the draft")
        parser.add_argument("--title", default="", help="default: that of the study")
        parser.add_argument("--pilot", action="store_true", help="its answers are left out of all figures")

    def act(self, *, by: User, slug: str, new: str, title: str, pilot: bool, **options: Any) -> None:
        copy = copies.duplicate(study=study(slug, by=by), slug=new, title=title, is_pilot=pilot, by=by)
        kind = "pilot" if pilot else "draft"
        self.say({"study": copy.slug, "copy_of": slug, "pilot": pilot}, f"Study {copy.slug}: a {kind} as {slug} is.")
