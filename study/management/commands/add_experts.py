"""Let people with an account take a study as its experts. Example: manage.py add_experts ceiling marta qing daniel

The study is one of --takers signed-in. Its experts find it on their home page once it is open.
"""

from typing import Any

from django.core.management.base import CommandParser
from django.db import transaction

from core.management.command import ColloquyCommand, unknown
from core.models.people import Role, User
from study.actions.survey import members
from study.management.command import study
from study.selectors.survey.experts import experts_of


class Command(ColloquyCommand):
    help = __doc__
    permission = "study.manage"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("names", nargs="+", metavar="NAME", help="user names of accounts (create_user)")

    def act(self, *, by: User, slug: str, names: list[str], **options: Any) -> None:
        found = study(slug, by=by)
        people = User.objects.in_bulk(names, field_name="username")
        for name in names:
            if name not in people:
                raise unknown(
                    "account", name, [*User.objects.values_list("username", flat=True)], made_by="create_user"
                )
        with transaction.atomic():
            for name in names:
                members.add(study=found, person=people[name], role=Role.EXPERT, by=by)
        experts = [person.username for person in experts_of(found)]
        self.say({"study": slug, "experts": experts}, f"Experts of {slug}: {', '.join(experts)}")
