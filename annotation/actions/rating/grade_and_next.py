"""Store a grade and assign the next pairs, the request that people send all day, in as few statements as it takes.

It does what `ratings.submit_and_claim` does, and leaves to that whatever is not usual. Plain SQL where one statement
does the work of several.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.utils import timezone

from annotation.actions.qualification.pausing import watch
from annotation.actions.queue.ahead import enough_for_all, share
from annotation.actions.queue.assignments import claim_with, lease_end, lowest_free, renewed
from annotation.actions.queue.cursors import LAG, move_cursor, slots_ahead
from annotation.actions.rating.ratings import must_be_allowed
from annotation.domain.rating.rating import outcome
from annotation.domain.workflow import AnnotatorState, AssignmentState, ItemState
from annotation.models import Assignment, Cursor, Item, Project, Rating, Slot
from annotation.selectors.rating.grading import PairInHand, lock_pair, surroundings
from core.actions import events
from core.models import Event, User
from core.models.sql import Columns, execute, insert, names_of, rows_of, stored

SLOT = Columns(annotation_slot=Slot)


@dataclass(frozen=True)
class GradeAndNext:
    """A stored grade, the pairs that the person holds now, and the number of those graded today."""

    project: Project
    rating: Rating
    held: list[Assignment]
    today: int


@transaction.atomic
def grade_and_next(
    *,
    assignment: int,
    slug: str,
    grade: int,
    reason: str = "",
    milliseconds: int | None = None,
    key: UUID | None = None,
    most: int,
    since: datetime,
    by: User,
) -> GradeAndNext | None:
    """Store the grade of a pair that `by` holds in the project, and claim ahead up to `most`; None if it is not usual.

    `since` is the beginning of the person's day. Raises Refused.
    """
    pair = lock_pair(assignment, slug, by)
    if pair is None or not _is_usual(pair):
        return None
    must_be_allowed(pair.project, pair.guideline, grade, reason)
    sure = enough_for_all(most, pair.raters)
    around = surroundings(pair, since=since, most_ahead=sure)
    allowed = most if around.ahead == sure else share(pair.cursor, most, pair.raters)
    lease_until = lease_end(pair.project)
    new = _next(pair, allowed - len(around.held), lease_until, by) if _is_without_gold(pair) else []
    lines = [events.moved(pair.assignment, AssignmentState.SUBMITTED, scope=pair.project, by=by)]
    pair.assignment.ended_at = timezone.now()
    _store([pair.assignment, *renewed(around.held, lease_until), *new])
    given = {"grade": grade, "reason": reason, "milliseconds": milliseconds, "submission_key": key}
    rating = Rating(assignment=pair.assignment, guideline=pair.guideline, **given)
    insert([rating])
    lines += _settled(pair, [*around.grades, grade], by) if pair.assignment.slot_number is not None else []
    lines += [events.line(each, became=AssignmentState.HELD, scope=pair.project, by=by) for each in new]
    events.write(lines)
    held = [*around.held, *new] if _is_without_gold(pair) else _with_gold(pair, allowed, by)
    return GradeAndNext(pair.project, rating, held, around.today + 1)


def _is_usual(pair: PairInHand) -> bool:
    """Tell whether the grade is neither late nor sent again, the person not paused, and no adjudicator is asked."""
    is_held = pair.assignment.state == AssignmentState.HELD and pair.item.state != ItemState.CLEANED
    is_asked = pair.project.rating.adjudicate or pair.is_adjudicated
    return is_held and pair.cursor.state == AnnotatorState.WORKING and not is_asked


def _is_without_gold(pair: PairInHand) -> bool:
    rating = pair.project.rating
    return not rating.gold_first and not rating.practice and pair.assignment.slot_number is not None


def _with_gold(pair: PairInHand, allowed: int, by: User) -> list[Assignment]:
    """Pause the person if they missed too much gold; return what they hold then, with gold among the new pairs."""
    if pair.assignment.slot_number is None:
        watch(pair.cursor, project=pair.project)
    return claim_with(pair.cursor, pair.project, allowed, waits=False, by=by)


def _next(pair: PairInHand, wanted: int, lease_until: datetime, by: User) -> list[Assignment]:
    """Return new assignments, not stored yet, to the next slots that no one has locked, which are taken."""
    cursor = pair.cursor
    taken = _take(cursor, by, wanted) if wanted > 0 else []
    if wanted > 0 and (not taken or taken[0][0].position > cursor.position + LAG):
        move_cursor(cursor, slots_ahead(cursor))
    return [
        Assignment(slot=slot, slot_number=number, person=by, state=AssignmentState.HELD, lease_until=lease_until)
        for slot, number in taken
    ]


def _take(cursor: Cursor, person: User, wanted: int) -> list[tuple[Slot, int]]:
    """Take a place on each of the first slots that `slots_ahead` has; return them in their order, with its number.

    The limit stands in the text: a plan that PostgreSQL keeps for any limit would sort all slots.
    """
    is_postgresql = connection.vendor == "postgresql"
    numbers = "string_agg(slot_number::text, ',')" if is_postgresql else "group_concat(slot_number)"
    rows = rows_of(
        f"""
        WITH next AS MATERIALIZED (
            SELECT slot.id AS id FROM annotation_slot slot
            WHERE slot.queue_id = %s AND slot.position > %s AND slot.free > 0
            AND NOT EXISTS (SELECT 1 FROM annotation_assignment own WHERE own.slot_id = slot.id AND own.person_id = %s
                AND own.state IN ('held', 'submitted', 'skipped', 'voided'))
            AND NOT EXISTS (SELECT 1 FROM annotation_slot asked
                JOIN annotation_queue ON annotation_queue.id = asked.queue_id AND annotation_queue.step = 'adjudicate'
                JOIN annotation_assignment decided ON decided.slot_id = asked.id AND decided.person_id = %s
                WHERE asked.item_id = slot.item_id)
            ORDER BY slot.position LIMIT {wanted:d}{" FOR NO KEY UPDATE OF slot SKIP LOCKED" if is_postgresql else ""})
        UPDATE annotation_slot SET free = annotation_slot.free - 1 FROM next WHERE annotation_slot.id = next.id
        RETURNING {SLOT},
            (SELECT {numbers} FROM annotation_assignment
                WHERE slot_id = annotation_slot.id AND annotation_assignment.state IN ('held', 'submitted')),
            (SELECT content FROM annotation_item WHERE annotation_item.id = annotation_slot.item_id),
            (SELECT source FROM annotation_item WHERE annotation_item.id = annotation_slot.item_id),
            (SELECT topic FROM annotation_item WHERE annotation_item.id = annotation_slot.item_id)""",  # noqa: S608
        [cursor.queue_id, cursor.position, person.pk, person.pk],
    )
    taken = [_taken(row) for row in rows]
    return sorted(taken, key=lambda each: each[0].position)


def _taken(row: Sequence[Any]) -> tuple[Slot, int]:
    [slot] = SLOT.read(row)
    numbers, content, source, topic = row[SLOT.width :]
    shown = {"id": slot.item_id, "source": source, "topic": topic, "content": json.loads(content)}
    slot.item = Item.from_db(connection.alias, list(shown), list(shown.values()))
    used = {int(number) for number in (numbers or "").split(",") if number}
    if len(used) != slot.required - slot.free - 1:  # another person took or left a place while the slot was being found
        used = set(slot.assignments.taken().values_list("slot_number", flat=True))
    return slot, lowest_free(slot, used)


def _store(assignments: Sequence[Assignment]) -> None:
    """Store changed and new assignments of one person at once; the new ones learn their keys."""
    sql, params = [], list[Any]()
    for assignment in assignments:
        is_new = assignment.pk is None
        key = ("DEFAULT" if connection.vendor == "postgresql" else "NULL") if is_new else "%s"
        values = stored(assignment)
        sql.append(f"({key}, {', '.join(['%s'] * len(values))})")
        params += values if is_new else [assignment.pk, *values]
    rows = rows_of(
        f"""INSERT INTO annotation_assignment (id, {names_of(Assignment)}) VALUES {", ".join(sql)}
        ON CONFLICT (id) DO UPDATE SET state = excluded.state, ended_at = excluded.ended_at,
            lease_until = excluded.lease_until
        RETURNING id, slot_id""",  # noqa: S608
        params,
    )
    keys = {slot: key for key, slot in rows}
    for assignment in assignments:
        assignment.pk = keys[assignment.slot_id]


def _settled(pair: PairInHand, grades: Sequence[int], by: User) -> list[Event]:
    """Store the state that the pair has by its grades; return its line of the audit log, if it changes."""
    becomes = ItemState(outcome(grades, pair.project.rating))
    if becomes == pair.item.state:
        return []
    line = events.moved(pair.item, becomes, scope=pair.project, by=by)
    execute("UPDATE annotation_item SET state = %s WHERE id = %s", [becomes.value, pair.item.pk])
    return [line]
