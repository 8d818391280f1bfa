"""Delete all data of a participant, as if they had withdrawn. Example: manage.py erase_participant lines TOKEN

TOKEN is the id shown on the participant's last page and in exports.
"""

from typing import Any

from django.core.management.base import CommandParser

from core.management.command import ColloquyCommand
from core.models.people import User
from study.actions.survey import participants
from study.management.command import participant


class Command(ColloquyCommand):
    help = __doc__
    permission = "study.manage"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("token", metavar="TOKEN")

    def act(self, *, by: User, slug: str, token: str, **options: Any) -> None:
        person = participant(slug, token, by=by)
        participants.withdraw(participant=person, why="erased on request", by=by)
        self.say({"study": slug, "erased": token}, f"Erased: nothing is left of {token} but a row without content.")
