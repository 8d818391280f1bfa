"""Gold: pairs whose grade is known, brought in and sent between the pairs to rate.

They stand at places without slots, before the beginning of the queue: nobody comes to them by claiming.
"""

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.db import transaction
from django.db.models import Min

from annotation.actions.events import record
from annotation.actions.projects import must_be
from annotation.actions.refusals import RowsRefused
from annotation.domain.splitting import prompt_group
from annotation.domain.text import digest
from annotation.importers import gold as importer
from annotation.importers.reading import Source
from annotation.importers.reasons import Reason
from annotation.importers.rows import BadRow, GoldRow
from annotation.models import Cursor, Gold, Item, Kind, Place, Project, Purpose, Queue, Step, User
from annotation.selectors.gold import seen_by, stream_of


class Outcome(NamedTuple):
    stored: int
    double: int  # pairs that were stored before, or stand in the file twice


@transaction.atomic
def import_gold(*, project: Project, source: Source, file_name: str, by: User) -> Outcome:
    """Store every pair of a csv, tsv or jsonl file, or none. Bringing a file in again adds nothing.

    Raises RowsRefused, and Refused for a project of another kind.
    """
    must_be(project, Kind.RATING)
    queue = Queue.objects.select_for_update(no_key=True).get(project=project, step=Step.RATE)
    guideline = project.guidelines.all()[:1].get().content
    read = importer.read(source, scale=project.rating.grades, guideline=guideline, file_name=file_name)
    rows = list(read)
    bad = [row for row in rows if isinstance(row, BadRow)]
    good = {digest(row.prompt, row.response): row for row in rows if isinstance(row, GoldRow)}
    known = set(Item.objects.filter(project=project, digest__in=good).values_list("digest", flat=True))
    bad += _contradicting(project, good, file_name)
    if bad:
        raise RowsRefused(sorted(bad, key=lambda row: row.line or 0))
    new = {key: row for key, row in good.items() if key not in known}
    _store(queue, new)
    record(queue, became="gold imported", project=project, by=by)
    return Outcome(len(new), len(rows) - len(new))


def _contradicting(project: Project, good: dict[str, GoldRow], file_name: str) -> Iterable[BadRow]:
    """The rows that are pairs to be rated, or that are stored with another grade."""
    same = Item.objects.filter(project=project, digest__in=good).select_related("gold")
    for item in same:
        row = good[item.digest]
        if item.purpose != Purpose.GOLD:
            yield BadRow(file_name, row.line, Reason("gold_is_work"), row.prompt)
        elif item.gold.grade != row.grade:
            yield BadRow(file_name, row.line, Reason("gold_before", {"grade": item.gold.grade}), row.prompt)


def _store(queue: Queue, new: dict[str, GoldRow]) -> None:
    lowest = Item.objects.filter(project=queue.project).aggregate(Min("position"))["position__min"] or 0
    items = Item.objects.bulk_create(
        Item(
            project=queue.project, purpose=Purpose.GOLD, position=min(lowest, 0) - number, digest=key, line=row.line,
            group=prompt_group(row.prompt), content={"prompt": row.prompt, "response": row.response},
        )
        for number, (key, row) in enumerate(new.items(), start=1)
    )  # fmt: skip
    Gold.objects.bulk_create(
        Gold(item=item, grade=row.grade, reason=row.kind, explanation=row.explanation)
        for item, row in zip(items, new.values(), strict=True)
    )
    _open_round(queue.pk, items, 1)


def _open_round(queue: int, items: Iterable[Item], round: int) -> None:
    """Places without slots for one more meeting with each item. Whoever opens a round too opens the same."""
    places = (
        Place(queue_id=queue, item=item, round=round, slots=0, free=0, position=item.position)
        for item in sorted(items, key=lambda item: item.pk)  # in one order, so that nobody waits in a circle
    )
    Place.objects.bulk_create(places, ignore_conflicts=True)


def among(places: Sequence[Place], *, cursor: Cursor, project: Project, most: int, by: User) -> list[Place]:
    """The next places of a person, at `most` that many: the first of `places`, with gold between them where it falls.

    The cursor is locked. It counts what is handed out, which is what the person's next draws are named by.
    """
    seen = seen_by(by, project) if project.rating.gold_first and places else Counter[str]()
    if not seen:
        return list(places[:most])
    stream = stream_of(project, by)
    waiting, handed = deque(places), list[Place]()
    for is_gold in stream.kinds(cursor.handed, len(places)):
        if len(handed) == most:
            break
        handed.append(_gold_place(cursor, project, stream.next_gold(seen)[0], seen) if is_gold else waiting.popleft())
    cursor.handed += len(handed)
    cursor.save(update_fields=["handed"])
    return handed


def _gold_place(cursor: Cursor, project: Project, key: str, seen: Counter[str]) -> Place:
    """The place of a gold pair, known by its digest, for the person's next meeting with it."""
    seen[key] += 1
    place = Place.objects.filter(queue=cursor.queue_id, item__digest=key, item__project=project, round=seen[key])
    if not place.exists():
        _open_round(cursor.queue_id, Item.objects.filter(project=project, purpose=Purpose.GOLD), seen[key])
    return place.get()
