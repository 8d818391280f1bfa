"""Store what an adjudicator decides about a pair whose grades differ too much; the adjudicator does not see the grades.

A decision is a final grade with the type that explains it, or the removal of the pair with a reason.
"""

from collections.abc import Sequence
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.actions.adjudication import disputes
from annotation.actions.queue.assignments import give_up, lock, submit_assignment
from annotation.actions.rating import ratings
from annotation.actions.rating.given_grades import assign
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Adjudication, Assignment, GuidelineVersion, Project, Slot, Step
from annotation.models.work import CHANGEABLE
from core.actions.events import record, record_all
from core.actions.refusals import Refused, must_be_shown
from core.models import User

REMOVAL_REASONS = {"ambiguous": _("Can be read in several ways"), **ratings.SKIP_REASONS}
SKIP_REASONS = {"unclear": _("I cannot judge it"), "other": _("Another reason")}


class Decision(NamedTuple):
    """A final grade with its type; without a grade, the reason for removing the pair."""

    grade: int | None
    reason: str


def decide(*, assignment: Assignment, decision: Decision, again: bool = False, by: User) -> Adjudication:
    """Decide about the pair on one's own assignment; with `again`, replace one of one's last five decisions.

    The same decision sent twice is stored once. Raises Refused.
    """
    if assignment.person_id != by.pk:
        raise ratings.not_yours()
    with transaction.atomic():
        project = assignment.slot.queue.project
        disputes.lock(project)
        assignment = lock(assignment)
        _must_be_adjudicator(assignment, by)
        guideline = check(project, decision)
        if assignment.state == AssignmentState.SUBMITTED:
            made = assignment.adjudications.get(replaced_at=None)
            if Decision(made.grade, made.reason) == decision:
                return made
            if not again:
                text = _("Not saved: you have decided about this pair already. Change that under “Undo last”.")
                raise Refused("decided", text)
            _replace(assignment, project, by)
        elif assignment.slot.item.state != ItemState.DISPUTED or not submit_assignment(assignment, by=by):
            raise Refused("moved_on", _("Not counted: this pair is already decided, or no longer needs adjudication."))
        made = Adjudication.objects.create(assignment=assignment, guideline=guideline, **decision._asdict())
        ratings.settle([assignment.slot.item], project=project, by=by)
        return made


def _must_be_adjudicator(assignment: Assignment, by: User) -> None:
    if Assignment.objects.judged_by(Step.ADJUDICATE, by).filter(slot__item=assignment.slot.item_id).exists():
        raise Refused("own_item", _("You graded this pair yourself: another person decides about it."))


def check(project: Project, decision: Decision) -> GuidelineVersion:
    """Return the guideline in force if it allows the decision. Raises Refused."""
    if decision.grade is not None:
        return ratings.check(project, decision.grade, decision.reason)
    must_be_shown(decision.reason, REMOVAL_REASONS)
    return project.guidelines.all()[:1].get()


def _replace(assignment: Assignment, project: Project, by: User) -> None:
    """Mark the decision in force as replaced."""
    last = Adjudication.objects.changeable(by)
    if assignment.pk not in [each.assignment_id for each in last]:
        text = _("Only your last %(count)s decisions can be changed.")
        raise Refused("too_late_to_change", text % {"count": CHANGEABLE})
    assignment.adjudications.filter(replaced_at=None).update(replaced_at=timezone.now())
    record(assignment, was=AssignmentState.SUBMITTED, became="grade changed", scope=project, by=by)


def store(
    slots: Sequence[Slot],
    decisions: Sequence[Decision],
    *,
    person: User,
    guideline: GuidelineVersion,
    project: Project,
    by: User,
) -> list[Adjudication]:
    """Store decisions about many pairs that were made outside the page, and settle the pairs.

    The caller holds the locks of the slots, taken after that of `disputes.lock`, and has checked that the person may
    decide about these pairs.
    """
    assignments = assign([(slot, person) for slot in slots])
    made = Adjudication.objects.bulk_create(
        Adjudication(assignment=assignment, guideline=guideline, **decision._asdict())
        for assignment, decision in zip(assignments, decisions, strict=True)
    )
    record_all(assignments, became=AssignmentState.SUBMITTED, scope=project, by=by)
    ratings.settle([slot.item for slot in slots], project=project, by=by)
    return made


def skip(*, assignment: Assignment, reason: str, by: User) -> None:
    """Leave a pair to another adjudicator, with a reason. The person is not asked about it again. Raises Refused."""
    must_be_shown(reason, SKIP_REASONS)
    if assignment.person_id != by.pk:
        raise ratings.not_yours()
    give_up(assignment=assignment, becomes=AssignmentState.SKIPPED, reason=reason, by=by)
