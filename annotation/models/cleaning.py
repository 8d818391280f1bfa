"""Findings of rules in pairs, and people's decisions about them."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotation.domain.cleaning.cleaning import CleaningVerdict
from annotation.models.projects import Project


class CleaningRule(models.Model):
    """A rule of a project: an uploaded list of words, or a built-in rule that was switched off.

    A built-in rule without a row is in use.
    """

    project = models.ForeignKey("annotation.Project", on_delete=models.CASCADE, related_name="cleaning_rules")
    key = models.CharField(max_length=60, help_text="The name of a list, or the key of a rule of our own.")
    words = models.JSONField(null=True, help_text="Folded; none for a rule of our own.")
    is_on = models.BooleanField(default=True)
    changed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "key"], name="one_cleaning_rule_a_key")]

    def __str__(self) -> str:
        return self.key


class CleaningFinding(models.Model):
    """The spans that one rule found in one pair at the last scan. Each scan replaces the findings of the one before."""

    item = models.ForeignKey("annotation.Item", on_delete=models.CASCADE, related_name="findings", db_index=False)
    rule = models.CharField(max_length=60)
    spans = models.JSONField(help_text="[part, start, end] of each; see annotation.domain.cleaning.cleaning.Span.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["item", "rule"], name="one_finding_a_rule")]

    def __str__(self) -> str:
        return f"{self.rule} in {self.item_id}"


class DecisionQuerySet(models.QuerySet["CleaningDecision"]):
    def in_force(self) -> "DecisionQuerySet":
        return self.filter(undone_at=None)

    def of_project(self, project: Project) -> "DecisionQuerySet":
        return self.filter(assignment__slot__queue__project=project)


class CleaningDecision(models.Model):
    """A person's decision about the pair of their assignment. An undone decision stays as history."""

    assignment = models.ForeignKey("annotation.Assignment", on_delete=models.CASCADE, related_name="decisions")
    verdict = models.CharField(max_length=10, choices=[(v, v) for v in CleaningVerdict])
    findings = models.JSONField(help_text="What was found in the pair then: spans by rule.")
    removed = models.PositiveIntegerField(help_text="How many pairs it removed.")
    submission_key = models.UUIDField(null=True, help_text="Of the browser: the same key sent twice is one decision.")
    decided_at = models.DateTimeField(default=timezone.now)
    undone_at = models.DateTimeField(null=True)

    objects = DecisionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["assignment"], condition=Q(undone_at=None), name="one_decision_in_force_an_assignment"
            )
        ]

    def __str__(self) -> str:
        return f"decision {self.pk}"
