"""Recruiting of an open study: joining is paused and resumed, and more people of a group are wanted.

The plan stays as it was frozen; each change is a line of the audit log.
"""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.actions.events import must_say_why, record
from core.actions.refusals import Refused
from core.models.people import User
from study.actions.survey.studies import check_group, locked_study
from study.domain.survey.phases import StudyState
from study.models import Study
from study.models.people import StudyGroup


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
def extend(*, group: StudyGroup, quota: int | None, why: str, by: User) -> StudyGroup:
    """Want more people of a group, None for no limit. Raises Refused without a reason, and for fewer than before."""
    locked = _locked_open(group.study).groups.get(pk=group.pk)
    must_say_why(why)
    check_group(locked.name, quota)
    if locked.quota is None or (quota is not None and quota <= locked.quota):
        raise Refused("quota_not_more", _("Not changed: once a study is open, a quota can only become larger."))
    was, locked.quota = locked.quota, quota
    locked.save(update_fields=["quota"])
    record(locked, was=f"quota {was}", became=f"quota {quota}", why=why, scope=None, by=by)
    return locked


def _locked_open(study: Study) -> Study:
    locked = locked_study(study)
    if locked.state != StudyState.OPEN:
        raise Refused("not_open", _("The study is not open."))
    return locked
