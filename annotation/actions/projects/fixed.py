"""What is fixed in a project once grades have been given: the scale, the number of annotators, the gap."""

from collections.abc import Collection

from django.utils.translation import gettext_lazy as _

from annotation.models import Project, Purpose, Rating
from core.actions.refusals import Refused

FIXED = ("grades", "raters", "gap")


def is_begun(project: Project) -> bool:
    """Tell whether a grade was given; from then on the scale, the number of annotators and the gap are fixed."""
    return Rating.objects.filter(assignment__slot__queue__project=project).exists()


def has_gold(project: Project) -> bool:
    """Tell whether known grades lie on the scale."""
    return project.items.filter(purpose=Purpose.GOLD).exists()


def has_grades(project: Project) -> bool:
    """Tell whether grades name the scale and its types: of people, known ones of gold, or of models."""
    return is_begun(project) or has_gold(project) or project.grading_models.exists()


def must_be_open(project: Project, changed: Collection[str]) -> None:
    """Raise Refused if one of the settings to be changed is fixed by now."""
    if is_begun(project) and set(changed) & set(FIXED):
        raise Refused(
            "settings_fixed",
            _(
                "The scale, the number of raters and the gap are fixed: grades have been given. Create a new "
                "project to change them."
            ),
        )
    if "grades" in changed and has_gold(project):
        raise Refused(
            "gold_graded",
            _("The scale is fixed because gold pairs have known grades on it. Create a new project for another scale."),
        )
    if "grades" in changed and project.grading_models.exists():
        raise Refused(
            "models_graded",
            _("The scale is fixed: models' grades use it. Create a new project for another scale."),
        )
