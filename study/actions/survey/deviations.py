"""What is done in another way than the frozen plan says: each is listed with its time, person and reason."""

from collections.abc import Mapping
from datetime import date

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.actions.events import forget_reasons, record
from core.actions.refusals import Refused
from core.domain.text import one_line
from core.models.people import User
from study.actions.survey.groups import check_group
from study.actions.survey.locks import locked_study
from study.actions.survey.reasons import check_reason
from study.actions.survey.recruiting import check_closing_day
from study.domain.survey.phases import StudyState
from study.models import Deviation, Exclusion, Participant, Study
from study.models.people import StudyGroup


@transaction.atomic
def extend_plan(*, study: Study, quotas: Mapping[StudyGroup, int], day: date | None, why: str, by: User) -> None:
    """Let more people into groups of an open study, or let them join until a later day: what differs from now.

    Raises Refused as `extend` does, for a day before the present one, and where nothing differs.
    """
    locked = locked_study(study)
    more = {group: quota for group, quota in quotas.items() if quota != group.quota}
    later = None if day == locked.closes_on else day
    if not more and later is None:
        raise Refused("no_change", _("Nothing was changed: choose a higher quota or a later day."))
    for group, quota in more.items():
        extend(group=group, quota=quota, why=why, by=by)
    if later:
        _extend_day(locked, later, why, by)


def _extend_day(study: Study, day: date, why: str, by: User) -> None:
    check_reason(study, why)
    check_closing_day(day)
    if study.state != StudyState.OPEN:
        raise Refused("not_open", _("The study is not open."))
    if study.closes_on and day < study.closes_on:
        raise Refused("no_later", _("The closing day can only be postponed. To end the study earlier, close it."))
    was, study.closes_on = study.closes_on, day
    study.save(update_fields=["closes_on"])
    record(study, was=f"closes on {was}", became=f"closes on {day}", why=one_line(why), scope=None, by=by)
    Deviation.objects.create(
        study=study,
        what=Deviation.What.CLOSING_DAY,
        planned_on=was,
        now_on=day,
        why=one_line(why),
        created_by=by,
    )


@transaction.atomic
def extend(*, group: StudyGroup, quota: int, why: str, by: User) -> StudyGroup:
    """Let more people into a group of an open study than its plan says.

    Raises Refused for a study that is not open, no more than before, no reason, or a reason that tells who a person is.
    """
    study = locked_study(group.study)
    check_reason(study, why)
    if study.state != StudyState.OPEN:
        raise Refused("not_open", _("The study is not open."))
    locked = study.groups.get(pk=group.pk)
    check_group(locked.name, quota)
    if locked.quota is None or quota <= locked.quota:
        message = _("“%(group)s” already has a quota of %(quota)s. A quota can only be increased.")
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


def forget_person(person: Participant) -> None:
    """Leave of what was decided about a person who withdraws that it was, and when: no id of theirs, and no reason.

    The deviations so still count.
    """
    person.study.deviations.filter(subject=str(person.public_id)).forget("subject", "why")
    forget_reasons(person)


def forget_reasons_about_people(study: Study) -> None:
    """Empty the reasons of exclusions by hand, once what is personal is deleted. That they were made stays."""
    about = study.deviations.filter(what__in=[Deviation.What.EXCLUDED, Deviation.What.TAKEN_BACK])
    named = [subject for subject in about.values_list("subject", flat=True) if subject]
    for person in study.participants.filter(public_id__in=named):
        forget_reasons(person)
    about.forget("why")
    Exclusion.objects.filter(participant__study=study).update(why="")
