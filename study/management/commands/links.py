"""Print the links of a study, one a group. Example: manage.py links lines --json"""

from typing import Any

from django.core.management.base import CommandParser
from django.urls import reverse

from core.management.command import ColloquyCommand
from core.models.people import User
from study.management.command import live_address, study


class Command(ColloquyCommand):
    help = __doc__
    permission = "study.view"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")

    def act(self, *, by: User, slug: str, **options: Any) -> None:
        links = [
            {"group": group.name, "url": live_address() + reverse("take", args=[group.token]), "quota": group.quota}
            for group in study(slug, by=by).groups.all()
        ]
        self.say({"study": slug, "links": links}, "\n".join(f"{link['group']:<12} {link['url']}" for link in links))
