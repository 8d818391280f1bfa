"""Send an accepted instance back to its author with a comment; after the revision it is inspected again.

Example: manage.py reopen exams 21-261 --why "The third candidate answers as well."
"""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.actions.inspection import returns
from annotation.actions.projects.projects import must_be
from annotation.management.finding import project
from annotation.models import Item, Kind
from annotation.selectors.projects.items import items_by_key
from core.management.command import ColloquyCommand
from core.models import User


class Command(ColloquyCommand):
    help = __doc__
    permission = "instances.return"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("item", metavar="ITEM", help="its id as releases and the API say it")
        parser.add_argument("--why", required=True, metavar="TEXT", help="what is to be revised")

    def act(self, *, by: User, slug: str, item: str, why: str, **options: Any) -> None:
        target = project(slug, permission=self.permission, by=by)
        must_be(target, Kind.REWRITING)
        returns.return_instance(item=_the_one(list(items_by_key(target, item)[:2]), slug, item), comment=why, by=by)
        self.say({"project": slug, "item": item}, f"{item} is with its author again.")


def _the_one(found: list[Item], slug: str, key: str) -> Item:
    if len(found) != 1:
        several = f"{slug} has several items {key}: send the one that is meant back on the Items page."
        raise CommandError(several if found else f"{slug} has no item {key}.", returncode=2)
    return found[0]
