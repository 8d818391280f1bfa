"""Import answers given elsewhere from a csv file.

Columns: participant, question and one of: rank of the true response (1 = chosen first, empty = not among the choices),
correct (0 or 1, empty = unanswered), or better and tied (how many candidates were scored above it and equal to it) [,
group, form, corpus, milliseconds, and what people say about themselves: gender, age, english, education, ubuntu].

Where --candidates is left out and all candidates were ranked, their number is guessed from the highest rank seen.
Creates the study when it is new. If one row is refused, nothing is stored. Example: manage.py import_answers summer
answers.csv --candidates 5
"""

import re
from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from core.management.command import ColloquyCommand, ProgressPrinter, counted, readable_file
from core.models.people import User
from study.actions.imported_answers import AnswersImportOutcome, import_answers
from study.importers.answers import MOST_CANDIDATES


class Command(ColloquyCommand):
    help = __doc__
    permission = "study.create"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("file", metavar="FILE", type=readable_file)
        parser.add_argument("--candidates", type=_candidates, metavar="N", help="how many each question had")

    def act(self, *, by: User, slug: str, file: Path, candidates: int | None, **options: Any) -> None:
        report = ProgressPrinter(self, "answers")
        stored = import_answers(slug=slug, path=file, candidates=candidates, report=report, by=by)
        self.say(stored._asdict(), told(stored))


def _candidates(text: str) -> int:
    if not re.fullmatch("[0-9]{1,4}", text) or not 2 <= int(text) <= MOST_CANDIDATES:
        raise ArgumentTypeError(f"a whole number from 2 to {MOST_CANDIDATES:,}, not {text}")
    return int(text)


def _candidates_told(stored: AnswersImportOutcome) -> str:
    if not stored.candidates:
        return "an unknown number of candidates"
    if not stored.candidates_guessed:
        return f"{stored.candidates} candidates"
    return f"at least {stored.candidates} candidates, the highest rank seen; --candidates N says how many"


def told(stored: AnswersImportOutcome) -> str:
    if not stored.stored and not stored.unanswered and not stored.described:
        return f"Nothing new: {'the row was' if stored.rows == 1 else f'all {stored.rows:,} rows were'} stored before."
    return (
        f"{counted(stored.stored, 'answer')} stored in {'the new study ' * stored.created}{stored.study}; "
        f"{counted(stored.unanswered, 'question')} left open, "
        f"{counted(stored.duplicate, 'row was', 'rows were')} stored before. "
        f"New: {counted(stored.participants, 'participant')}, {counted(stored.questions, 'question')} "
        f"({_candidates_told(stored)})."
        + (f" {counted(stored.described, 'person', 'people')} described." if stored.described else "")
        + (f" The questions are those of {stored.question_set}, by their names." if stored.question_set else "")
    )
