"""The reasoning types that people name for accepted instances."""

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from annotation.domain.reasoning import ANSWERS
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models.items import Purpose
from annotation.models.work import CHANGEABLE, Assignment, Step
from core.models.people import User


class TypeChoiceQuerySet(models.QuerySet["TypeChoice"]):
    def counting(self) -> "TypeChoiceQuerySet":
        """Return the choices in force about accepted instances in their current text."""
        later = Assignment.objects.filter(
            slot__item=OuterRef("assignment__slot__item"),
            slot__queue__step=Step.WRITE,
            state=AssignmentState.SUBMITTED,
            slot__round__gt=OuterRef("assignment__slot__round"),
        )
        return self._in_force().filter(
            ~Exists(later), assignment__slot__item__purpose=Purpose.WORK, assignment__slot__item__state=ItemState.KEPT
        )

    def changeable(self, person: User) -> "TypeChoiceQuerySet":
        """Return the choices that the person may still change, the newest first."""
        return (
            self._in_force()
            .filter(assignment__person=person)
            .order_by("-assignment__ended_at", "-assignment")[:CHANGEABLE]
        )

    def _in_force(self) -> "TypeChoiceQuerySet":
        return self.filter(replaced_at=None, assignment__state=AssignmentState.SUBMITTED)


class TypeChoice(models.Model):
    """One person's reasoning type of one instance, or "unsure". Its assignment has the round of the text.

    A changed choice stays, with the time it was replaced.
    """

    assignment = models.ForeignKey("annotation.Assignment", on_delete=models.CASCADE, related_name="type_choices")
    answer = models.CharField(max_length=12, choices=[(answer, answer) for answer in ANSWERS])
    milliseconds = models.PositiveIntegerField(null=True, help_text="From the page's opening to the choice.")
    created_at = models.DateTimeField(default=timezone.now)
    replaced_at = models.DateTimeField(null=True)

    objects = TypeChoiceQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["assignment"], condition=Q(replaced_at=None), name="one_type_in_force_an_assignment"
            )
        ]

    def __str__(self) -> str:
        return f"type choice {self.pk}"
