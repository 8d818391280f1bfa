"""Decisions of adjudicators about pairs whose grades have too wide a gap."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotation.domain.workflow import AssignmentState
from annotation.models.items import Purpose
from annotation.models.work import CHANGEABLE
from core.models.people import User


class AdjudicationQuerySet(models.QuerySet["Adjudication"]):
    def counting(self) -> "AdjudicationQuerySet":
        """Return the decisions in force on items of work, from which figures and releases are made."""
        return self.filter(
            replaced_at=None, assignment__state=AssignmentState.SUBMITTED, assignment__slot__item__purpose=Purpose.WORK
        )

    def changeable(self, person: User) -> "AdjudicationQuerySet":
        """Return the decisions that the person may still change, the newest first."""
        own = self.filter(replaced_at=None, assignment__state=AssignmentState.SUBMITTED, assignment__person=person)
        return own.order_by("-assignment__ended_at", "-assignment")[:CHANGEABLE]


class Adjudication(models.Model):
    """An adjudicator's final grade of one pair, or, without a grade, the reason for removing it.

    It has its own table, so that no figure about annotators can count it. A changed decision stays, with the time it
    was replaced.
    """

    assignment = models.ForeignKey("annotation.Assignment", on_delete=models.CASCADE, related_name="adjudications")
    grade = models.SmallIntegerField(null=True)
    reason = models.CharField(max_length=30, help_text="Key of the type that explains the grade, or why it is removed.")
    guideline = models.ForeignKey("annotation.GuidelineVersion", on_delete=models.PROTECT)
    created_at = models.DateTimeField(default=timezone.now)
    replaced_at = models.DateTimeField(null=True)

    objects = AdjudicationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["assignment"], condition=Q(replaced_at=None), name="one_adjudication_in_force_an_assignment"
            )
        ]

    def __str__(self) -> str:
        return f"adjudication {self.pk}"
