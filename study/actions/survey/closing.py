"""What is listed as a deviation when a study is closed before all that its plan wants has come."""

from core.domain.text import one_line
from core.models.people import User
from study.actions.survey.reasons import check_reason
from study.domain.survey.phases import ParticipantState
from study.models import Deviation, Study

FILLING = (ParticipantState.COMPLETE, ParticipantState.ANSWERING)  # who fills a quota when a study is closed


def note_early(study: Study, why: str, by: User) -> None:
    """List each quota of a locked study that is not filled, or else the people who are answering: once it is closed, no
    one who only agreed can begin.

    Raises Refused where there are some, for no reason and for one that tells who a participant is.
    """
    if why.strip():
        check_reason(study, why)
    early = _unfilled(study)
    if not early and (answering := study.participants.filter(state=ParticipantState.ANSWERING).count()):
        early = [Deviation(now=answering)]
    if early:
        check_reason(study, why)
    _note(study, early, one_line(why), by)


def note_unfilled(study: Study) -> None:
    """List each quota that is not filled on the closing day of a locked study: no person closes it, with no reason."""
    _note(study, _unfilled(study), "", None)


def _unfilled(study: Study) -> list[Deviation]:
    return [
        Deviation(subject=group.name, planned=group.quota, now=came)
        for group in study.groups.exclude(quota=None)
        if (came := group.participants.filter(state__in=FILLING, has_place=True).count()) < (group.quota or 0)
    ]


def _note(study: Study, early: list[Deviation], why: str, by: User | None) -> None:
    for each in early:
        each.study, each.what, each.why, each.created_by = study, Deviation.What.CLOSED_EARLY, why, by
        each.save()
