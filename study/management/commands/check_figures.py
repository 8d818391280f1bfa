"""Check whether published R@1, R@2 and MRR are compatible, and print the possible MRR.

Each figure may be off by half a unit in its last digit.

Example: manage.py check_figures .260 .491 .743 --candidates 4
"""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from core.management.command import ColloquyCommand
from core.models.people import User
from study.domain.results.feasibility import Impossible, as_printed, feasibility


class Command(ColloquyCommand):
    help = __doc__
    permission = "study.view"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        for name in ("R1", "R2", "MRR"):
            parser.add_argument(name.lower(), metavar=name, help="a share from 0 to 1, with the digits as printed")
        parser.add_argument("--candidates", type=int, required=True, metavar="N")

    def act(self, *, by: User, r1: str, r2: str, mrr: str, candidates: int, **options: Any) -> None:
        try:
            found = feasibility(r1, r2, mrr, candidates)
        except (ValueError, ArithmeticError) as wrong:
            told = f"{wrong} " if isinstance(wrong, ValueError) else ""  # of decimals, which are told by a class
            raise CommandError(f"{told}Shares are written as printed, for example .260", returncode=2) from wrong
        said = {
            None: f"MRR {mrr} is possible",
            Impossible.MRR: f"MRR {mrr} is impossible",
            Impossible.ORDER: f"R@2 {r2} is below R@1 {r1}, which is impossible",
            Impossible.TWO: f"R@2 {r2} is impossible: with 2 candidates it is 1",
        }[found.why]
        low, high = found.between or (None, None)
        if low is not None and high is not None:
            said += f": with {candidates} candidates, R@1 {r1} and R@2 {r2} it lies between {low:.4f} and {high:.4f}"
            value, off = as_printed(mrr)
            if found.is_possible and not low <= value <= high:
                said += f", and one printed as {mrr} between {max(0, value - off):.4f} and {min(1, value + off):.4f}"
        self.say(
            {"possible": found.is_possible, "why": found.why, "low": low, "high": high},
            f"{said}. Rounding by half a unit in the last printed digit of each was allowed for.",
        )
