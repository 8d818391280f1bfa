"""Predictions of another system, imported as a run under a label. What a file lacks is counted, never wrong."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import file_digest
from pathlib import Path
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.actions.imports.refused_rows import RowsRefused
from annotation.importers.reasons import RefusalReason, RowRefused
from annotation.importers.rows import BadRow, excerpt
from core.actions import jobs, names
from core.actions.events import record
from core.actions.refusals import Refused
from core.domain.text import one_line
from core.models.bulk import gather_statistics
from core.models.jobs import Job
from core.models.people import User
from study.actions.runs import predictions
from study.actions.runs.labels import stored_label
from study.actions.runs.plans import named_source
from study.actions.runs.refusals import refusal, without_candidates
from study.baselines.analyses import figures_by_condition, figures_by_part, in_whole_contexts
from study.baselines.base import RankingInstance
from study.baselines.catalogue import UPLOADED
from study.baselines.evaluate import evaluate_run
from study.importers import predictions as importer
from study.importers.predictions import PredictionRow
from study.models import Prediction, Run
from study.permissions import runs_of
from study.selectors.runs.predicted import runs_that_predict
from study.selectors.runs.sources import Source
from study.selectors.runs.written_for import made_for_another, material_with

UNKNOWN = "instance_unknown"
NAMED_IDS = 100  # of the instances without a prediction, which the run's page lists
REFUSALS = {
    "no_label": _("Give the model a label: it is shown in every table."),
    "nothing_predicted": _("Nothing was stored: no line of the file predicts an instance. Check its ids."),
    "serves_already": _(
        "This file has already been imported for other material and applies to all questions "
        "with the same content. There is nothing to do: its letters name the candidates in "
        "the order of that material."
    ),
    "label_taken": _(
        "This label already has other predictions for the same instances. Choose another "
        "label, or another seed if it is the same model trained again."
    ),
}


class UploadOutcome(NamedTuple):
    """The run of a file, and whether it is new; `rows` of the file, those refused of them, and ids without any."""

    run: Run
    created: bool
    rows: int
    refused: list[BadRow]
    missing: list[str]

    @property
    def refused_by(self) -> dict[str, int]:
        """How many rows were refused, by the code of the reason."""
        return dict(Counter(row.reason.code for row in self.refused))


@dataclass
class _Matched:
    """Scores of a source's instances, in the order of these, as far as a file has them."""

    asked: Sequence[RankingInstance]
    rows: int = 0
    scores: dict[str, list[float]] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    refused: list[BadRow] = field(default_factory=list)

    @property
    def instances(self) -> list[RankingInstance]:
        return [one for one in self.asked if one.id in self.scores]

    @property
    def missing(self) -> list[str]:
        return [one.id for one in self.asked if one.id not in self.scores]


def import_predictions(
    *,
    on: str,
    path: Path,
    label: str,
    file_name: str = "",
    seed: int = 0,
    partial: bool = False,
    job: Job | None = None,
    by: User,
) -> UploadOutcome:
    """Store the predictions of a file for NAME or NAME:split as a run; a file that is stored already adds nothing.

    Letters and numbers name the candidates in the order that NAME has them. With `partial` the good rows are stored
    where others are refused. `seed` tells several trainings of one model apart. Raises Refused, of rows RowsRefused.
    """
    label = checked_label(label, by=by)
    source, name = named_source(on, by=by), file_name or path.name
    found = _matched(source, path, name)
    _must_not_be_of_more(source, found, name, by)
    if found.refused and (not partial or any(row.line is None for row in found.refused)):
        raise RowsRefused(found.refused)
    if not found.scores:
        raise Refused("nothing_predicted", REFUSALS["nothing_predicted"])
    with path.open("rb") as file:
        digest = file_digest(file, "sha256").hexdigest()
    _must_not_serve(source, found.asked, digest, by)
    if other := made_for_another([*found.scores], source, found.asked, by=by):
        code = "made_for_another" if other.is_certain else "order_unknown"
        reason = RefusalReason(code, {"other": other.source.name, "on": source.name})
        raise RowsRefused([BadRow(name, None, reason)])
    run = Run(
        model=UPLOADED, label=label, seed=seed, on=source.name, on_checksum=source.checksum, job=job, created_by=by
    )
    run.question_set, run.study = source.question_set, source.study
    run.circumstances = {"file": one_line(name), "file_checksum": digest, "rows": found.rows}
    _put_down(run, found)
    jobs.begin_storing(job)
    stored, created = _store(run, found, by=by)
    return UploadOutcome(stored, created, found.rows, found.refused, found.missing)


def checked_label(label: str, *, by: User) -> str:
    """Return a label in the form that is stored. Raises Refused where there is none, or it may not be one."""
    if label := stored_label(label, by=by):
        return label
    raise Refused("no_label", REFUSALS["no_label"], field="label")


def _matched(source: Source, path: Path, file_name: str) -> _Matched:
    """Read a file, and put each row to its instance or among the refused. Raises Refused."""
    found = _Matched(source.instances())
    if not found.asked:
        raise refusal("empty_source")
    candidates = {one.id: len(one.candidates) for one in found.asked}
    if not all(candidates.values()):
        raise without_candidates(source)
    lines: dict[str, int] = {}
    for row in importer.read(path, file_name=file_name):
        found.rows += 1
        if isinstance(row, BadRow):
            found.refused.append(row)
            continue
        try:
            found.scores[row.id] = _scores(row, source, candidates, lines)
        except RowRefused as refused:
            found.refused.append(BadRow(file_name, row.line, refused.reason, excerpt(row.text)))
            if refused.reason.code == UNKNOWN:
                found.unknown.append(row.id)
    return found


def _must_not_be_of_more(source: Source, found: _Matched, file_name: str, by: User) -> None:
    """Refuse a file of a corpus or set that has more instances than the source, in one line for all of these rows."""
    if found.unknown and (other := material_with({*found.scores, *found.unknown}, source, by=by)):
        names = {"other": other.name, "on": source.name, "id": excerpt(found.unknown[0])}
        reason = RefusalReason("ids_of_another", {**names, "count": len(found.unknown)})
        rest = [row for row in found.refused if row.reason.code != UNKNOWN]
        raise RowsRefused([BadRow(file_name, None, reason), *rest])


def _scores(row: PredictionRow, source: Source, candidates: dict[str, int], lines: dict[str, int]) -> list[float]:
    """Return the scores of a row. Raises RowRefused where its instance is unknown, or was in an earlier line."""
    if row.id not in candidates:
        raise RowRefused(UNKNOWN, on=source.name, id=excerpt(row.id))
    if row.id in lines:
        raise RowRefused("predicted_twice", id=excerpt(row.id), first=lines[row.id])
    scores = row.scores_of(candidates[row.id])
    lines[row.id] = row.line
    return scores


def _must_not_serve(source: Source, asked: Sequence[RankingInstance], digest: str, by: User) -> None:
    """Refuse a file that serves the source from elsewhere: there its letters name candidates in another order."""
    uploads = runs_of(by).filter(model=UPLOADED, circumstances__file_checksum=digest).exclude(on=source.name)
    if runs_that_predict(uploads, asked).exists():
        raise Refused("serves_already", REFUSALS["serves_already"])


def _put_down(run: Run, found: _Matched) -> None:
    """Give the run its figures, over the instances that have a prediction."""
    instances = found.instances
    scores = [found.scores[one.id] for one in instances]
    whole = in_whole_contexts(instances, scores)
    run.metrics = {
        "model": run.label,
        **evaluate_run(*whole, seed=run.seed),
        **figures_by_part(*whole, seed=run.seed),
        **figures_by_condition(instances, scores, seed=run.seed),
        "shared_contexts": 0,
        "missing": len(found.missing),
        "missing_ids": found.missing[:NAMED_IDS],
    }
    run.checksum, run.ended_at = predictions.checksum(instances, scores), timezone.now()


@transaction.atomic
def _store(run: Run, found: _Matched, *, by: User) -> tuple[Run, bool]:
    """Store a run with its predictions once, however often and wherever it is sent. Raises Refused."""
    shared = run.study or run.question_set or by  # all who see its runs wait here for each other
    list(type(shared)._default_manager.select_for_update(no_key=True).filter(pk=shared.pk))
    alike = runs_of(by).filter(model=UPLOADED, on=run.on, on_checksum=run.on_checksum, label=run.label, seed=run.seed)
    if (other := alike.order_by("pk").first()) is not None:
        if other.checksum == run.checksum:
            return other, False
        raise Refused("label_taken", REFUSALS["label_taken"], field="label")
    names.keep(run.sources)
    run.save()
    instances = found.instances
    predictions.store(run, instances, [found.scores[one.id] for one in instances])
    gather_statistics(Prediction)
    record(run, became="imported", scope=None, by=by)
    return run, True
