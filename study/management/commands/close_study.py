"""Close a study: no one can join it any more. Example: manage.py close_study lines --why "The money is spent." """

from typing import Any

from django.core.management.base import CommandParser

from core.management.command import ColloquyCommand, counted
from core.models.people import User
from study.actions.survey import studies
from study.domain.survey.phases import ParticipantState
from study.management.command import study


class Command(ColloquyCommand):
    help = __doc__
    permission = "study.manage"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument(
            "--why",
            default="",
            metavar="TEXT",
            help="why before its quotas are filled, or while people are under way; the public plan shows it",
        )

    def act(self, *, by: User, slug: str, why: str, **options: Any) -> None:
        closed = studies.close(study=study(slug, by=by), why=why, by=by)
        answering = closed.participants.filter(state=ParticipantState.ANSWERING).count()
        self.say(
            {"study": slug, "state": closed.state, "answering": answering},
            f"Study {slug} is closed. {counted(answering, 'person is', 'people are')} answering "
            "to the end of their time.",
        )
