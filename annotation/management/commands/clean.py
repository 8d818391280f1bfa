"""Show the next pair that waits to be cleaned, or decide about it and show the one after.

Example: manage.py clean forum --as lin
         manage.py clean forum --as lin --pair 3f9a0c1d2e4b5a67 --sensitive
"""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.actions.cleaning import cleaning
from annotation.actions.projects.projects import must_be
from annotation.actions.queue import assignments
from annotation.domain.cleaning.cleaning import CleaningVerdict
from annotation.management.finding import project
from annotation.models import Assignment, Kind, Project, Step
from annotation.selectors.cleaning.cleaning import MarkedPair, last_decided, pairs_on, rule_name
from core.management.command import ColloquyCommand
from core.models import User

UNDO = "undo"


class Command(ColloquyCommand):
    help = __doc__
    permission = "pairs.clean"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("--pair", metavar="KEY", help="the pair that is decided about, as it was shown")
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--keep", dest="act_on", action="store_const", const=CleaningVerdict.KEEP)
        what.add_argument(
            "--sensitive", dest="act_on", action="store_const", const=CleaningVerdict.SENSITIVE, help="remove the pair"
        )
        what.add_argument(
            "--knowledge",
            dest="act_on",
            action="store_const",
            const=CleaningVerdict.KNOWLEDGE,
            help="remove the prompt with all its responses",
        )
        what.add_argument(
            "--undo", dest="act_on", action="store_const", const=UNDO, help="take one of your last decisions back"
        )

    def act(self, *, by: User, slug: str, pair: str | None, act_on: str | None, **options: Any) -> None:
        if (pair is None) != (act_on is None):
            raise CommandError("Name the pair and what becomes of it: --pair KEY --keep, for example.", returncode=2)
        target = project(slug, permission=self.permission, by=by)
        must_be(target, Kind.RATING)
        if pair is not None and act_on == UNDO:
            shown = self._named(pair, last_decided(target, by))
            assert shown.decision is not None
            cleaning.undo(decision=shown.decision, by=by)
        elif pair is not None:
            shown = self._named(pair, self._claimed(target, by))
            cleaning.decide(
                assignment=Assignment.objects.get(pk=shown.assignment), verdict=CleaningVerdict(str(act_on)), by=by
            )
        self._show(next(iter(self._claimed(target, by)), None))

    def _claimed(self, target: Project, by: User) -> list[MarkedPair]:
        return pairs_on(assignments.claim(project=target, step=Step.CLEAN, by=by))

    def _named(self, key: str, pairs: list[MarkedPair]) -> MarkedPair:
        for pair in pairs:
            if pair.item.key == key:
                return pair
        known = ", ".join(pair.item.key for pair in pairs) or "none"
        raise CommandError(f"The pair {key} is none of these: {known}.", returncode=2)

    def _show(self, pair: MarkedPair | None) -> None:
        if pair is None:
            self.say({"pair": None}, "No pair waits for you.")
            return
        content, rules = pair.item.content, {rule: rule_name(rule) for rule in pair.findings}
        self.say(
            {"pair": pair.item.key, **content, "findings": pair.findings, "responses": pair.responses},
            f"pair {pair.item.key}\n  {content['prompt']}\n  > {content['response']}\n"
            f"  {', '.join(rules.values()) or 'no rule marks it any more'}; "
            f"responses of the prompt: {pair.responses}",
        )
