"""Record that participants are to be paid in full, whatever is proposed, or take back what is recorded of their pay.

TOKEN is the id shown on the participant's last page and in exports. Nothing is sent to a platform.
Example: manage.py approve_participant lines TOKEN TOKEN
"""

from typing import Any

from django.core.management.base import CommandParser

from core.management.command import ColloquyCommand, counted
from core.models.people import User
from study.actions.survey import reconciling
from study.management.command import participant


class Command(ColloquyCommand):
    help = __doc__
    permission = "study.manage"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("tokens", metavar="TOKEN", nargs="+")
        parser.add_argument("--back", action="store_true", help="leave the decision open again")

    def act(self, *, by: User, slug: str, tokens: list[str], back: bool, **options: Any) -> None:
        people = [participant(slug, token, by=by) for token in tokens]
        act = reconciling.take_back if back else reconciling.approve
        changed = act(study=people[0].study, people=people, by=by)
        said = f"{counted(changed, 'decision')} taken back" if back else f"{counted(changed, 'participant')} approved"
        self.say({"study": slug, "changed": changed, "approved": not back}, f"{said}.")
