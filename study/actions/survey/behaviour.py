"""Behaviour log: counts and times of a participant, kept apart from the answers and deleted when they withdraw."""

from collections.abc import Mapping

from django.db import transaction

from study.domain.survey.behaviour import MOST
from study.models import Behaviour, Participant


def add(participant: Participant, noted: Mapping[str, int]) -> None:
    """Add counts to those of a locked participant, in a study whose consent says that they are stored."""
    if not noted or not participant.study.notes_behaviour:
        return
    log, _is_new = Behaviour.objects.get_or_create(participant=participant)
    for name, count in noted.items():
        setattr(log, name, min(getattr(log, name) + count, MOST))
    log.save()


@transaction.atomic
def note_trap(*, participant: Participant) -> None:
    """Note that a field was filled in that people do not see; nothing of a person who has withdrawn."""
    locked = Participant.objects.select_for_update(no_key=True, of=("self",)).select_related("study")
    for person in locked.filter(pk=participant.pk).under_way():
        add(person, {"trap": 1})
