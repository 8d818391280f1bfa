"""Print a release's sizes, lengths and vocabulary. Example: manage.py release_statistics listening@1 --json"""

from typing import Any

from django.core.management.base import CommandParser

from annotation.management.finding import release
from core.management.command import ColloquyCommand
from core.models import User


class Command(ColloquyCommand):
    help = __doc__
    permission = "release.read"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("release", metavar="RELEASE", help="SLUG@NUMBER, or SLUG for the newest")

    def act(self, *, by: User, **options: Any) -> None:
        found = release(options["release"], by=by)
        blocks = dict(found.statistics)
        every = blocks.pop("all")
        figures = _ordered(every) | {"splits": _ordered(blocks)}
        table = {"release": str(found), "pairs": found.counts["instances"], **figures}
        self.say(table, "\n".join(_lines(table)))


def _ordered(figures: dict[str, Any]) -> dict[str, Any]:
    """Return the figures in one order, numbers by size: PostgreSQL keeps none of its own in JSON."""
    names = sorted(figures, key=lambda name: (len(name), name))
    return {name: _ordered(figures[name]) if isinstance(figures[name], dict) else figures[name] for name in names}


def _lines(table: dict[str, Any], within: str = "") -> list[str]:
    """Return a line for each figure, named by its path; a source without a name is called (none)."""
    lines: list[str] = []
    for key, value in table.items():
        name = key or "(none)"
        if isinstance(value, dict):
            lines += _lines(value, f"{within}{name}.")
        elif not isinstance(value, list):
            lines.append(f"{within}{name}: {value:.4g}" if isinstance(value, float) else f"{within}{name}: {value}")
    return lines
