"""Compute how many answers and people an interval needs, and whether it can be reached with the questions at hand.

Example: manage.py plan --p .75 --half-width .03 --icc .1 --questions 40 --question-sd .2
"""

from argparse import ArgumentTypeError
from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandError, CommandParser

from core.management.command import ColloquyCommand, counted
from core.models.people import User
from study.domain.results.planning import SampleSizePlan, plan


class Command(ColloquyCommand):
    help = __doc__
    permission = "study.view"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--p", type=float, required=True, help="the share expected, from 0 to 1")
        parser.add_argument("--half-width", type=float, required=True, help="of the interval, for example .03")
        parser.add_argument("--questions-each", type=_count, default=10, metavar="N", help="a person (default 10)")
        parser.add_argument("--icc", type=float, default=0.1, help="how alike one person's answers are (default 0.1)")
        parser.add_argument("--questions", type=_count, metavar="N", help="different questions in all")
        parser.add_argument("--question-sd", type=float, metavar="S", help="of the share right, between questions")

    def act(self, *, by: User, **options: Any) -> None:
        knobs = ("questions_each", "icc", "questions", "question_sd")
        try:
            found = plan(options["p"], options["half_width"], **{name: options[name] for name in knobs})
        except ValueError as wrong:
            raise CommandError(str(wrong), returncode=2) from wrong
        self.say(asdict(found), _words(found, 100 * options["half_width"], options["questions"]))


def _words(found: SampleSizePlan, points: float, questions: int | None) -> str:
    """Return the plan in words: first what cannot be reached."""
    if found.answers is None or found.people is None:
        alone = 100 * (found.item_half_width or 0)
        return (
            f"± {points:.1f} points cannot be reached with {counted(questions or 0, 'question')}: questions alone "
            f"leave ± {alone:.1f} points, however many people answer. It takes at least "
            f"{counted(found.questions_needed or 0, 'question')}."
        )
    of_items = found.item_half_width
    items = "" if not of_items else f" Of ± {points:.1f} points the questions alone make ± {100 * of_items:.1f}."
    return (
        f"{counted(found.answers_independent, 'answer')} if all were independent; {found.answers:,} as they are, "
        f"from {counted(found.people, 'person', 'people')}.{items}"
    )


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text[:10]) <= 10**9:
        raise ArgumentTypeError(f"a whole number from 1, not {text}")
    return int(text)
