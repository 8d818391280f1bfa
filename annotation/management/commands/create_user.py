"""Create an account, make it a member of a project if one is named, and print its password.

Example: manage.py create_user lin --role annotator --project forum
"""

import secrets
from typing import Any

from django.core.management.base import CommandParser

from annotation.management.finding import project
from core.actions import people
from core.management.command import ColloquyCommand
from core.models import Role, User


class Command(ColloquyCommand):
    help = __doc__
    permission = "people.invite"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("name", metavar="NAME")
        parser.add_argument("--role", required=True, choices=Role.values)
        parser.add_argument("--project", metavar="SLUG", help="make the person a member of this project")

    def act(self, *, by: User, name: str, role: str, **options: Any) -> None:
        password = secrets.token_urlsafe(12)
        member_of = project(options["project"], by=by) if options["project"] else None
        user = people.create_user(username=name, role=role, password=password, scope=member_of, by=by)
        self.say(
            {"username": user.username, "role": user.role, "password": password},
            f"{user.username} ({user.role}) can sign in with the password {password}",
        )
