"""Ask two people about the reasoning types of a sample of accepted instances, and store their choices.

A person is not asked about their own text. A choice belongs to the round of its text, and does not count once that text
was voided or revised (TypeChoice.counting).
"""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.actions.projects.projects import must_be
from annotation.actions.queue.assignments import give_up, lock, lock_queue, submit_assignment
from annotation.actions.queue.drafts import must_own
from annotation.actions.queue.slots import move_tail
from annotation.domain.reasoning import ANSWERS, PEOPLE
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, Item, Kind, Project, Queue, Slot, Step, TypeChoice
from annotation.models.work import CHANGEABLE, TAKEN
from annotation.selectors.reasoning import AcceptedText, accepted_texts
from annotation.selectors.rewriting.rewrites import rewrite_in_force
from core.actions.events import move_all, record
from core.actions.refusals import Refused, must_be_shown
from core.domain.draws import uniforms
from core.models import User

SKIP_REASONS = {
    "unsuitable": _("Should not be shown to anyone"),
    "other": _("Another reason"),
}


@transaction.atomic
def ask_about(*, project: Project, instances: int | None = None, by: User) -> int:
    """Ask two people about a sample of the accepted instances, or about all. Return how many were newly asked about.

    The project's seed draws the sample; a larger sample contains the smaller one. Raises Refused if nothing is
    accepted.
    """
    must_be(project, Kind.REWRITING)
    lock_queue(project, Step.INSPECT)  # so that nothing is voided during this
    Queue.objects.get_or_create(project=project, step=Step.TYPE)
    queue = lock_queue(project, Step.TYPE)
    texts = sorted(accepted_texts(project), key=lambda text: uniforms(project.seed, "types", text.digest))
    if not texts:
        raise Refused(
            "nothing_accepted", _("Nothing is accepted yet: reasoning types are labelled on accepted instances.")
        )
    asked = _open(texts[:instances], queue)
    record(queue, became="opened", scope=project, by=by)
    return asked


def _open(texts: Sequence[AcceptedText], queue: Queue) -> int:
    """Open each text to two people: in a new slot, or in one that was closed while its text was not accepted."""
    found = Slot.objects.filter(queue=queue).annotate(
        taken=Count("assignments", filter=Q(assignments__state__in=TAKEN))
    )
    slots = {(slot.item_id, slot.round): slot for slot in found}
    there = [slots[text.item, text.round] for text in texts if (text.item, text.round) in slots]
    closed = [slot for slot in there if slot.taken + slot.free < PEOPLE]
    for slot in closed:
        slot.required, slot.free = PEOPLE, PEOPLE - slot.taken
    new = [
        Slot(queue=queue, item_id=text.item, round=text.round, required=PEOPLE, free=PEOPLE)
        for text in texts
        if (text.item, text.round) not in slots
    ]
    for position, opened in enumerate([*new, *closed], start=queue.tail + 1):
        opened.position = position
    Slot.objects.bulk_create(new)
    Slot.objects.bulk_update(closed, ["required", "free", "position"])
    move_tail(queue, len(new) + len(closed))
    return len(new) + len(closed)


@transaction.atomic
def choose(
    *, assignment: Assignment, answer: str, milliseconds: int | None = None, again: bool = False, by: User
) -> TypeChoice:
    """Store the reasoning type of the instance on one's own assignment; with `again`, replace one of the last choices.

    The same answer sent twice is stored once. Raises Refused.
    """
    must_own(assignment, by)
    if answer not in ANSWERS:
        raise Refused("no_such_type", _("Not saved: choose one of the six types, or say that you are unsure."))
    assignment = lock(assignment)
    _must_be_asked(assignment, by)
    project = assignment.slot.queue.project
    if assignment.state == AssignmentState.SUBMITTED:
        made: TypeChoice = assignment.type_choices.get(replaced_at=None)
        if made.answer == answer:
            return made
        if not again:
            raise _named()
        _replace(assignment, by)
    elif not submit_assignment(assignment, by=by):
        text = _("Not saved: this instance went to someone else after your time on it ended. Go on with the next one.")
        raise Refused("slot_taken", text)
    made = TypeChoice.objects.create(assignment=assignment, answer=answer, milliseconds=milliseconds)
    record(made, became="named", scope=project, by=by)
    return made


def _named() -> Refused:
    text = _("Not saved: you have already labelled this instance's type. Change it under “Change the last one”.")
    return Refused("named", text)


def _must_be_asked(assignment: Assignment, by: User) -> None:
    """Raise Refused unless the instance is still accepted with this text, and if the person wrote the item."""
    text = rewrite_in_force(assignment.slot.item)
    is_as_it_was = text is not None and text.assignment.slot.round == assignment.slot.round
    if assignment.slot.item.state != ItemState.KEPT or not is_as_it_was:
        raise Refused("moved_on", _("Not saved: this instance is no longer accepted. Go on with the next one."))
    if Assignment.objects.judged_by(Step.TYPE, by).filter(slot__item=assignment.slot.item_id).exists():
        raise Refused("own_item", _("You wrote this item: another person labels its reasoning."))


def _replace(assignment: Assignment, by: User) -> None:
    """Mark the choice in force as replaced."""
    if assignment.pk not in [each.assignment_id for each in TypeChoice.objects.changeable(by)]:
        text = _("Only your last %(count)s choices can be changed.")
        raise Refused("too_late_to_change", text % {"count": CHANGEABLE})
    assignment.type_choices.filter(replaced_at=None).update(replaced_at=timezone.now())


def stop_asking(item: Item, *, why: str, by: User | None) -> None:
    """Stop asking about an instance that is no longer accepted. The caller holds the locks of its slots.

    Submitted choices stay, and count again if the same text is accepted again.
    """
    typing = list(Assignment.objects.filter(slot__item=item, slot__queue__step=Step.TYPE, state=AssignmentState.HELD))
    move_all(typing, AssignmentState.OUTDATED, scope=item.project, why=why, by=by, ended_at=timezone.now())
    item.slots.filter(queue__step=Step.TYPE).update(free=0)


def skip(*, assignment: Assignment, reason: str, by: User) -> None:
    """Leave an instance to other people, with a reason. The person is not asked about it again. Raises Refused."""
    must_be_shown(reason, SKIP_REASONS)
    must_own(assignment, by)
    skipped = give_up(assignment=assignment, becomes=AssignmentState.SKIPPED, reason=reason, by=by)
    if skipped is None and assignment.type_choices.filter(replaced_at=None).exists():
        raise _named()
