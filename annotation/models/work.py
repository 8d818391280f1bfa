"""Work: queues of slots, assignments of slots to people for a time, and the grades given on them.

A queue is one step of one project. A slot is an item in that queue where `required` different people are wanted. An
assignment is a slot held by one person. See docs/adr/0003.
"""

from datetime import timedelta

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.domain.workflow import AnnotatorState, AssignmentState, ItemState
from annotation.models.items import Purpose
from core.models.people import User


class Step(models.TextChoices):
    """The steps of work."""

    CLEAN = "clean", _("Cleaning")
    RATE = "rate", _("Rating")
    TRANSCRIBE = "transcribe", _("Transcript correction")
    CHECK = "check", _("Transcript check")
    WRITE = "write", _("Rewriting")
    INSPECT = "inspect", _("Inspection")
    ADJUDICATE = "adjudicate", _("Adjudication")
    TYPE = "type", _("Reasoning types")


# The step whose work each judging step judges. People never judge their own work.
JUDGES = {Step.CHECK: Step.TRANSCRIBE, Step.INSPECT: Step.WRITE, Step.ADJUDICATE: Step.RATE, Step.TYPE: Step.WRITE}
# Steps whose work bars a person from an item: what a step judges, and for raters their own decision about the pair.
BARS = {**JUDGES, Step.RATE: Step.ADJUDICATE}
TRANSCRIPTION_STEPS = (Step.TRANSCRIBE, Step.CHECK)  # they use round 0, so that they sort before writing


class Queue(models.Model):
    """One step of one project."""

    project = models.ForeignKey("annotation.Project", on_delete=models.CASCADE, related_name="queues")
    step = models.CharField(max_length=12, choices=Step.choices)
    tail = models.BigIntegerField(default=0, help_text="Last position given out. Moves only under this row's lock.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "step"], name="one_queue_a_step")]

    def __str__(self) -> str:
        return f"{self.step} of {self.project_id}"


class Slot(models.Model):
    """An item where `required` people are wanted and `free` are missing. A reopened slot moves to the queue's tail.

    A slot of gold, or of a practice item, requires no people; any number may be assigned there, each once a round.
    """

    queue = models.ForeignKey(Queue, on_delete=models.CASCADE, related_name="slots", db_index=False)
    item = models.ForeignKey("annotation.Item", on_delete=models.CASCADE, related_name="slots", db_index=False)
    round = models.PositiveSmallIntegerField(default=1)
    required = models.PositiveSmallIntegerField()
    free = models.PositiveSmallIntegerField()
    position = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "queue", "round"], name="one_slot_a_round"),
            models.CheckConstraint(condition=Q(free__lte=models.F("required")), name="no_more_free_than_required"),
        ]
        indexes = [models.Index(fields=["queue", "position"], condition=Q(free__gt=0), name="open_slots")]

    def __str__(self) -> str:
        return f"slot {self.pk}"


class Cursor(models.Model):
    """A person's position in a queue: all slots before it were theirs, barred to them, or full when they passed.

    `assigned` counts the pairs assigned to them since the project has gold; `state` says whether they are assigned
    more.
    """

    queue = models.ForeignKey(Queue, on_delete=models.CASCADE, related_name="cursors")
    person = models.ForeignKey("core.User", on_delete=models.CASCADE, related_name="cursors")
    position = models.BigIntegerField(default=0)
    assigned = models.BigIntegerField(default=0)
    state = models.CharField(max_length=10, choices=[(s, s) for s in AnnotatorState], default=AnnotatorState.WORKING)
    paused_at = models.DateTimeField(null=True)
    resumed_at = models.DateTimeField(null=True, help_text="Gold that was missed before is not held against them.")
    guideline_read = models.PositiveIntegerField(default=0, help_text="Number of the newest version that was shown.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["queue", "person"], name="one_cursor_a_person")]

    def __str__(self) -> str:
        return f"cursor {self.position}"


TAKEN = (AssignmentState.HELD, AssignmentState.SUBMITTED)  # these states occupy a slot
BARRING = (*TAKEN, AssignmentState.SKIPPED, AssignmentState.VOIDED)  # with these states the person is not asked again
CHANGEABLE = 5  # number of their last grades that a person may still change
UNDOABLE = timedelta(days=1)  # for which a person may undo a skip, and gets back what they wrote


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    def taken(self) -> "AssignmentQuerySet":
        return self.filter(state__in=TAKEN)

    def of_work(self) -> "AssignmentQuerySet":
        """Return the assignments of work: those on gold and practice have no slot number and count nowhere."""
        return self.filter(slot_number__isnull=False)

    def barring(self, person: User | int) -> "AssignmentQuerySet":
        return self.filter(person=person, state__in=BARRING)

    def judged_by(self, step: str, person: User | int) -> "AssignmentQuerySet":
        """Return the person's assignments in the step that `step` judges: they do not judge these items."""
        return self.filter(person=person, slot__queue__step=JUDGES[Step(step)])

    def in_the_way(self, step: str, person: User | int) -> "AssignmentQuerySet":
        """Return, within a query over slots of a `step` of BARS, the assignments that bar the person from the slot.

        These are assignments in the step that bars; and, because inspectors answer blind, type assignments that showed
        them the answer of the same text, but not of a voided text that was rewritten in the same round.
        """
        barred = Q(slot__queue__step=BARS[Step(step)])
        if step == Step.INSPECT:
            text = Assignment.objects.filter(
                slot__queue__step=Step.WRITE,
                slot__item=OuterRef("slot__item"),
                slot__round=OuterRef("slot__round"),
                state=AssignmentState.SUBMITTED,
                ended_at__lte=OuterRef("claimed_at"),
            )
            barred |= Q(Exists(text), slot__queue__step=Step.TYPE, slot__round=OuterRef("round"))
        return self.filter(barred, person=person, slot__item=OuterRef("item"))

    def skipped(self, person: User | int) -> "AssignmentQuerySet":
        """Return the assignments whose skip the person may still undo, in all projects, the newest first."""
        since = timezone.now() - UNDOABLE
        return self.filter(person=person, state=AssignmentState.SKIPPED, ended_at__gte=since).order_by(
            "-ended_at", "-pk"
        )

    def graded(self, person: User) -> "AssignmentQuerySet":
        """Return the assignments that the person has graded, in all projects, the newest first."""
        graded = self.filter(person=person, state=AssignmentState.SUBMITTED, slot__queue__step=Step.RATE)
        return graded.order_by("-ended_at", "-pk")

    def changeable(self, person: User) -> "AssignmentQuerySet":
        """Return the assignments whose grades the person may still change, the newest first."""
        return self.graded(person)[:CHANGEABLE]


class Assignment(models.Model):
    """A slot held by one person. Ended assignments stay as history. Those on gold and practice have no slot number."""

    slot = models.ForeignKey(Slot, on_delete=models.CASCADE, related_name="assignments")
    slot_number = models.PositiveSmallIntegerField(null=True)
    person = models.ForeignKey("core.User", on_delete=models.PROTECT, related_name="assignments", db_index=False)
    state = models.CharField(max_length=10, choices=[(s, s) for s in AssignmentState], default=AssignmentState.HELD)
    lease_until = models.DateTimeField()
    claimed_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, help_text="When it left the state held.")
    reason = models.CharField(max_length=30, blank=True, help_text="Why it was skipped.")
    draft = models.JSONField(null=True, help_text="What was sent too late to count; kept for its author.")

    objects = AssignmentQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["slot", "slot_number"], condition=Q(state__in=TAKEN), name="one_assignment_a_slot_number"
            ),
            models.UniqueConstraint(
                fields=["slot", "person"], condition=Q(state__in=BARRING), name="one_assignment_a_person"
            ),
        ]
        indexes = [
            # No index on the person alone: to find one assignment a database would read all that the person ever did.
            models.Index(fields=["person", "slot"], condition=Q(state="held"), name="held_assignments"),
            models.Index(fields=["lease_until"], condition=Q(state="held"), name="leases"),
            models.Index(fields=["person", "ended_at"], condition=Q(state="submitted"), name="submitted_assignments"),
            models.Index(fields=["person", "ended_at"], condition=Q(state="skipped"), name="skipped_assignments"),
        ]

    def __str__(self) -> str:
        return f"assignment {self.pk} ({self.state})"


class RatingQuerySet(models.QuerySet["Rating"]):
    COUNTS = Q(
        replaced_at=None, assignment__state=AssignmentState.SUBMITTED, assignment__slot__item__purpose=Purpose.WORK
    ) & ~Q(assignment__slot__item__state=ItemState.CLEANED)

    def counting(self) -> "RatingQuerySet":
        """Return the grades that figures and releases are made of."""
        return self.filter(self.COUNTS)


class Rating(models.Model):
    """One person's grade of one item. A change is a new row; the old one stays, with the time it was replaced."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="ratings")
    grade = models.SmallIntegerField()
    reason = models.CharField(max_length=30, blank=True, help_text="Key of the type that explains the grade.")
    guideline = models.ForeignKey("annotation.GuidelineVersion", null=True, on_delete=models.PROTECT)
    milliseconds = models.PositiveIntegerField(null=True, help_text="From the pair's appearance to the grade.")
    submission_key = models.UUIDField(null=True, help_text="Of the browser: the same key sent twice is one grade.")
    created_at = models.DateTimeField(default=timezone.now)
    replaced_at = models.DateTimeField(null=True)

    objects = RatingQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["assignment"], condition=Q(replaced_at=None), name="one_grade_in_force_an_assignment"
            )
        ]

    def __str__(self) -> str:
        return f"rating {self.pk}"
