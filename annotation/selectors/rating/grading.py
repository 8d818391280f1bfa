"""What a grade has to know, in two statements: before the first all is free, after it the pair is locked.

Plain SQL, as this is read for every grade that anyone gives.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from django.db import connection
from django.db.models import BigIntegerField

from annotation.models import Assignment, Cursor, GuidelineVersion, Item, Project, Queue, Slot
from annotation.permissions import PERMISSIONS
from core.models import User
from core.models.sql import Columns, rows_of

IN_HAND = Columns(
    assignment=Assignment,
    slot=Slot,
    item=Item,
    queue=Queue,
    project=Project,
    place=Cursor,
    guideline=GuidelineVersion,
)
HELD = Columns(held=Assignment, slot=Slot, item=Item)


@dataclass(frozen=True)
class PairInHand:
    """A pair that a person may grade, with what is locked for it and the guideline in force.

    `raters` is the number of the project's annotators; `is_adjudicated` tells whether an adjudicator was ever asked.
    """

    assignment: Assignment
    cursor: Cursor
    guideline: GuidelineVersion
    raters: int
    is_adjudicated: bool

    @property
    def slot(self) -> Slot:
        return self.assignment.slot

    @property
    def item(self) -> Item:
        return self.slot.item

    @property
    def project(self) -> Project:
        return self.cursor.queue.project


@dataclass(frozen=True)
class Surroundings:
    """What is around a locked pair: the person's other held pairs, the oldest first, and the pair's other grades.

    `today` counts the pairs that the person has graded since the day began, `ahead` the open slots after their cursor,
    up to a limit.
    """

    held: list[Assignment]
    grades: list[int]
    today: int
    ahead: int


def lock_pair(pk: int, slug: str, person: User) -> PairInHand | None:
    """Lock the person's cursor, then the slot and item of their assignment, then the assignment, in a transaction.

    None unless they rate in the project with this address, and the assignment is theirs and one of rating.
    """
    if pk > BigIntegerField.MAX_BIGINT:
        return None  # no key of either database; SQLite could not even be asked
    roles = sorted(PERMISSIONS["pairs.rate"])
    locks = " FOR NO KEY UPDATE OF place, slot, item, assignment" if connection.features.has_select_for_update else ""
    sql = f"""
        SELECT {IN_HAND},
            (SELECT COUNT(*) FROM annotation_membership other JOIN core_user ON core_user.id = other.person_id
                WHERE other.project_id = project.id AND other.role = 'annotator' AND core_user.is_active),
            (SELECT COUNT(*) FROM annotation_slot asked JOIN annotation_queue ON annotation_queue.id = asked.queue_id
                WHERE asked.item_id = item.id AND annotation_queue.step = 'adjudicate')
        FROM annotation_assignment assignment
        JOIN annotation_slot slot ON slot.id = assignment.slot_id
        JOIN annotation_item item ON item.id = slot.item_id
        JOIN annotation_queue queue ON queue.id = slot.queue_id AND queue.step = 'rate'
        JOIN annotation_project project ON project.id = queue.project_id AND project.slug = %s
        JOIN annotation_membership membership ON membership.project_id = project.id
            AND membership.person_id = assignment.person_id AND membership.role IN ({", ".join(["%s"] * len(roles))})
        JOIN annotation_cursor place ON place.queue_id = queue.id AND place.person_id = assignment.person_id
        JOIN annotation_guidelineversion guideline ON guideline.project_id = project.id AND guideline.number =
            (SELECT MAX(number) FROM annotation_guidelineversion WHERE project_id = project.id)
        WHERE assignment.id = %s AND assignment.person_id = %s{locks}"""  # noqa: S608
    for row in rows_of(sql, [slug, *roles, pk, person.pk]):
        assignment, slot, item, queue, project, cursor, guideline = IN_HAND.read(row)
        queue.project, slot.queue, slot.item, assignment.slot = project, queue, item, slot
        cursor.queue, cursor.person, assignment.person = queue, person, person
        raters, adjudicated = row[IN_HAND.width :]
        return PairInHand(assignment, cursor, guideline, raters, bool(adjudicated))
    return None


def surroundings(pair: PairInHand, *, since: datetime, most_ahead: int) -> Surroundings:
    """Return what is around a pair once it is locked, when no one can change it."""
    person, queue = pair.assignment.person_id, pair.cursor.queue_id
    listed = "string_agg(grade::text, ',')" if connection.vendor == "postgresql" else "group_concat(grade)"
    sql = f"""
        SELECT {HELD}, facts.* FROM (SELECT
            (SELECT COUNT(*) FROM annotation_assignment done JOIN annotation_slot ON annotation_slot.id = done.slot_id
                WHERE done.person_id = %s AND done.state = 'submitted' AND done.ended_at >= %s
                AND annotation_slot.queue_id = %s),
            (SELECT COUNT(*) FROM (SELECT 1 FROM annotation_slot
                WHERE queue_id = %s AND position > %s AND free > 0 ORDER BY position LIMIT {most_ahead:d}) AS nearest),
            (SELECT {listed} FROM annotation_slot
                JOIN annotation_assignment given ON given.slot_id = annotation_slot.id AND given.state = 'submitted'
                JOIN annotation_rating ON annotation_rating.assignment_id = given.id AND replaced_at IS NULL
                WHERE annotation_slot.item_id = %s)
        ) AS facts
        LEFT JOIN annotation_assignment held ON held.person_id = %s AND held.state = 'held' AND held.id <> %s
        LEFT JOIN annotation_slot slot ON slot.id = held.slot_id
        LEFT JOIN annotation_item item ON item.id = slot.item_id
        ORDER BY held.id"""  # noqa: S608
    start = connection.ops.adapt_datetimefield_value(since)
    count = [person, start, queue, queue, pair.cursor.position, pair.item.pk, person, pair.assignment.pk]
    rows = rows_of(sql, count)
    today, ahead, grades = rows[0][HELD.width :]
    held = [each for row in rows if (each := _held(row)) is not None and each.slot.queue_id == queue]
    return Surroundings(held, [int(grade) for grade in (grades or "").split(",") if grade], today, ahead)


def _held(row: Sequence[object]) -> Assignment | None:
    assignment, slot, item = HELD.read(row)
    if assignment is None:
        return None
    assignment.slot, slot.item = slot, item
    return cast(Assignment, assignment)
