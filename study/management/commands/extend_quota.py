"""Let more people into a group of an open study than its plan says: a deviation, which the plan lists.

Example: manage.py extend_quota lines crowd 150 --why "Five failed both checks."
"""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from core.management.command import ColloquyCommand, counted
from core.models.people import User
from study.actions.survey import deviations
from study.management.command import study


class Command(ColloquyCommand):
    help = __doc__
    permission = "study.manage"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("group", metavar="GROUP")
        parser.add_argument("quota", metavar="QUOTA", type=int)
        parser.add_argument("--why", required=True, metavar="TEXT", help="the reason, which the plan lists")

    def act(self, *, by: User, slug: str, group: str, quota: int, why: str, **options: Any) -> None:
        found = study(slug, by=by).groups.filter(name=group).first()
        if found is None:
            raise CommandError(f"{slug} has no group {group}.", returncode=2)
        deviations.extend(group=found, quota=quota, why=why, by=by)
        self.say(
            {"study": slug, "group": group, "quota": quota},
            f"{group} takes up to {counted(quota, 'person', 'people')} now.",
        )
