"""Draw questions from corpora or releases.

The same seed and sources give the same questions. Example: manage.py build_questions films --from movie:dev --count 40
"""

from typing import Any

from django.core.management.base import CommandParser

from core.management.command import ColloquyCommand, ProgressPrinter, counted, seed
from core.models.people import User
from study.actions.questions import questions
from study.domain.questions.picks import PICKS


class Command(ColloquyCommand):
    help = __doc__
    permission = "questions.build"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("name", metavar="NAME")
        parser.add_argument("--from", dest="sources", nargs="+", required=True, metavar="CORPUS_OR_RELEASE[:split]")
        parser.add_argument("--count", type=int, required=True, help="questions, as many from each source")
        parser.add_argument("--distractors", type=int, default=4, help="false responses for each (default 4)")
        parser.add_argument("--pick", default="uniform", choices=PICKS, help="how they are picked (default uniform)")
        parser.add_argument("--max-turns", type=int, default=6, help="of the context at most (default 6)")
        parser.add_argument(
            "--ablate",
            dest="conditions",
            nargs="+",
            default=[],
            metavar="first:N|all|shuffle",
            help="conditions to ask each question in too: its context without the first N turns, without any, shuffled",
        )
        parser.add_argument("--seed", type=seed, default=0, help="of the draw (default 0)")

    def act(
        self,
        *,
        by: User,
        name: str,
        sources: list[str],
        count: int,
        distractors: int,
        pick: str,
        max_turns: int,
        conditions: list[str],
        seed: int,
        **options: Any,
    ) -> None:
        built = questions.build(
            name=name,
            sources=sources,
            count=count,
            distractors=distractors,
            pick=pick,
            max_turns=max_turns,
            conditions=conditions,
            seed=seed,
            report=ProgressPrinter(self, "questions"),
            by=by,
        )
        left_out = ", ".join(f"{reason} {number:,}" for reason, number in sorted(built.left_out.items())) or "none"
        own = built.recipe["own_candidates"]
        kept = (
            f"\nOwn candidates kept: {own:,} of {counted(count, 'question')}, for which nothing was picked"
            if own
            else ""
        )
        self.say(
            questions.summary(built),
            f"Questions {built} built: {count:,}, checksum {built.checksum}{kept}\nDialogues left out: {left_out}",
        )
