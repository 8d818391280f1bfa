"""Print how each rater works: pace, grades, types, partners, drift, gold. Example: manage.py quality forum --json"""

from typing import Any

from django.core.management.base import CommandParser

from annotation.actions.projects.boards import quality_in_force
from annotation.actions.projects.projects import must_be
from annotation.management.finding import project
from annotation.models import Kind
from core.management.command import ColloquyCommand
from core.models import User


class Command(ColloquyCommand):
    help = __doc__
    permission = "raters.judge"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")

    def act(self, *, by: User, slug: str, **options: Any) -> None:
        target = project(slug, permission=self.permission, by=by)
        must_be(target, Kind.RATING)
        report = quality_in_force(target)
        self.say(report, "\n".join(map(_line, report["people"])) or "No one rates here yet.")


def _line(person: dict[str, Any]) -> str:
    parts = [
        f"{person['user']}: {person['graded']:,} graded, {person['skipped']:,} skipped, {person['voided']:,} voided",
        _told("{:.1f} s a pair", person["median_seconds"]),
        _told("{:.0f} pairs an hour", person["pairs_an_hour"]),
        _told(f"quadratic kappa {{:.3f}} (n = {person['partners_n']:,})", person["partners_kappa_quadratic"]),
    ]
    if person["drift"]:
        parts.append("{trend}: mean {early_mean:.2f} early, {late_mean:.2f} late".format(**person["drift"]))
    if person.get("gold"):
        parts.append("{missed} of {n} gold pairs missed".format(**person["gold"]))
    return "; ".join(filter(None, parts))


def _told(template: str, value: float | None) -> str:
    return "" if value is None else template.format(value)
