"""Void a person's grades, transcripts, texts, verdicts or types since a day: kept, not counted, open to others again.

Example: manage.py void_work forum --user lin --since 2026-03-01 --why "clicked through"

With --model it voids all grades of a model: kept, shown nowhere, its name free for another import.
Example: manage.py void_work forum --model Qwen2.5-72B --why "wrong file"
"""

from datetime import UTC, datetime
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.actions.queue import voiding
from annotation.actions.rating.model_grades import void_model
from annotation.management.finding import project
from annotation.models import Kind, Project
from annotation.selectors.projects.members import people_of
from core.domain.text import normalise
from core.management.command import ColloquyCommand, ProgressPrinter, counted, person, unknown
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
        whose = parser.add_mutually_exclusive_group(required=True)
        whose.add_argument("--user", metavar="NAME")
        whose.add_argument("--model", metavar="NAME")
        parser.add_argument("--since", metavar="DATE", help="of a person: 2026-03-01 or 2026-03-01T09:30 (UTC)")
        parser.add_argument("--why", required=True, metavar="TEXT")

    def act(
        self, *, by: User, slug: str, user: str | None, model: str | None, since: str | None, why: str, **options: Any
    ) -> None:
        if (user is None) != (since is None):
            raise CommandError("--since goes with --user, and with --user alone.", returncode=2)
        if model is not None:
            self._void_model(project(slug, permission="pairs.import", by=by), normalise(model), normalise(why), by)
        elif user is not None and since is not None:
            self._void_person(project(slug, permission=self.permission, by=by), user, since, normalise(why), by)

    def _void_person(self, target: Project, user: str, since: str, why: str, by: User) -> None:
        who = person(user, candidates=people_of(target))
        voided = voiding.void_work(
            project=target,
            person=who,
            since=_moment(since),
            why=why,
            report=ProgressPrinter(self, "voided"),
            by=by,
        )
        what = counted(voided, *THINGS[Kind(target.kind)])
        text = f"{what} voided; others are asked for what is missing now."
        self.say({"voided": voided}, text if voided else "Nothing to void: no work of theirs since then counts.")

    def _void_model(self, target: Project, name: str, why: str, by: User) -> None:
        known = {model.name: model for model in target.grading_models.filter(voided_at=None)}
        if name not in known:
            raise unknown("model", name, list(known), made_by="import_ratings --model")
        voided = void_model(model=known[name], why=why, by=by)
        self.say({"voided": voided}, f"{counted(voided, 'grade')} by the model {name} voided.")


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise CommandError(f"--since {text}: write a day such as 2026-03-01.", returncode=2) from None
    # A day before the year 1 in some time zone has no date in UTC; no work is that old.
    return max(moment.replace(tzinfo=moment.tzinfo or UTC), EARLIEST)
