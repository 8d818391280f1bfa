"""Freeze a release of all that was kept, split by prompt or conversation. Example: manage.py freeze_release forum"""

from typing import Any

from django.core.management.base import CommandParser

from annotation.actions import releases
from annotation.management.command import ColloquyCommand, Progress, project, seed
from annotation.models import User
from annotation.selectors.releases import equal_before


class Command(ColloquyCommand):
    help = __doc__
    permission = "release.freeze"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("--seed", type=seed, default=0, help="of the split (default 0)")

    def act(self, *, by: User, slug: str, seed: int, **options: Any) -> None:
        release = releases.freeze(project=project(slug, by=by), seed=seed, report=Progress(self, "instances"), by=by)
        splits, equal = release.counts["splits"], equal_before(release)
        result = {"release": str(release), "number": release.number, "checksum": release.checksum}
        hint = f"\nEqual to release {equal.number}: the same content and the same split." if equal else ""
        self.say(
            {**result, "equal_to": equal and equal.number, **release.counts},
            f"Release {release} is frozen: {release.counts['instances']:,} instances "
            f"({', '.join(f'{name} {n:,}' for name, n in splits.items())}), checksum {release.checksum}{hint}",
        )
