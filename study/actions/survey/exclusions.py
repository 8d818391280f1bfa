"""Exclusion of participants by hand, and its end. Both need a reason, and neither touches what a person is paid.

Both are listed as deviations from the plan. A person who counts no more leaves their place of the quota to another.
"""

from collections.abc import Collection

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.actions.events import record
from core.actions.refusals import Refused
from core.domain.text import one_line
from core.models.people import User
from study.actions.survey import places
from study.actions.survey.locks import locked_study
from study.actions.survey.reasons import check_reason
from study.domain.survey.phases import UNDER_WAY, ParticipantState
from study.models import Deviation, Exclusion, Participant, Study
from study.selectors.results.counted import is_counted


@transaction.atomic
def exclude(*, study: Study, people: Collection[Participant], why: str, by: User) -> int:
    """Leave people out of all figures; those who are out already stay so. Return how many are new.

    Raises Refused without a reason or a person, for a reason that tells who one is, and for a person who withdrew.
    """
    check_reason(study, why)
    chosen = _locked(study, people)
    if any(person.state == ParticipantState.WITHDRAWN for person in chosen):
        raise Refused(
            "withdrew", _("Nothing was changed: a participant who withdrew is already left out of all figures.")
        )
    new = [person for person in chosen if not hasattr(person, "exclusion")]
    for person in new:
        places.leave(person)
        Exclusion.objects.create(participant=person, why=one_line(why)[:500], created_by=by)
        record(person, became="excluded", why=why, scope=study, by=by)
        _note(person, Deviation.What.EXCLUDED, why, by)
    return len(new)


@transaction.atomic
def take_back(*, study: Study, people: Collection[Participant], why: str, by: User) -> int:
    """Let excluded people count again. Return how many. Raises Refused as `exclude` does.

    They have a place of the quota again, one more than it has where it is filled.
    """
    check_reason(study, why)
    locked_study(study)
    excluded = [person for person in _locked(study, people) if hasattr(person, "exclusion")]
    for person in excluded:
        person.exclusion.delete()
        if person.state in UNDER_WAY or (person.state == ParticipantState.COMPLETE and is_counted(person)):
            places.regain(person)
        record(person, was="excluded", became="counted again", why=why, scope=study, by=by)
        _note(person, Deviation.What.TAKEN_BACK, why, by)
    return len(excluded)


def _note(person: Participant, what: Deviation.What, why: str, by: User) -> None:
    Deviation.objects.create(
        study=person.study, what=what, subject=str(person.public_id), why=one_line(why)[:500], created_by=by
    )


def _locked(study: Study, people: Collection[Participant]) -> list[Participant]:
    if not people:
        raise Refused("no_people", _("Choose the participants first."))
    own = study.participants.filter(pk__in=[person.pk for person in people])
    list(own.select_for_update(no_key=True).order_by("pk"))
    return list(own.select_related("exclusion").order_by("pk"))
