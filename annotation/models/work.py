"""Who works on what: queues of places, seats handed out for a while, and the grades given on them.

A queue is one step of one project. A place is an item in that queue where `slots` different people are wanted.
A seat is a place held by one person. See docs/adr/0003.
"""

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.domain.workflow import ItemState, RaterState, SeatState
from annotation.models.items import Purpose


class Step(models.TextChoices):
    CLEAN = "clean", _("Cleaning")
    RATE = "rate", _("Rating")
    TRANSCRIBE = "transcribe", _("Transcript correction")
    CHECK = "check", _("Transcript check")
    WRITE = "write", _("Writing")
    INSPECT = "inspect", _("Inspection")
    ADJUDICATE = "adjudicate", _("Adjudication")
    TYPE = "type", _("Reasoning types")


# Whose work a step judges: never one's own.
JUDGES = {Step.CHECK: Step.TRANSCRIBE, Step.INSPECT: Step.WRITE, Step.ADJUDICATE: Step.RATE, Step.TYPE: Step.WRITE}
HEARING = (Step.TRANSCRIBE, Step.CHECK)  # their places stand in round 0: before the first text


class Queue(models.Model):
    project = models.ForeignKey("annotation.Project", on_delete=models.CASCADE, related_name="queues")
    step = models.CharField(max_length=12, choices=Step.choices)
    tail = models.BigIntegerField(default=0, help_text="Last position given out. Moves only under this row's lock.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "step"], name="one_queue_a_step")]

    def __str__(self) -> str:
        return f"{self.step} of {self.project_id}"


class Place(models.Model):
    """An item where `slots` people are wanted, `free` of them still. A reopened place moves to the queue's tail.

    A place of gold, or of a practice item, has no slots: nobody is wanted there, and everybody may be sent there, once
    a round.
    """

    queue = models.ForeignKey(Queue, on_delete=models.CASCADE, related_name="places", db_index=False)
    item = models.ForeignKey("annotation.Item", on_delete=models.CASCADE, related_name="places", db_index=False)
    round = models.PositiveSmallIntegerField(default=1)
    slots = models.PositiveSmallIntegerField()
    free = models.PositiveSmallIntegerField()
    position = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "queue", "round"], name="one_place_a_round"),
            models.CheckConstraint(condition=Q(free__lte=models.F("slots")), name="no_more_free_than_slots"),
        ]
        indexes = [models.Index(fields=["queue", "position"], condition=Q(free__gt=0), name="open_places")]

    def __str__(self) -> str:
        return f"place {self.pk}"


class Cursor(models.Model):
    """How far a person has come in a queue: all before it was theirs, barred to them, or full when they passed.

    `handed` counts the pairs they were handed since gold came between them; `state` says whether they are handed more.
    """

    queue = models.ForeignKey(Queue, on_delete=models.CASCADE, related_name="cursors")
    person = models.ForeignKey("annotation.User", on_delete=models.CASCADE, related_name="cursors")
    position = models.BigIntegerField(default=0)
    handed = models.BigIntegerField(default=0)
    state = models.CharField(max_length=10, choices=[(s, s) for s in RaterState], default=RaterState.WORKING)
    paused_at = models.DateTimeField(null=True)
    resumed_at = models.DateTimeField(null=True, help_text="Gold that was missed before is not held against them.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["queue", "person"], name="one_cursor_a_person")]

    def __str__(self) -> str:
        return f"cursor {self.position}"


TAKEN = (SeatState.HELD, SeatState.SUBMITTED)  # holds its place
BARRING = (*TAKEN, SeatState.SKIPPED, SeatState.VOIDED)  # this person is not asked again
CHANGEABLE = 5  # a person's last grades that they may still change


class SeatQuerySet(models.QuerySet["Seat"]):
    def taken(self) -> "SeatQuerySet":
        return self.filter(state__in=TAKEN)

    def of_work(self) -> "SeatQuerySet":
        """Without those on gold and practice, which have no slot and count nowhere."""
        return self.filter(slot__isnull=False)

    def barring(self, person: "models.Model | int") -> "SeatQuerySet":
        return self.filter(person=person, state__in=BARRING)

    def judged_by(self, step: str, person: "models.Model | int") -> "SeatQuerySet":
        """The seats on which the person did what `step` judges, or could have: such items they do not judge."""
        return self.filter(person=person, place__queue__step=JUDGES[Step(step)])

    def in_the_way(self, step: str, person: "models.Model | int") -> "SeatQuerySet":
        """In a query over places of a judging `step`: the seats for which the person does not judge the place.

        Those on what the step judges; and, as inspectors answer blind, those that showed them the key of the same text,
        not of one that was voided and written anew in the same round.
        """
        barred = Q(place__queue__step=JUDGES[Step(step)])
        if step == Step.INSPECT:
            text = Seat.objects.filter(
                place__queue__step=Step.WRITE, place__item=OuterRef("place__item"),
                place__round=OuterRef("place__round"), state=SeatState.SUBMITTED, ended_at__lte=OuterRef("claimed_at"),
            )  # fmt: skip
            barred |= Q(Exists(text), place__queue__step=Step.TYPE, place__round=OuterRef("round"))
        return self.filter(barred, person=person, place__item=OuterRef("item"))

    def graded(self, person: "models.Model") -> "SeatQuerySet":
        """The seats that the person has graded, in whatever project, the newest first."""
        graded = self.filter(person=person, state=SeatState.SUBMITTED, place__queue__step=Step.RATE)
        return graded.order_by("-ended_at", "-pk")

    def changeable(self, person: "models.Model") -> "SeatQuerySet":
        """The seats whose grades the person may still change, the newest first."""
        return self.graded(person)[:CHANGEABLE]


class Seat(models.Model):
    """A place held by one person. Ended seats stay as history. Seats on gold and practice have no slot."""

    place = models.ForeignKey(Place, on_delete=models.CASCADE, related_name="seats")
    slot = models.PositiveSmallIntegerField(null=True)
    person = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="seats", db_index=False)
    state = models.CharField(max_length=10, choices=[(s, s) for s in SeatState], default=SeatState.HELD)
    lease_until = models.DateTimeField()
    claimed_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, help_text="When it left the state held.")
    reason = models.CharField(max_length=30, blank=True, help_text="Why it was skipped.")
    draft = models.JSONField(null=True, help_text="What was sent too late to count; kept for its author.")

    objects = SeatQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["place", "slot"], condition=Q(state__in=TAKEN), name="one_seat_a_slot"),
            models.UniqueConstraint(
                fields=["place", "person"], condition=Q(state__in=BARRING), name="one_seat_a_person"
            ),
        ]
        indexes = [
            # No index on the person alone: databases would walk through all that a person ever did to find one seat.
            models.Index(fields=["person", "place"], condition=Q(state="held"), name="seats_in_hand"),
            models.Index(fields=["lease_until"], condition=Q(state="held"), name="leases"),
            models.Index(fields=["person", "ended_at"], condition=Q(state="submitted"), name="seats_done"),
        ]

    def __str__(self) -> str:
        return f"seat {self.pk} ({self.state})"


class RatingQuerySet(models.QuerySet["Rating"]):
    COUNTS = Q(replaced_at=None, seat__state=SeatState.SUBMITTED, seat__place__item__purpose=Purpose.WORK) & ~Q(
        seat__place__item__state=ItemState.CLEANED
    )

    def counting(self) -> "RatingQuerySet":
        """The grades that figures and releases are made of."""
        return self.filter(self.COUNTS)


class Rating(models.Model):
    """One person's grade of one item. A changed grade is a new row; the old one stays and says when it was replaced."""

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="ratings")
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
            models.UniqueConstraint(fields=["seat"], condition=Q(replaced_at=None), name="one_grade_in_force_a_seat")
        ]

    def __str__(self) -> str:
        return f"rating {self.pk}"
