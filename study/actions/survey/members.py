"""Researchers of a study: its creator and the people they add."""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.actions.events import record
from core.actions.refusals import Refused
from core.models.people import Role, User
from core.permissions import roles_of
from study.models import Study, StudyMembership


@transaction.atomic
def add(*, study: Study, person: User, role: str = Role.RESEARCHER, by: User) -> None:
    """Give a person a role in the study: a researcher sees it and sets it up.

    Raises Refused for another role, for a person who does no research, and for an inactive account.
    """
    if role != Role.RESEARCHER or role not in roles_of(person) or not person.is_active:
        raise Refused("no_researcher", _("Only researchers with an account belong to a study."))
    membership, is_new = StudyMembership.objects.get_or_create(
        study=study, person=person, defaults={"role": Role.RESEARCHER}
    )
    if is_new:
        record(membership, became=Role.RESEARCHER, scope=None, why=study.slug, by=by)


@transaction.atomic
def remove(*, study: Study, person: User, by: User) -> None:
    """Remove a person's right to the study. Administrators keep theirs."""
    for membership in StudyMembership.objects.filter(study=study, person=person):
        record(membership, was=membership.role, became="left", scope=None, why=study.slug, by=by)
        membership.delete()
