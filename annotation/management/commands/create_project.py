"""Create a project. Example: manage.py create_project forum --kind rating --set grades=1..5 --set raters=2"""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser
from django.core.validators import validate_slug

from annotation.actions.projects import projects
from annotation.models import Kind
from core.management.command import ColloquyCommand, seed
from core.models import User


class Command(ColloquyCommand):
    help = __doc__
    permission = "project.create"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG", help="letters, digits, hyphens and underscores")
        parser.add_argument("--kind", required=True, choices=Kind.values)
        parser.add_argument("--title", default="", help="default: the SLUG")
        parser.add_argument("--set", dest="chosen", action="append", default=[], metavar="KEY=VALUE")
        parser.add_argument("--seed", type=seed, default=0, help="of the order in which items are assigned")

    def act(self, *, by: User, slug: str, kind: str, **options: Any) -> None:
        try:
            validate_slug(slug)
        except ValidationError as wrong:
            raise CommandError(f"“{slug}”: {' '.join(wrong.messages)}", returncode=2) from wrong
        project = projects.create(
            slug=slug,
            kind=kind,
            title=options["title"],
            settings=dict(map(_pair, options["chosen"])),
            seed=options["seed"],
            by=by,
        )
        settings = project.chosen.as_mapping()
        self.say(
            {"project": project.slug, "kind": project.kind, "settings": settings},
            f"Project {project.slug} ({project.kind}): "
            + ", ".join(f"{key}={value}" for key, value in settings.items()),
        )


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise CommandError(f"--set {text}: write it as key=value, for example --set raters=3.", returncode=2)
    return key.strip(), value.strip()
