"""Import the predictions of a model that ran elsewhere, as a run under a label.

One line an instance: its id, then its candidates best first, separated by tabs (letters, or numbers from 1), or JSON
{"id", "scores"}, higher is better; JSON may also be one array of all. An id alone has no readable reply and counts as
wrong. Candidates are named in the order that NAME has them. A file that was made for a corpus is imported for that
corpus: it serves every question set and study that asks the same.

If one row is refused, nothing is stored; --partial stores the others. Instances without a row are counted and are in no
figure. Example: manage.py import_predictions mutual:dev predictions.txt --model "ELECTRA, large"
"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.actions.imports.refused_rows import refused_line
from core.management.command import ColloquyCommand, counted, readable_file, seed
from core.models.people import User
from study.actions.runs.uploads import NAMED_IDS, UploadOutcome, import_predictions
from study.management.command import SOURCE
from study.management.commands.run_baseline import figure_lines


class Command(ColloquyCommand):
    help = __doc__
    permission = "run.start"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("name", metavar=SOURCE, help="a corpus, a release SLUG@NUMBER, a question set or a study")
        parser.add_argument("file", metavar="FILE", type=readable_file)
        parser.add_argument("--model", dest="label", required=True, metavar="LABEL", help="what the model is called")
        parser.add_argument(
            "--seed", type=seed, default=0, help="tells several trainings of one model apart (default 0)"
        )
        parser.add_argument("--partial", action="store_true", help="store the good rows where others are refused")

    def act(self, *, by: User, name: str, file: Path, label: str, seed: int, partial: bool, **options: Any) -> None:
        found = import_predictions(on=name, path=file, label=label, seed=seed, partial=partial, by=by)
        self.list_refused([refused_line(row) for row in found.refused])
        self.say(as_json(found), as_text(found))


def as_json(found: UploadOutcome) -> dict[str, Any]:
    return {
        **found.run.figures,
        "run": found.run.pk,
        "on": found.run.on,
        "label": found.run.label,
        "seed": found.run.seed,
        "created": found.created,
        "rows": found.rows,
        "predicted": found.run.predictions.count(),
        "missing": len(found.missing),
        "missing_ids": found.missing,
        "refused": len(found.refused),
        "refused_by": found.refused_by,
        "rows_refused": [refused_line(row) for row in found.refused],
        "checksum": found.run.checksum,
    }


def as_text(found: UploadOutcome) -> str:
    run, figures = found.run, found.run.figures
    if not found.created:
        return f"These predictions of {run.label} for {run.on} are stored already, as run {run.pk}."
    lines = list(figure_lines(figures))
    if found.refused:
        kinds = ", ".join(f"{code} {number:,}" for code, number in found.refused_by.items())
        lines.append(f"{counted(len(found.refused), 'row')} refused and not stored: {kinds}")
    if found.missing:
        ids = ", ".join(found.missing[:NAMED_IDS]) + (" …" if len(found.missing) > NAMED_IDS else "")
        lines.append(f"{counted(len(found.missing), 'instance')} without a prediction, left out of all figures: {ids}")
    if figures.get("unanswered"):
        lines.append(f"{counted(figures['unanswered'], 'instance')} without a readable reply, counted as wrong")
    lines.append(f"run {run.pk}, checksum of its predictions {run.checksum}")
    return "\n".join([f"{run.label} on {run.on}: {lines[0]}", *lines[1:]])
