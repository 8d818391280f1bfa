"""Grades that models gave, by item: the columns of their own that every export of grades has."""

from collections import defaultdict
from collections.abc import Iterable

from django.db.models import Count

from annotation.models import ModelGrade, Project

COLUMNS = ("models", "model_grades")
ByModel = dict[str, int]


def model_grades_of(items: Iterable[int]) -> dict[int, ByModel]:
    """Return the grades of the items (keys of the database) that models graded, models in order of name."""
    found: dict[int, ByModel] = defaultdict(dict)
    rows = ModelGrade.objects.in_force().filter(item__in=items).values_list("item", "model__name", "grade")
    for item, model, grade in sorted(rows):
        found[item][model] = grade
    return dict(found)


def columns_of(by_model: ByModel) -> tuple[list[str], list[int]]:
    """Return `COLUMNS` of an item: two lists that go together."""
    return list(by_model), list(by_model.values())


def released_by_model(project: Project) -> dict[str, int]:
    """Return how many pairs of a release frozen now each model graded, models in order of name."""
    graded = ModelGrade.objects.in_force().filter(item__in=project.items.to_release())
    return dict(sorted(graded.values_list("model__name").annotate(Count("pk"))))
