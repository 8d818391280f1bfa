"""Places of a group: who holds one, and whether one is free."""

from datetime import timedelta

from django.db.models import Sum
from django.utils import timezone

from study.domain.survey.phases import ParticipantState
from study.models import FormPlaces, Participant
from study.models.people import ParticipantQuerySet, StudyGroup

PATIENCE = timedelta(minutes=20)  # a place is kept so long for a person who agreed but has not begun


def is_full(group: StudyGroup) -> bool:
    """Return whether the group's quota is filled, by people who still hold their places."""
    return lacks_room(group) and not (not_begun(group).exists() or overdue(group))


def lacks_room(group: StudyGroup) -> bool:
    """Return whether as many places are taken as the quota has, those included that are about to be free."""
    taken = FormPlaces.objects.filter(group=group).aggregate(taken=Sum("taken"))["taken"] or 0
    return group.quota is not None and taken >= group.quota


def not_begun(group: StudyGroup) -> ParticipantQuerySet:
    """Return the people whose place is kept no longer, because they agreed and did not begin."""
    there = Participant.objects.filter(group=group, has_place=True, state=ParticipantState.CONSENTED)
    return there.filter(joined_at__lt=timezone.now() - PATIENCE)


def overdue(group: StudyGroup) -> list[Participant]:
    """Return the people of a group whose time is over, and who are not stored as ended yet."""
    return Participant.objects.filter(group=group).overdue()
