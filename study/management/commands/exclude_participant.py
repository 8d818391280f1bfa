"""Leave a participant out of the figures by hand, or take them back. Both are listed as deviations from the plan.

TOKEN is the id shown on the participant's last page and in exports. Their pay is not touched.
Example: manage.py exclude_participant lines TOKEN --why "Wrote that they guessed."
"""

from typing import Any

from django.core.management.base import CommandParser

from core.management.command import ColloquyCommand
from core.models.people import User
from study.actions.survey import exclusions
from study.management.command import participant


class Command(ColloquyCommand):
    help = __doc__
    permission = "study.manage"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("token", metavar="TOKEN")
        parser.add_argument("--why", required=True, metavar="TEXT", help="the reason, which the plan lists")
        parser.add_argument("--back", action="store_true", help="count them again")

    def act(self, *, by: User, slug: str, token: str, why: str, back: bool, **options: Any) -> None:
        person = participant(slug, token, by=by)
        act = exclusions.take_back if back else exclusions.exclude
        act(study=person.study, people=[person], why=why, by=by)
        said = f"{token} counts again." if back else f"No figure counts {token} now."
        self.say({"study": slug, "participant": token, "excluded": not back}, said)
