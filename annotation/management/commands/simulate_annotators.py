"""Let bots clean, practise, rate and decide, or write and inspect, as the project asks.

Example: manage.py simulate_annotators forum --people 4
"""

import re
from argparse import ArgumentTypeError
from typing import Any

from django.core.management.base import CommandParser

from annotation.actions.cleaning.simulated_cleaning import simulate_cleaning
from annotation.actions.rating import simulation
from annotation.actions.rewriting.simulated_rewriting import simulate_rewriting
from annotation.management.finding import project
from annotation.models import Kind
from annotation.selectors.projects.progress import progress_of
from core.management.command import ColloquyCommand, ProgressPrinter, counted, seed
from core.models import User

MOST = 1_000  # each bot has an account


class Command(ColloquyCommand):
    help = __doc__
    permission = "project.manage"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("--people", type=_people, default=4, help=f"how many bots, up to {MOST} (default 4)")
        parser.add_argument("--kappa", type=float, default=0.8, help="pooled kappa of what is kept (default .8)")
        parser.add_argument("--seed", type=seed, default=0)

    def act(self, *, by: User, slug: str, people: int, kappa: float, seed: int, **options: Any) -> None:
        target = project(slug, permission=self.permission, by=by)
        if target.kind == Kind.REWRITING:
            report = ProgressPrinter(self, "instances written")
            done = simulate_rewriting(project=target, people=people, seed=seed, report=report, by=by)
            text = "{skipped:,} skipped, {inspected:,} judged".format(**done)
            bots = counted(people, "bot")
            self.say({**done, "people": people}, f"{counted(done['written'], 'instance')} written, {text} by {bots}.")
            return
        cleaned = simulate_cleaning(
            project=target, people=people, seed=seed, report=ProgressPrinter(self, "pairs cleaned"), by=by
        )
        given = simulation.simulate_annotators(
            project=target, people=people, kappa=kappa, seed=seed, report=ProgressPrinter(self, "grades"), by=by
        )
        left = progress_of(target)["open"]
        text = (
            f"{counted(cleaned, 'decision')} of cleaning made and " * bool(cleaned)
            + f"{counted(given, 'grade')} given by {counted(people, 'bot')}."
            + f" {counted(left, 'pair stays', 'pairs stay')} open: no bot that may rate is left." * bool(left)
        )
        self.say({"decisions": cleaned, "grades": given, "people": people, "open": left}, text)


def _people(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,4}", text) or not 1 <= int(text) <= MOST:
        raise ArgumentTypeError(f"a whole number from 1 to {MOST:,}, not {text}")
    return int(text)
