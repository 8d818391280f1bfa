"""Import and correct gold: pairs with a known grade."""

from collections.abc import Iterable
from typing import NamedTuple

from django.db import transaction
from django.db.models import Min

from annotation.actions.imports.refused_rows import RowsRefused
from annotation.actions.projects.projects import must_be
from annotation.actions.qualification.gold_stream import open_round
from annotation.actions.qualification.pausing import end_without_cause
from annotation.actions.queue.assignments import lock_queue
from annotation.domain.releases.splitting import prompt_group
from annotation.domain.workflow import AnnotatorState
from annotation.importers import gold as importer
from annotation.importers.reading import Source
from annotation.importers.reasons import RefusalReason
from annotation.importers.rows import BadRow, GoldRow
from annotation.models import Gold, Import, Item, Kind, Project, Purpose, Queue, Step
from core.actions.events import record
from core.domain.text import digest
from core.models import User


class GoldImportOutcome(NamedTuple):
    """Numbers of pairs in an import of gold."""

    stored: int
    duplicate: int  # pairs stored before, or twice in the file
    corrected: int  # pairs stored before with another grade, type or explanation


@transaction.atomic
def import_gold(
    *, project: Project, source: Source, file_name: str, corrects: bool = False, by: User
) -> GoldImportOutcome:
    """Store every pair of a csv, tsv, xlsx, jsonl or json file, or none. Importing a file again adds nothing.

    A pair stored with another grade is refused, unless the file `corrects` known grades: existing grades are then
    compared with the new known grade, and a person paused without cause goes on. Raises RowsRefused, and Refused for a
    project of another kind.
    """
    must_be(project, Kind.RATING)
    guideline = project.guidelines.all()[:1].get().content
    rows = importer.read(source, scale=project.rating.grades, guideline=guideline, file_name=file_name)
    return store_gold_pairs(project=project, rows=rows, file_name=file_name, corrects=corrects, by=by)


@transaction.atomic
def store_gold_pairs(
    *,
    project: Project,
    rows: Iterable[GoldRow | BadRow],
    file_name: str,
    origin: Import | None = None,
    corrects: bool = False,
    by: User,
) -> GoldImportOutcome:
    """Store every pair of these rows, or none, as import_gold does; `origin` is the file that they are from, where it
    is kept. Raises RowsRefused.
    """
    queue = lock_queue(project, Step.RATE)
    rows = list(rows)
    bad = [row for row in rows if isinstance(row, BadRow)]
    good = {digest(row.prompt, row.response): row for row in rows if isinstance(row, GoldRow)}
    same = list(Item.objects.filter(project=project, digest__in=good).select_related("gold"))
    bad += _contradicting(same, good, file_name, corrects)
    if bad:
        raise RowsRefused(sorted(bad, key=lambda row: row.line or 0))
    new = {key: row for key, row in good.items() if key not in {item.digest for item in same}}
    _store(queue, new, origin)
    corrected = _correct(queue, same, good, by=by) if corrects else 0
    record(queue, became="gold imported", scope=project, by=by)
    return GoldImportOutcome(len(new), len(rows) - len(new) - corrected, corrected)


def _contradicting(same: Iterable[Item], good: dict[str, GoldRow], file_name: str, corrects: bool) -> Iterable[BadRow]:
    """Yield the rows whose pair is work, or is gold with another grade that the file does not correct."""
    for item in same:
        row = good[item.digest]
        if item.purpose != Purpose.GOLD:
            yield BadRow(file_name, row.line, RefusalReason("gold_is_work"), row.prompt)
        elif item.gold.grade != row.grade and not corrects:
            yield BadRow(file_name, row.line, RefusalReason("gold_before", {"grade": item.gold.grade}), row.prompt)


def _correct(queue: Queue, same: Iterable[Item], good: dict[str, GoldRow], *, by: User) -> int:
    """Update the known grades of these pairs from the rows. Return how many changed."""
    changed = []
    for item in same:
        gold, row = item.gold, good[item.digest]
        if (gold.grade, gold.reason, gold.explanation) != (row.grade, row.kind, row.explanation):
            gold.grade, gold.reason, gold.explanation = row.grade, row.kind, row.explanation
            changed.append(gold)
    Gold.objects.bulk_update(changed, ["grade", "reason", "explanation"])
    if changed:
        record(queue, became="gold corrected", scope=queue.project, by=by)
        for cursor in queue.cursors.filter(state=AnnotatorState.PAUSED).select_related("person"):
            end_without_cause(project=queue.project, person=cursor.person, why="gold was corrected", by=by)
    return len(changed)


def _store(queue: Queue, new: dict[str, GoldRow], origin: Import | None) -> None:
    lowest = Item.objects.filter(project=queue.project).aggregate(Min("position"))["position__min"] or 0
    items = Item.objects.bulk_create(
        Item(
            project=queue.project,
            purpose=Purpose.GOLD,
            origin=origin,
            position=min(lowest, 0) - number,
            digest=key,
            line=row.line,
            group=prompt_group(row.prompt),
            content={"prompt": row.prompt, "response": row.response},
        )
        for number, (key, row) in enumerate(new.items(), start=1)
    )
    Gold.objects.bulk_create(
        Gold(item=item, grade=row.grade, reason=row.kind, explanation=row.explanation)
        for item, row in zip(items, new.values(), strict=True)
    )
    open_round(queue.pk, items, 1)
