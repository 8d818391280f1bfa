"""Recruiting: joining is paused and resumed, and ends on a day. Each has a line in the audit log."""

from datetime import date

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.actions.events import record
from core.actions.refusals import Refused
from core.models.people import User
from study.actions.survey.locks import locked_draft, locked_study
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


@transaction.atomic
def close_after(*, study: Study, day: date | None, by: User) -> Study:
    """Set the last day on which people can join a study that is still a draft, None for none.

    Raises Refused for a day that is past. Once the study is open only `deviations.extend` changes it.
    """
    locked = locked_draft(study)
    check_closing_day(day)
    if day != locked.closes_on:
        was, locked.closes_on = locked.closes_on, day
        locked.save(update_fields=["closes_on"])
        record(locked, was=f"closes on {was}", became=f"closes on {day}", scope=None, by=by)
    return locked


def check_closing_day(day: date | None) -> None:
    """Refuse a closing day that is past. Raises Refused."""
    if day is not None and day < timezone.now().date():
        raise Refused("past", _("Not saved: choose today or a day that is still to come."))


def _locked_open(study: Study) -> Study:
    locked = locked_study(study)
    if locked.state != StudyState.OPEN:
        raise Refused("not_open", _("The study is not open."))
    return locked
