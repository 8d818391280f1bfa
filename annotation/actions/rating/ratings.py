"""Submit, change and skip grades, and settle the pairs they are about."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import replace
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.actions.adjudication import disputes
from annotation.actions.qualification.pausing import watch
from annotation.actions.queue.ahead import claim_ahead_without_waiting
from annotation.actions.queue.assignments import (
    give_up,
    lock_slot_of,
    own_cursor,
    submit_assignment,
)
from annotation.domain.rating.rating import PairOutcome, ReasonMissing, ReasonNotAsked, check_reason, outcome
from annotation.domain.workflow import AnnotatorState, AssignmentState, ItemState
from annotation.models import Adjudication, Assignment, Cursor, GuidelineVersion, Item, Project, Rating, Step
from core.actions.events import move_all, record
from core.actions.refusals import Refused, must_be_shown
from core.models import User

SKIP_REASONS = {
    "not_chinese": _("Not Chinese"),
    "cut_off": _("Cut off"),
    "not_cleaned": _("Should have been cleaned"),
    "other": _("Another reason"),
}


def submit(
    *,
    assignment: Assignment,
    grade: int,
    reason: str = "",
    milliseconds: int | None = None,
    key: UUID | None = None,
    by: User,
) -> Rating:
    """Store the grade `by` gives on an assignment of their own. A grade sent twice with one key is stored once.

    After the end of the lease it is taken while the slot is still free; else it is refused and kept as the assignment's
    draft. Raises Refused.
    """
    guideline = check(assignment.slot.queue.project, grade, reason)  # before the locks, to hold them only shortly
    with transaction.atomic():
        cursor = _lock_first(assignment, by=by)
        assignment, rating = _give(assignment, cursor, grade, reason, milliseconds, key, guideline, by=by)
    if rating is None:
        raise _too_late(assignment, grade)
    return rating


def submit_and_claim(
    *,
    assignment: Assignment,
    grade: int,
    reason: str = "",
    milliseconds: int | None = None,
    key: UUID | None = None,
    most: int,
    by: User,
) -> tuple[Rating, list[Assignment]]:
    """Submit a grade and claim ahead, up to `most` assignments, in one transaction.

    The page asks `grade_and_next` first, which does the same for the usual grade in fewer statements. It may return
    none although a slot is open, where claim_ahead() would wait. Raises Refused.
    """
    held: list[Assignment] = []
    guideline = check(assignment.slot.queue.project, grade, reason)  # before the locks, to hold them only shortly
    with transaction.atomic():
        cursor = _lock_first(assignment, by=by)
        assignment, rating = _give(assignment, cursor, grade, reason, milliseconds, key, guideline, by=by)
        if rating is not None:
            held = claim_ahead_without_waiting(cursor, project=assignment.slot.queue.project, most=most, by=by)
    if rating is None:
        raise _too_late(assignment, grade)
    return rating, held


def _lock_first(assignment: Assignment, *, by: User) -> Cursor:
    """Take the locks that come before that of a slot: the queue of disputes and the person's cursor. Raises Refused."""
    if assignment.person_id != by.pk:
        raise not_yours()
    project = assignment.slot.queue.project
    disputes.lock(project)
    return own_cursor(project, Step.RATE, by=by)


def _give(
    assignment: Assignment,
    cursor: Cursor,
    grade: int,
    reason: str,
    milliseconds: int | None,
    key: UUID | None,
    guideline: GuidelineVersion,
    *,
    by: User,
) -> tuple[Assignment, Rating | None]:
    """Return the assignment as stored now and its grade.

    If it came too late, or cleaning removed the pair, the grade is None and is kept as the draft.
    """
    assignment = lock_slot_of(assignment)
    if sent := _sent_before(assignment, key):
        return assignment, sent
    if assignment.state in (AssignmentState.SUBMITTED, AssignmentState.VOIDED):
        raise _already_rated()
    if assignment.slot.item.state == ItemState.CLEANED or not submit_assignment(assignment, by=by):
        assignment.draft = {"grade": grade, "reason": reason}
        assignment.save(update_fields=["draft"])
        return assignment, None
    rating = _store(assignment, grade, reason, milliseconds, key, guideline)
    _conclude(assignment, cursor, by=by)
    return assignment, rating


def not_yours() -> Refused:
    """Return the refusal of work on a pair that is assigned to another person."""
    return Refused("not_yours", _("Not saved: this pair was handed to someone else."))


def _sent_before(assignment: Assignment, key: UUID | None) -> Rating | None:
    """Return the grade stored under this key, in force or not."""
    if key is None or assignment.state == AssignmentState.HELD:
        return None
    return assignment.ratings.filter(submission_key=key).first()


def _already_rated() -> Refused:
    return Refused(
        "already_rated", _("You have graded this pair already. To change the grade, choose it under your last grades.")
    )


def _too_late(assignment: Assignment, grade: int) -> Refused:
    if assignment.slot.item.state == ItemState.CLEANED:
        text = _(
            "Not saved: this pair has been removed by cleaning. Your grade was %(grade)s. Go on with the next pair."
        )
        return Refused("cleaned", text % {"grade": grade})
    if assignment.state == AssignmentState.SKIPPED:
        text = _("Not saved: you have skipped this pair. Your grade was %(grade)s. Go on with the next pair.")
        return Refused("skipped", text % {"grade": grade})
    text = _(
        "Not saved: this pair went to someone else after your time on it ended. "
        "Your grade was %(grade)s. Go on with the next pair."
    )
    return Refused("slot_taken", text % {"grade": grade})


def check(project: Project, grade: int, reason: str) -> GuidelineVersion:
    """Return the guideline in force if it allows the grade and its reason. Raises Refused."""
    guideline = project.guidelines.all()[:1].get()
    must_be_allowed(project, guideline, grade, reason)
    return guideline


def must_be_allowed(project: Project, guideline: GuidelineVersion, grade: int, reason: str) -> None:
    """Raise Refused unless the guideline in force allows the grade and its reason."""
    if grade not in project.rating.grades:
        text = _("Not saved: %(grade)s is not on the scale %(scale)s.")
        raise Refused("grade_outside", text % {"grade": grade, "scale": project.rating.grades})
    try:
        check_reason(guideline.content, grade, reason)
    except ReasonMissing as wrong:
        text = _("Not saved: grade %(grade)s needs a reason. Choose one of those shown.")
        raise Refused("reason_missing", text % {"grade": grade}) from wrong
    except ReasonNotAsked as wrong:
        text = _("Not saved: grade %(grade)s takes no reason. Choose the grade without one.")
        raise Refused("reason_wrong", text % {"grade": grade}) from wrong
    except ValueError as wrong:
        text = _("Not saved: this reason does not belong to grade %(grade)s. Choose one of those shown.")
        raise Refused("reason_wrong", text % {"grade": grade}) from wrong


def _store(
    assignment: Assignment,
    grade: int,
    reason: str,
    milliseconds: int | None,
    key: UUID | None,
    guideline: GuidelineVersion,
) -> Rating:
    return Rating.objects.create(
        assignment=assignment,
        grade=grade,
        reason=reason,
        milliseconds=milliseconds,
        submission_key=key,
        guideline=guideline,
    )


def _conclude(assignment: Assignment, cursor: Cursor, *, by: User) -> None:
    """Settle the pair after a grade; after gold, pause the person if they missed too much."""
    project = assignment.slot.queue.project
    if assignment.slot_number is None:
        watch(cursor, project=project)
    else:
        settle([assignment.slot.item], project=project, by=by)


def settle(items: Collection[Item], *, project: Project, by: User | None) -> None:
    """Set the items' states from the grades in force and, if their gap is too wide, from the adjudicator's decision.

    Pairs removed by cleaning keep their state. The caller holds the locks of the slots and, taken first, that of
    `disputes.lock`.
    """
    items = [item for item in items if item.state != ItemState.CLEANED]
    grades: dict[int, list[int]] = {item.pk: [] for item in items}
    in_force = Rating.objects.filter(
        replaced_at=None, assignment__state=AssignmentState.SUBMITTED, assignment__slot__item__in=grades
    )
    for item_pk, grade in in_force.values_list("assignment__slot__item", "grade"):
        grades[item_pk].append(grade)
    settings = project.rating
    not_asked = replace(settings, adjudicate=False)
    settled = {
        item: outcome(grades[item.pk], settings if disputes.may_be_decided(item) else not_asked) for item in items
    }
    decisions = _decisions(
        item for item, becomes in settled.items() if becomes in (PairOutcome.DISPUTED, PairOutcome.REMOVED)
    )
    moving: dict[ItemState, list[Item]] = defaultdict(list)
    waiting = [item for item in items if item.state == ItemState.DISPUTED]
    for item, by_gap in settled.items():
        becomes = ItemState(decisions.get(item.pk, by_gap))
        if becomes != item.state:
            moving[becomes].append(item)
    for becomes, some in moving.items():
        move_all(some, becomes, scope=project, by=by)
    if waiting or moving[ItemState.DISPUTED]:
        disputes.follow([*waiting, *moving[ItemState.DISPUTED]], project=project, by=by)


def _decisions(items: Iterable[Item]) -> dict[int, PairOutcome]:
    """Return the outcomes that adjudicators decided for these items."""
    few = list(items)
    if not few:
        return {}
    made = Adjudication.objects.counting().filter(assignment__slot__item__in=few)
    return {
        item: PairOutcome.REMOVED if grade is None else PairOutcome.KEPT
        for item, grade in made.values_list("assignment__slot__item", "grade")
    }


@transaction.atomic
def change(*, assignment: Assignment, grade: int, reason: str = "", key: UUID | None = None, by: User) -> Rating:
    """Replace one of the person's last five grades; the old one is kept as history. Raises Refused."""
    cursor = _lock_first(assignment, by=by)
    assignment = lock_slot_of(assignment)
    if sent := _sent_before(assignment, key):
        return sent
    if assignment not in Assignment.objects.changeable(by):
        raise Refused("too_late_to_change", _("Only your last five grades can be changed."))
    project = assignment.slot.queue.project
    if cursor.state == AnnotatorState.PAUSED:
        # A change would show which of the pairs are gold, and alter the grades that a researcher is to judge.
        raise Refused(
            "paused",
            _(
                "Not changed: you are paused, and your grades cannot change until an inspector or a "
                "researcher has decided."
            ),
        )
    guideline = check(project, grade, reason)
    old = assignment.ratings.get(replaced_at=None)
    old.replaced_at = timezone.now()
    old.save(update_fields=["replaced_at"])
    rating = _store(assignment, grade, reason, old.milliseconds, key, guideline)
    record(assignment, was=AssignmentState.SUBMITTED, became="grade changed", scope=project, by=by)
    _conclude(assignment, cursor, by=by)
    return rating


def skip(*, assignment: Assignment, reason: str, by: User) -> None:
    """Leave a pair to others, with a reason. The person is not asked about it again. Raises Refused."""
    must_be_shown(reason, SKIP_REASONS)
    if assignment.person_id != by.pk:
        raise not_yours()
    skipped = give_up(assignment=assignment, becomes=AssignmentState.SKIPPED, reason=reason, by=by)
    if skipped is None and Rating.objects.filter(assignment__slot=assignment.slot_id, assignment__person=by).exists():
        raise _already_rated()
