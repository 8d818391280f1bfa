"""Find leaks and shortcuts in a release or a corpus: contexts in two splits, and options that can be guessed.

Example: manage.py audit_release mutual --json
"""

from typing import Any

from django.core.management.base import CommandParser

from annotation.domain.releases.leaks import MOST_HOLDERS
from annotation.models import Release
from annotation.selectors.releases import audits
from core.domain.artefacts import CheckFinding
from core.management.command import ColloquyCommand, ProgressPrinter, counted, unknown
from core.models import User

LISTED = 10  # leaks printed as text; --json has all


class Command(ColloquyCommand):
    help = __doc__
    permission = "release.read"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("name", metavar="RELEASE_OR_CORPUS")

    def act(self, *, by: User, name: str, **options: Any) -> None:
        try:
            subject = audits.named(name, by=by)
        except Release.DoesNotExist:
            raise unknown("corpus or release", name, audits.names_of(by), made_by="import_corpus") from None
        except audits.HoldsPairs:
            self.refuse(f"“{name}” holds rated pairs: they have no options to guess among.", code="holds_pairs")
        found = audits.audit_report(subject, ProgressPrinter(self, "steps"))
        self.say(found, text(found))


def text(found: dict[str, Any]) -> str:
    """Return the report as text: leaks with their first examples, then a line for each way of guessing."""
    leaks, checks = found["leaks"], {**found["shortcuts"]}
    level, equal = checks.pop("level"), checks.pop("equal_options")
    lines = [f"{found['of']}: {counted(found['instances'], 'instance')}, {found['answered']:,} with a known answer"]
    if len(found["splits"]) < 2:
        lines.append("Everything stands in one split, or in none: nothing can leak.")
    lines += [
        f"Contexts in several splits: {leaks['exact']:,} letter by letter, {leaks['near']:,} but for case, punctuation "
        f"and space; {counted(leaks['similar'], 'pair')} of contexts nearly the same",
        *(f"  {row['likeness']:<8}{_slots(row['instances'])}" for row in leaks["rows"][:LISTED]),
    ]
    if (more := len(leaks["rows"]) - LISTED) > 0:
        lines.append(f"  and {more:,} more; --json lists them")
    if leaks["phrases"]:
        sequences = counted(leaks["phrases"], "sequence")
        lines.append(f"  {sequences} of words that stand in more than {MOST_HOLDERS} contexts were taken for phrases")
    lines += [
        f"{counted(equal['n'], 'instance has', 'instances have')} two equal options",
        f"{'guess':<16}{'value':>8}  {f'{100 * level:.1f} %':<20}{'chance':>7}",
        *(_line(name, check) for name, check in checks.items()),
        "The intervals hold together with 95 %.",
    ]
    return "\n".join(lines)


def _slots(instances: list[dict[str, Any]]) -> str:
    return ", ".join(f"{each['id']} ({each['split'] or '-'})" for each in instances)


def _line(name: str, check: dict[str, Any]) -> str:
    if check["interval"] is None:
        return f"{name:<16}too few instances"
    low, high = check["interval"]
    said = {CheckFinding.EXPECTED: "as expected", CheckFinding.LOOK: "look", CheckFinding.TOO_FEW: "too few instances"}
    return (
        f"{name:<16}{check['value']:>8.3f}  {f'{low:.3f} to {high:.3f}':<20}{check['chance']:>7.3f}  "
        f"{said[CheckFinding(check['finding'])]}"
    )
