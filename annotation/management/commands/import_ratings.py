"""Import grades given elsewhere, from a csv file: columns item, rater, grade [, prompt, response, type, dialogue].

An item may have any number of raters; unknown items are created. If a row is refused, nothing is stored; with --partial
gaps and other rows that cannot be read are left out and counted. Rows whose column counted is no are not imported.
Example: manage.py import_ratings quality grades.csv

With --model the grades are a model's, of pairs that are in the project: columns item, grade [, prompt, response]. They
enter no mean, filter, agreement or count of people.
Example: manage.py import_ratings quality qwen.csv --model Qwen2.5-72B --set temperature=0
"""

from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.actions.rating.imported_ratings import RatingsImportOutcome, import_ratings
from annotation.actions.rating.model_grades import ModelGradesOutcome, import_model_grades
from annotation.management.finding import project
from core.domain.text import normalise
from core.management.command import ColloquyCommand, ProgressPrinter, counted, readable_file
from core.models import User

LONGEST_KEY = 40  # characters


class Command(ColloquyCommand):
    help = __doc__
    permission = "pairs.import"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("file", metavar="FILE", type=readable_file)
        parser.add_argument("--model", metavar="NAME", help="the grades are this model's, and no person's")
        parser.add_argument(
            "--set",
            dest="chosen",
            action="append",
            default=[],
            type=_setting,
            metavar="KEY=VALUE",
            help="of the model: its prompt, temperature and so on, which the agreement page shows",
        )
        parser.add_argument("--partial", action="store_true", help="store the good rows when others are refused")

    def act(
        self,
        *,
        by: User,
        slug: str,
        file: Path,
        model: str | None,
        partial: bool,
        chosen: list[tuple[str, str]],
        **options: Any,
    ) -> None:
        target = project(slug, permission=self.permission, by=by)
        report = ProgressPrinter(self, "grades")
        if chosen and model is None:
            raise CommandError("--set: only a model has settings, with --model NAME.", returncode=2)
        if model is not None:
            self._tell_of_model(
                import_model_grades(
                    project=target,
                    path=file,
                    model=model,
                    settings=dict(chosen),
                    is_partial=partial,
                    report=report,
                    by=by,
                )
            )
            return
        stored = import_ratings(project=target, path=file, is_partial=partial, report=report, by=by)
        self.list_refused(stored.rows_refused)
        self.say(
            stored._asdict(),
            f"{counted(stored.ratings, 'grade')} by {counted(stored.raters, 'rater')} stored; "
            f"{counted(stored.items, 'item')} made{_others(stored)}",
        )

    def _tell_of_model(self, stored: ModelGradesOutcome) -> None:
        self.list_refused(stored.rows_refused)
        self.say(
            stored._asdict(),
            f"{counted(stored.grades, 'grade')} by the model {stored.model} stored{_others(stored)}",
        )


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = map(normalise, text.partition("="))
    if not (equals and value and 0 < len(key) <= LONGEST_KEY):
        raise ArgumentTypeError(f"write it as key=value, for example temperature=0, not {text}")
    return key, value


def _others(stored: RatingsImportOutcome | ModelGradesOutcome) -> str:
    """Return the end of the sentence: what was not stored, and why."""
    return (
        f", {counted(stored.duplicate, 'grade was', 'grades were')} stored before"
        + f", {stored.uncounted:,} did not count where they come from" * bool(stored.uncounted)
        + f", {counted(stored.refused, 'row was', 'rows were')} refused and left out" * bool(stored.refused)
        + "."
    )
