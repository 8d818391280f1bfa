"""Accounts and the links that invite people."""

import hashlib
import secrets
from datetime import timedelta

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.actions.events import record
from annotation.actions.projects import add_member
from annotation.actions.refusals import Refused
from annotation.domain.text import one_line
from annotation.models import Invitation, Project, Role, User
from annotation.permissions import MAY_INVITE

INVITATION_DAYS = 14


@transaction.atomic
def create_user(*, username: str, role: str, password: str | None = None, name: str = "",
                project: Project | None = None, by: User | None) -> User:  # fmt: skip
    """An account; without a password nobody can sign in with it until one is set. Raises Refused."""
    user = User(username=User.normalize_username(username), name=one_line(name), role=role)
    user.set_password(password)
    _check(user, password)
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as taken:  # by somebody who chose the same name a moment ago
        raise Refused("username_taken", _("This user name is taken. Choose another one.")) from taken
    record(user, became=role, project=project, by=by)
    if project is not None:
        add_member(project=project, person=user, by=by or user)
    return user


def _check(user: User, password: str | None) -> None:
    try:
        user.full_clean(exclude=["password"])
        if password is not None:
            validate_password(password, user)
    except ValidationError as wrong:
        raise Refused("account_wrong", " ".join(wrong.messages)) from wrong


@transaction.atomic
def invite(*, role: str, project: Project | None, note: str = "", by: User) -> tuple[Invitation, str]:
    """An invitation and the token of its link, which is shown once and never stored. Raises Refused."""
    if role not in MAY_INVITE.get(Role(by.role), frozenset()):
        raise Refused("role_too_high", _("Only an administrator invites researchers and administrators."))
    token = secrets.token_urlsafe(24)
    try:
        note = Invitation._meta.get_field("note").clean(one_line(note), None)
    except ValidationError as wrong:  # too long, perhaps only since it was normalised
        raise Refused("note_too_long", " ".join(wrong.messages)) from wrong
    invitation = Invitation.objects.create(
        token_digest=_digest(token), role=role, project=project, note=note, created_by=by,
        expires_at=timezone.now() + timedelta(days=INVITATION_DAYS),
    )  # fmt: skip
    record(invitation, became=role, project=project, by=by)
    return invitation, token


def invitation_for(token: str) -> Invitation | None:
    """The invitation a link belongs to, open or not."""
    return Invitation.objects.filter(token_digest=_digest(token)).first()


@transaction.atomic
def accept(*, token: str, username: str, name: str, password: str) -> User:
    """Make the account a link invites to. Raises Refused when the link is used, withdrawn or too old."""
    invitation = Invitation.objects.select_for_update().filter(token_digest=_digest(token)).first()
    if invitation is None or not invitation.is_open:
        raise Refused(
            "invitation_over",
            _("This invitation has been used or has ended. Ask the person who invited you for a new one."),
        )
    user = create_user(
        username=username, role=invitation.role, password=password, name=name, project=invitation.project, by=None
    )
    invitation.accepted_at, invitation.accepted_by = timezone.now(), user
    invitation.save(update_fields=["accepted_at", "accepted_by"])
    record(invitation, became="accepted", project=invitation.project, by=user)
    return user


@transaction.atomic
def withdraw(*, invitation: Invitation, by: User) -> None:
    """The link leads nowhere from now on. An invitation that was accepted stays as it is."""
    locked = Invitation.objects.select_for_update().get(pk=invitation.pk)
    if locked.is_open:
        locked.withdrawn_at = timezone.now()
        locked.save(update_fields=["withdrawn_at"])
        record(locked, became="withdrawn", project=locked.project, by=by)


def administrator() -> User:
    """The person commands act as: the first active administrator, made without a password when there is none."""
    first = User.objects.filter(role=Role.ADMINISTRATOR, is_active=True).order_by("pk").first()
    return first or create_user(username="administrator", role=Role.ADMINISTRATOR, by=None)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
