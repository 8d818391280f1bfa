"""Void a person's grades, transcripts, texts, verdicts or types since a day: kept, not counted, open to others again.

Example: manage.py void_work forum --user lin --since 2026-03-01 --why "clicked through"
"""

from datetime import UTC, datetime
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.actions.queue import voiding
from annotation.management.finding import project
from annotation.models import Kind
from annotation.selectors.projects.members import people_of
from core.domain.text import normalise
from core.management.command import ColloquyCommand, ProgressPrinter, counted, person
from core.models import User

THINGS = {
    Kind.RATING: ("grade", ""),
    Kind.REWRITING: ("transcript, text, verdict or type", "transcripts, texts, verdicts or types"),
}
EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)


class Command(ColloquyCommand):
    help = __doc__
    permission = "raters.judge"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("--user", required=True, metavar="NAME")
        parser.add_argument("--since", required=True, metavar="DATE", help="2026-03-01 or 2026-03-01T09:30 (UTC)")
        parser.add_argument("--why", required=True, metavar="TEXT")

    def act(self, *, by: User, slug: str, user: str, since: str, why: str, **options: Any) -> None:
        target = project(slug, permission=self.permission, by=by)
        who = person(user, candidates=people_of(target))
        voided = voiding.void_work(
            project=target,
            person=who,
            since=_moment(since),
            why=normalise(why),
            report=ProgressPrinter(self, "voided"),
            by=by,
        )
        what = counted(voided, *THINGS[Kind(target.kind)])
        text = f"{what} voided; others are asked for what is missing now."
        self.say({"voided": voided}, text if voided else "Nothing to void: no work of theirs since then counts.")


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise CommandError(f"--since {text}: write a day such as 2026-03-01.", returncode=2) from None
    # A day before the year 1 in some time zone has no date in UTC; no work is that old.
    return max(moment.replace(tzinfo=moment.tzinfo or UTC), EARLIEST)
