"""Freeze a study's plan and let people in. Example: manage.py open_study lines"""

from typing import Any

from django.core.management.base import CommandParser

from core.management.command import ColloquyCommand, counted
from core.models.people import User
from study.actions.survey import studies
from study.management.command import study
from study.selectors.survey.plans import names_no_person


class Command(ColloquyCommand):
    help = __doc__
    permission = "study.manage"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument(
            "--reason", default="", metavar="TEXT", help="why questions are used in which the audit found something"
        )

    def act(self, *, by: User, slug: str, reason: str, **options: Any) -> None:
        opened = studies.open_(study=study(slug, by=by), reason=reason, by=by)
        if names_no_person(opened):
            self.stderr.write(
                "The consent, now frozen, names nobody whom participants can turn to: say who you are where you send "
                "the links."
            )
        assert opened.plan is not None  # opening wrote it
        forms = opened.plan["forms"]
        self.say(
            {"study": slug, "state": opened.state, "checksum": opened.plan_checksum, "forms": list(map(len, forms))},
            f"Study {slug} is open: {counted(len(forms), 'form')} of {counted(len(forms[0]), 'question')}, "
            f"checksum {opened.plan_checksum}",
        )
