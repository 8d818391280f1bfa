"""Bulk rows for benchmarks, without the actions: COPY on PostgreSQL, executemany on SQLite."""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import connection, models, transaction

from annotation.domain.workflow import ItemState
from annotation.models import Assignment, Inspection, Item, Project, Queue, Rating, Rewrite, Slot
from core.models import Event, User

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
SOURCES = ("tieba", "zhidao", "douban", "weibo", "other")
TOPICS = ("生活", "交通", "天气", "饮食", "体育", "音乐", "电影", "旅行", "健康", "学习", "工作", "家居")


def load_pairs(queue: Queue, count: int) -> None:
    """Store open pairs on positions 1 to `count`; the item and slot of a pair have its position as their key."""
    required = queue.project.rating.raters
    numbers = range(1, count + 1)
    write(
        Item,
        (
            "id",
            "project_id",
            "purpose",
            "state",
            "position",
            "digest",
            "group",
            "external_id",
            "source",
            "topic",
            "content",
            "created_at",
        ),
        (
            (
                n,
                queue.project_id,
                "work",
                "open",
                n,
                f"{n:064x}",
                f"{n // 5:064x}",
                str(n),
                SOURCES[n % len(SOURCES)],
                TOPICS[n % len(TOPICS)],
                '{"prompt": "今天出门了吗?", "response": "还没有,等下一班车。"}',
                BEGAN,
            )
            for n in numbers
        ),
    )
    write(
        Slot,
        ("id", "queue_id", "item_id", "round", "required", "free", "position"),
        ((n, queue.pk, n, 1, required, required, n) for n in numbers),
    )
    Queue.objects.filter(pk=queue.pk).update(tail=count)


def always_good(number: int) -> int:
    return 4


def load_grades(
    queue: Queue, person: User, slot_number: int, slots: range, grade: Callable[[int], int] = always_good
) -> None:
    """Store a person's submitted assignments on these slots, one a second, with their grades and events."""
    guideline = queue.project.guidelines.get().pk
    first = (Assignment.objects.aggregate(models.Max("id"))["id__max"] or 0) + 1
    assignments = [(first + offset, slot, BEGAN + timedelta(seconds=offset)) for offset, slot in enumerate(slots)]
    write(
        Assignment,
        ("id", "slot_id", "slot_number", "person_id", "state", "lease_until", "claimed_at", "ended_at", "reason"),
        (
            (assignment, slot, slot_number, person.pk, "submitted", at, at, at, "")
            for assignment, slot, at in assignments
        ),
    )
    write(
        Rating,
        ("assignment_id", "grade", "reason", "guideline_id", "created_at"),
        ((assignment, grade(slot), "", guideline, at) for assignment, slot, at in assignments),
    )
    write(
        Event,
        ("scope_kind", "scope_id", "subject", "subject_id", "was", "became", "why", "by_id", "at"),
        (
            (Project._meta.label_lower, queue.project_id, "assignment", assignment, was, became, "", person.pk, at)
            for assignment, _slot, at in assignments
            for was, became in (("", "held"), ("held", "submitted"))
        ),
    )
    passed = Slot.objects.filter(pk__gte=slots.start, pk__lt=slots.stop)
    passed.update(free=models.F("free") - 1)


def load_accepted(writing: Queue, inspecting: Queue, by: User, texts: Iterable[str]) -> None:
    """Store the first items of the project as written with these candidates and accepted in one round.

    Each of `texts` is a JSON array of four. One person does all, which the tables allow.
    """
    items = list(zip(writing.project.items.order_by("pk"), texts))  # noqa: B905 - as many as there are texts
    slots = {slot.item_id: slot.pk for slot in writing.slots.all()}
    first = max(slots.values()) + 1
    assignments = [
        (number, item, text, BEGAN + timedelta(minutes=number)) for number, (item, text) in enumerate(items, 1)
    ]
    write(
        Slot,
        ("id", "queue_id", "item_id", "round", "required", "free", "position"),
        ((first + n, inspecting.pk, item.pk, 1, 1, 0, n) for n, item, _text, _at in assignments),
    )
    write(
        Assignment,
        ("id", "slot_id", "slot_number", "person_id", "state", "lease_until", "claimed_at", "ended_at", "reason"),
        (
            (2 * n + step, slot, 1, by.pk, "submitted", at, at, at, "")
            for n, item, _text, at in assignments
            for step, slot in enumerate((slots[item.pk], first + n))
        ),
    )
    write(
        Rewrite,
        ("id", "assignment_id", "cut", "candidates", "revision", "saved_at", "seconds", "submitted_at"),
        ((n, 2 * n, len(item.content["turns"]) - 1, text, 1, at, 240, at) for n, item, text, at in assignments),
    )
    write(
        Inspection,
        (
            "id",
            "assignment_id",
            "rewrite_id",
            "order",
            "opened_at",
            "answer",
            "answered_at",
            "is_correct",
            "is_unique",
            "verdict",
            "comments",
            "decided_at",
        ),
        (
            (n, 2 * n + 1, n, "[0, 1, 2, 3]", at, 0, at, True, True, "accept", "{}", at)
            for n, _item, _text, at in assignments
        ),
    )
    accepted = Item.objects.filter(pk__in=[item.pk for item, _text in items])
    accepted.update(state=ItemState.KEPT)
    Slot.objects.filter(queue=writing, item__in=accepted).update(free=0)
    gather_statistics()


@transaction.atomic
def write(model: type[models.Model], columns: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> None:
    """Write rows of the columns named; any other column has its default."""
    unnamed = [each for each in model._meta.concrete_fields if each.column not in columns and each.has_default()]
    names = ", ".join(f'"{column}"' for column in [*columns, *(each.column for each in unnamed)])
    rows = ((*row, *(each.get_db_prep_save(each.get_default(), connection) for each in unnamed)) for row in rows)
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            cursor.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}")
        else:
            marks = ", ".join("?" * (len(columns) + len(unnamed)))
            plain = (tuple(_without_zone(value) for value in row) for row in rows)
            connection.connection.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", plain)


def _without_zone(value: Any) -> Any:
    """Return times as SQLite stores them: UTC text without a zone."""
    return str(value.replace(tzinfo=None)) if isinstance(value, datetime) else value


def gather_statistics() -> None:
    """Do what PostgreSQL's autovacuum does within minutes of a large import."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")
