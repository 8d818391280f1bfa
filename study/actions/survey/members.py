"""Members of a study: its researchers, who are its creator and the people they add, and its experts, who take it."""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.actions.events import record
from core.actions.refusals import Refused
from core.models.people import Role, User
from core.permissions import roles_of
from study.models import Study, StudyMembership


@transaction.atomic
def add(*, study: Study, person: User, role: str = Role.RESEARCHER, by: User) -> None:
    """Give a person a role in the study: a researcher sees it and sets it up, an expert takes it.

    Raises Refused for another role, for a researcher who does no research, for an inactive account, and for an expert
    who knows the right answers or of a study that is taken by a link.
    """
    if role == Role.EXPERT:
        _check_expert(study, person)
    elif role != Role.RESEARCHER or role not in roles_of(person) or not person.is_active:
        raise Refused("no_researcher", _("Only researchers with an account can be added to a study."))
    membership, is_new = StudyMembership.objects.get_or_create(study=study, person=person, defaults={"role": role})
    if is_new:
        record(membership, became=role, scope=None, why=study.slug, by=by)


def _check_expert(study: Study, person: User) -> None:
    if not study.survey.is_signed_in:
        raise Refused(
            "by_link",
            _("Participants take this study through a link. For experts, create a study for people with an account."),
        )
    if not person.is_active or person.is_administrator:
        raise Refused("no_expert", _("An expert must have an active account and not be an administrator."))
    if StudyMembership.objects.filter(study=study, person=person).exclude(role=Role.EXPERT).exists():
        raise Refused("knows_answers", _("A researcher of the study knows its right answers and cannot take it."))


@transaction.atomic
def remove(*, study: Study, person: User, by: User) -> None:
    """Remove a person's right to the study. Administrators keep theirs; what an expert answered stays."""
    for membership in StudyMembership.objects.filter(study=study, person=person):
        record(membership, was=membership.role, became="left", scope=None, why=study.slug, by=by)
        membership.delete()
