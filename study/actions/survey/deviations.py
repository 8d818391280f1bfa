"""What is done in another way than the frozen plan says: each is listed with its time, person and reason."""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.actions import stored_figures
from core.actions.events import must_say_why, record
from core.actions.refusals import Refused
from core.domain.text import one_line
from core.models.people import User
from study.actions.survey.studies import check_group, locked_study
from study.domain.survey.phases import ParticipantState, StudyState
from study.models import Deviation, Participant
from study.models.people import StudyGroup


@transaction.atomic
def extend(*, group: StudyGroup, quota: int, why: str, by: User) -> StudyGroup:
    """Let more people into a group of an open study than its plan says.

    Raises Refused for a study that is not open, no more than before, and no reason.
    """
    study = locked_study(group.study)
    must_say_why(why)
    if study.state != StudyState.OPEN:
        raise Refused("not_open", _("The study is not open."))
    locked = study.groups.get(pk=group.pk)
    check_group(locked.name, quota)
    if locked.quota is None or quota <= locked.quota:
        message = _("“%(group)s” takes %(quota)s people already. A quota is only extended.")
        raise Refused("no_more", message % {"group": locked.name, "quota": locked.quota or "∞"})
    was, locked.quota = locked.quota, quota
    locked.save(update_fields=["quota"])
    record(locked, was=f"quota {was}", became=f"quota {quota}", why=one_line(why), scope=None, by=by)
    Deviation.objects.create(
        study=study,
        what=Deviation.What.QUOTA,
        subject=locked.name,
        planned=was,
        now=quota,
        why=one_line(why),
        created_by=by,
    )
    return locked


def exclude(*, participant: Participant, why: str, by: User) -> None:
    """Leave a person out of the figures by hand; their pay is not touched. Raises Refused without a reason."""
    _set_excluded(participant, True, why, by)


def take_back(*, participant: Participant, why: str, by: User) -> None:
    """Count a person again who was excluded by hand. Raises Refused without a reason."""
    _set_excluded(participant, False, why, by)


@transaction.atomic
def _set_excluded(participant: Participant, is_excluded: bool, why: str, by: User) -> None:
    must_say_why(why)
    stored_figures.forget(participant.study)  # first, in the order of locks of a withdrawal
    locked = Participant.objects.select_for_update(no_key=True, of=("self",)).get(pk=participant.pk)
    if locked.state == ParticipantState.WITHDRAWN:
        raise Refused("withdrawn", _("This person has withdrawn: nothing of theirs is left to exclude."))
    if locked.is_excluded == is_excluded:
        return
    locked.is_excluded = is_excluded
    locked.save(update_fields=["is_excluded"])
    what = Deviation.What.EXCLUDED if is_excluded else Deviation.What.TAKEN_BACK
    record(locked, became=what, why=one_line(why), scope=None, by=by)
    Deviation.objects.create(
        study=participant.study, what=what, subject=str(locked.public_id), why=one_line(why), created_by=by
    )
