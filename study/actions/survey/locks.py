"""Rows of studies, locked for a change."""

from django.utils.translation import gettext_lazy as _

from core.actions.refusals import Refused
from study.domain.survey.phases import StudyState
from study.models import Study


def locked_draft(study: Study) -> Study:
    """Return the row of a draft, locked. Raises Refused once the study has been opened."""
    locked = locked_study(study)
    if locked.state != StudyState.DRAFT:
        raise Refused("plan_frozen", _("Not saved: the study has been opened, and its plan is frozen."))
    return locked


def locked_study(study: Study) -> Study:
    """Return the study's row, locked: opening, closing and joining happen one after the other."""
    return Study.objects.select_for_update(no_key=True, of=("self",)).get(pk=study.pk)
