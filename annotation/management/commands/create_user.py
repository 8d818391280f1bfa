"""Create an account, give it the role in a project if one is named, and print its password.

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
        told = "what the person does in the project; a researcher may also create projects and studies"
        parser.add_argument("--role", required=True, choices=Role.values, help=told)
        parser.add_argument("--project", metavar="SLUG", help="the role is in this project")

    def act(self, *, by: User, name: str, role: str, **options: Any) -> None:
        password = secrets.token_urlsafe(12)
        member_of = project(options["project"], permission="project.manage", by=by) if options["project"] else None
        user = people.create_user(username=name, role=role, password=password, scope=member_of, by=by)
        self.say(
            {"username": user.username, "role": role, "password": password},
            f"{user.username} ({role}) can sign in with the password {password}",
        )
