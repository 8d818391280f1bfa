"""Grades that models gave, apart from those of people: a model has no account and no assignment."""

from django.db import models
from django.utils import timezone

from annotation.domain.workflow import ItemState
from annotation.models.items import Purpose
from annotation.models.projects import Project


class ModelGradeQuerySet(models.QuerySet["ModelGrade"]):
    def of_project(self, project: Project) -> "ModelGradeQuerySet":
        return self.filter(item__project=project)

    def counting(self) -> "ModelGradeQuerySet":
        """Return the grades of items that count."""
        return self.filter(item__purpose=Purpose.WORK).exclude(item__state=ItemState.CLEANED)


class ModelGrade(models.Model):
    """One model's grade of one item. Another run of a model is another model, with a name of its own."""

    item = models.ForeignKey("annotation.Item", on_delete=models.CASCADE, related_name="model_grades", db_index=False)
    model = models.CharField(max_length=80)
    grade = models.SmallIntegerField()
    imported_by = models.ForeignKey("core.User", null=True, on_delete=models.SET_NULL, related_name="+")
    imported_at = models.DateTimeField(default=timezone.now)

    objects = ModelGradeQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["item", "model"], name="one_grade_a_model")]

    def __str__(self) -> str:
        return f"grade {self.pk} by {self.model}"
