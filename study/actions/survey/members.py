"""Researchers of a study: its creator and the people they add."""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.actions.events import record
from core.actions.refusals import Refused
from core.models.people import Role, User
from study.models import Study, StudyMembership


@transaction.atomic
def add(*, study: Study, person: User, by: User) -> None:
    """Let a researcher see and set up the study. Raises Refused for another role or an inactive account."""
    if person.role != Role.RESEARCHER or not person.is_active:
        raise Refused("no_researcher", _("Only researchers with an account belong to a study."))
    membership, is_new = StudyMembership.objects.get_or_create(study=study, person=person)
    if is_new:
        record(membership, became="member", scope=None, why=study.slug, by=by)


@transaction.atomic
def remove(*, study: Study, person: User, by: User) -> None:
    """Remove a person's right to the study. Administrators keep theirs."""
    for membership in StudyMembership.objects.filter(study=study, person=person):
        record(membership, was="member", became="left", scope=None, why=study.slug, by=by)
        membership.delete()
