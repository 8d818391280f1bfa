"""Grades that models gave, apart from those of people: a model has no account and no assignment."""

from django.db import models
from django.utils import timezone

from annotation.domain.workflow import ItemState
from annotation.models.items import Purpose
from annotation.models.projects import GuidelineVersion, Project


class GradingModel(models.Model):
    """A model whose grades a project has. Another run, prompt or setting is another model, with a name of its own.

    `settings` are what its importer said of prompt and settings, as {key: text}; `guideline` was in force when its
    first grades came in. Once voided it is kept, with its grades, and appears nowhere; its name is free again.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="grading_models")
    name = models.CharField(max_length=80)
    settings = models.JSONField(default=dict)
    guideline = models.ForeignKey(GuidelineVersion, on_delete=models.PROTECT, related_name="+")
    voided_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "name"], condition=models.Q(voided_at=None), name="one_model_a_name"
            )
        ]

    def __str__(self) -> str:
        return self.name


class ModelGradeQuerySet(models.QuerySet["ModelGrade"]):
    def in_force(self) -> "ModelGradeQuerySet":
        """Return the grades of models that are not voided."""
        return self.filter(model__voided_at=None)

    def counting(self) -> "ModelGradeQuerySet":
        """Return the grades in force of items that count."""
        return self.in_force().filter(item__purpose=Purpose.WORK).exclude(item__state=ItemState.CLEANED)


class ModelGrade(models.Model):
    """One model's grade of one item."""

    item = models.ForeignKey("annotation.Item", on_delete=models.CASCADE, related_name="model_grades", db_index=False)
    model = models.ForeignKey(GradingModel, on_delete=models.CASCADE, related_name="grades")
    grade = models.SmallIntegerField()
    imported_by = models.ForeignKey("core.User", null=True, on_delete=models.SET_NULL, related_name="+")
    imported_at = models.DateTimeField(default=timezone.now)

    objects = ModelGradeQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["item", "model"], name="one_grade_a_model")]

    def __str__(self) -> str:
        return f"grade {self.pk} by model {self.model_id}"
