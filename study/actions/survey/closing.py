"""What is listed as a deviation when a study is closed before all that its plan wants has come."""

from core.domain.text import one_line
from core.models.people import User
from study.actions.survey.reasons import check_reason
from study.domain.survey.phases import ParticipantState
from study.models import Deviation, Study

FILLING = (ParticipantState.COMPLETE, ParticipantState.ANSWERING)  # who fills a quota when a study is closed


def note_early(study: Study, why: str, by: User) -> None:
    """List each quota of a locked study that is not filled, or else the people under way.

    Raises Refused where there are some, for no reason and for one that tells who a participant is.
    """
    if why.strip():
        check_reason(study, why)
    early = [
        Deviation(subject=group.name, planned=group.quota, now=came)
        for group in study.groups.exclude(quota=None)
        if (came := group.participants.filter(state__in=FILLING, has_place=True).count()) < (group.quota or 0)
    ]
    if not early and (under_way := study.participants.all().under_way().count()):
        early = [Deviation(now=under_way)]
    if early:
        check_reason(study, why)
    for each in early:
        each.study, each.what, each.why, each.created_by = study, Deviation.What.CLOSED_EARLY, one_line(why), by
        each.save()
