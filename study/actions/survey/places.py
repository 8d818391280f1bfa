"""Places of a group and its forms: taken by who joins, left by who ends so that they do not count.

How many are taken is kept in a row for each form of a group. It grows only while the study's row is locked, so that no
one is let in beyond a quota, but for a person whose exclusion is taken back; it shrinks at any time. Order of locks:
study, participant, places.
"""

from django.db.models import F
from django.utils.translation import gettext_lazy as _

from core.actions.refusals import Refused
from study.models import FormPlaces, Participant
from study.models.people import StudyGroup
from study.selectors.survey.places import not_begun


def take(group: StudyGroup) -> int:
    """Take a place, the study being locked. Return its form: that with the fewest people of the group, then of all.

    Raises Refused when the group's quota is filled.
    """
    for person in not_begun(group).select_for_update(no_key=True):
        leave(person)
    rows = list(FormPlaces.objects.filter(group__study=group.study_id).values_list("group", "form", "taken"))
    own = {form: taken for of, form, taken in rows if of == group.pk}
    if group.quota is not None and sum(own.values()) >= group.quota:
        raise Refused("full", _("Enough people have taken part."))
    of_study = {form: sum(taken for _of, each, taken in rows if each == form) for form in own}
    form = min(own, key=lambda form: (own[form], of_study[form], form))
    FormPlaces.objects.filter(group=group, form=form).update(taken=F("taken") + 1)
    return form


def regain(participant: Participant) -> None:
    """Give a locked participant a place in their form again, the study being locked; where it is filled, one more."""
    is_new = Participant.objects.filter(pk=participant.pk, has_place=False).update(has_place=True)
    if is_new and participant.form is not None:
        FormPlaces.objects.filter(group=participant.group, form=participant.form).update(taken=F("taken") + 1)
    participant.has_place = True


def leave(participant: Participant) -> None:
    """Leave the place of a locked participant, if they still have it."""
    is_left = Participant.objects.filter(pk=participant.pk, has_place=True).update(has_place=False)
    if is_left and participant.form is not None:
        FormPlaces.objects.filter(group=participant.group, form=participant.form).update(taken=F("taken") - 1)
    participant.has_place = False
