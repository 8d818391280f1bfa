"""What the rules found and what people decided, by rule and by person.

Example: manage.py cleaning_ledger forum --json
"""

from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandParser

from annotation.actions.projects import must_be
from annotation.management.command import ColloquyCommand, project
from annotation.models import Kind, User
from annotation.selectors.cleaning import Tally, ledger_of, rules_of, waiting_in


class Command(ColloquyCommand):
    help = __doc__
    permission = "cleaning.oversee"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")

    def act(self, *, by: User, slug: str, **options: Any) -> None:
        target = project(slug, by=by)
        must_be(target, Kind.RATING)
        ledger, waiting = ledger_of(target), waiting_in(target)
        rules = {
            rule.key: {
                "on": rule.is_on, "found": ledger.found[rule.key],
                **_numbers(ledger.by_rule.get(rule.key, Tally())),
            } for rule in rules_of(target)
        }  # fmt: skip
        people = {person.username: _numbers(tally) for person, tally in ledger.by_person.items()}
        self.say({"waiting": waiting, "rules": rules, "people": people}, "\n".join(_lines(waiting, rules, people)))


def _numbers(tally: Tally) -> dict[str, int]:
    return {
        "keep": tally.keep, "sensitive": tally.sensitive, "knowledge": tally.knowledge, "undone": tally.undone,
    }  # fmt: skip


def _lines(waiting: int, *tables: dict[str, Any]) -> Iterator[str]:
    yield f"{waiting:,} pairs wait for a decision."
    for table in tables:
        for name, numbers in table.items():
            yield f"{name}: " + ", ".join(f"{what} {number}" for what, number in numbers.items())
