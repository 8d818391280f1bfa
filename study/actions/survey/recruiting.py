"""Recruiting of an open study: joining is paused and resumed, with a line in the audit log."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.actions.events import record
from core.actions.refusals import Refused
from core.models.people import User
from study.actions.survey.locks import locked_study
from study.domain.survey.phases import StudyState
from study.models import Study


@transaction.atomic
def pause(*, study: Study, by: User) -> Study:
    """Let no one join until `resume`. People who have joined begin and go on. Raises Refused unless open."""
    locked = _locked_open(study)
    if locked.paused_at is None:
        locked.paused_at = timezone.now()
        locked.save(update_fields=["paused_at"])
        record(locked, became="joining paused", scope=None, by=by)
    return locked


@transaction.atomic
def resume(*, study: Study, by: User) -> Study:
    """Let people join again. Raises Refused unless open."""
    locked = _locked_open(study)
    if locked.paused_at is not None:
        locked.paused_at = None
        locked.save(update_fields=["paused_at"])
        record(locked, was="joining paused", became="joining resumed", scope=None, by=by)
    return locked


def _locked_open(study: Study) -> Study:
    locked = locked_study(study)
    if locked.state != StudyState.OPEN:
        raise Refused("not_open", _("The study is not open."))
    return locked
