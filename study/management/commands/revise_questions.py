"""Make a question set of another one: some questions left out, or texts of one edited, for a reason that is kept.

Example: manage.py revise_questions films films-2 --leave-out d7 d9 --why "Two responses may be true."
"""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from core.management.command import ColloquyCommand
from core.models.people import User
from study.actions.questions import questions, revisions
from study.management.command import question_set


class Command(ColloquyCommand):
    help = __doc__
    permission = "questions.build"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("name", metavar="NAME")
        parser.add_argument("new", metavar="NEW", help="name of the set that is made")
        parser.add_argument("--why", required=True, metavar="TEXT")
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--leave-out", nargs="+", default=[], metavar="ID", help="questions to leave out")
        what.add_argument("--edit", default="", metavar="ID", help="the question whose texts are edited")
        for part in ("turn", "candidate"):
            text = f"the text of a {part} of the edited question, by its number from 1"
            parser.add_argument(
                f"--{part}", nargs=2, action="append", default=[], metavar=("NUMBER", "TEXT"), help=text
            )

    def act(
        self,
        *,
        by: User,
        name: str,
        new: str,
        why: str,
        leave_out: list[str],
        edit: str,
        turn: list[list[str]],
        candidate: list[list[str]],
        **options: Any,
    ) -> None:
        parent = question_set(name, by=by)
        if edit:
            texts = {"turns": _by_number(turn), "candidates": _by_number(candidate)}
            made = revisions.edit(question_set=parent, name=new, id=edit, **texts, why=why, by=by)
        else:
            made = revisions.leave_out(question_set=parent, name=new, ids=set(leave_out), why=why, by=by)
        count = made.recipe["count"]
        self.say(questions.summary(made), f"Questions {made} made of {parent}: {count:,}, checksum {made.checksum}")


def _by_number(typed: list[list[str]]) -> dict[int, str]:
    texts: dict[int, str] = {}
    for number, text in typed:
        if not number.isdecimal() or int(number) < 1:
            raise CommandError(f"“{number}” is no number from 1.", returncode=2)
        if int(number) - 1 in texts:
            raise CommandError(f"Number {int(number)} is given twice.", returncode=2)
        texts[int(number) - 1] = text
    return texts
