"""Freeze a release of all kept items, split by prompt or conversation. Example: manage.py freeze_release forum"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.actions.releases import releases
from annotation.management.finding import project
from annotation.selectors.releases.releases import equal_before, safe_replies
from core.management.command import ColloquyCommand, ProgressPrinter, counted, readable_file, seed
from core.models import User


class Command(ColloquyCommand):
    help = __doc__
    permission = "release.freeze"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("--seed", type=seed, default=0, help="of the split (default 0)")
        parser.add_argument(
            "--plus", action="store_true", help="also as MuTual-plus, with a safe reply in each instance"
        )
        parser.add_argument("--replies", type=readable_file, metavar="FILE", help="safe replies, one a line (--plus)")

    def act(self, *, by: User, slug: str, seed: int, plus: bool, replies: Path | None, **options: Any) -> None:
        if replies and not plus:
            raise CommandError("--replies are those of MuTual-plus: say --plus, too.", returncode=2)
        target = project(slug, permission=self.permission, by=by)
        lines = _lines(replies) if replies else safe_replies(target)
        release = releases.freeze(
            project=target,
            seed=seed,
            safe_replies=lines if plus else (),
            report=ProgressPrinter(self, "instances"),
            by=by,
        )
        splits, equal = release.counts["splits"], equal_before(release)
        result = {"release": str(release), "number": release.number, "checksum": release.checksum}
        hint = f"\nEqual to release {equal.number}: the same content and the same split." if equal else ""
        self.say(
            {**result, "equal_to": equal and equal.number, **release.counts, "variants": release.variants},
            f"Release {release} is frozen: {counted(release.counts['instances'], 'instance')} "
            f"({', '.join(f'{name} {n:,}' for name, n in splits.items())}), checksum {release.checksum}{hint}"
            + "".join(f"\nVariant {name}: checksum {made['checksum']}" for name, made in release.variants.items()),
        )


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as wrong:
        raise CommandError(f"{file} is not UTF-8.", returncode=2) from wrong
