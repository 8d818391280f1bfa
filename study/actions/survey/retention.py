"""What is personal in a study is deleted on a day that its researchers set: ids of platforms, and more if they ask."""

from datetime import date

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.actions.events import record
from core.actions.refusals import Refused
from core.models.people import User
from study.actions.survey import deviations, exports
from study.actions.survey.locks import locked_study
from study.domain.survey.phases import ParticipantState, StudyState
from study.models import Identity, Study
from study.models.erasure import truncate_log


@transaction.atomic
def keep_until(*, study: Study, day: date | None, with_demographics: bool, by: User) -> Study:
    """Set the day on which what is personal is deleted, None for never.

    Raises Refused for a day that is not to come, and where it has been deleted.
    """
    locked = locked_study(study)
    if locked.forgotten_at:
        raise Refused("forgotten", _("Nothing was changed: the personal data are already deleted."))
    if day is not None and day <= timezone.now().date():
        raise Refused("past", _("Not saved: choose a day that is still to come."))
    was, becomes = _told(locked), (day, with_demographics)
    locked.forgets_on, locked.forgets_demographics = becomes
    if was != _told(locked):
        locked.save(update_fields=["forgets_on", "forgets_demographics"])
        record(locked, was=was, became=_told(locked), scope=locked, by=by)
    return locked


def _told(study: Study) -> str:
    if study.forgets_on is None:
        return "kept"
    return f"kept to {study.forgets_on}" + " (all)" * study.forgets_demographics


def forget_due() -> int:
    """Delete what is personal in closed studies whose day has come, once no one is answering; return how many."""
    due = Study.objects.filter(forgotten_at=None, forgets_on__lte=timezone.now().date(), state=StudyState.CLOSED)
    return sum(map(_forget, due))


@transaction.atomic
def _forget(study: Study) -> bool:
    locked = locked_study(study)
    if locked.forgotten_at or locked.participants.filter(state=ParticipantState.ANSWERING).exists():
        return False
    Identity.objects.filter(study=locked).delete()  # and with it what the platform says of them
    if locked.forgets_demographics:
        locked.participants.exclude(demographics={}).update(demographics={})
    deviations.forget_reasons_about_people(locked)
    locked.forgotten_at = timezone.now()
    locked.save(update_fields=["forgotten_at"])
    record(locked, became="personal data deleted", scope=locked, by=None)
    exports.forget(locked)
    transaction.on_commit(truncate_log)
    return True
