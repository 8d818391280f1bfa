"""Accounts and the links that invite people."""

import hashlib
import secrets
from datetime import timedelta

from django.contrib.auth.hashers import make_password
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
    """An account; without a password nobody can sign in with it until one is set. Raises Refused, also for a role that
    `by` may let nobody have.
    """
    user = User(username=User.normalize_username(username), name=one_line(name), role=role)
    user.set_password(password)
    _check(user, password)
    if by is not None:
        _must_allow(role, by)
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as taken:  # by somebody who chose the same name a moment ago
        raise Refused("username_taken", _("This user name is taken. Choose another one.")) from taken
    record(user, became=role, project=project, by=by)
    if project is not None:
        add_member(project=project, person=user, by=by or user)
    return user


def without_sign_in(*, project: Project, login: str, name: str, role: Role = Role.ANNOTATOR, by: User) -> User:
    """A member of the project as whom nobody signs in: a bot, or somebody who graded elsewhere. Made where missing.

    The slash in the user name keeps it apart from those that people choose.
    """
    person, new = User.objects.get_or_create(
        username=f"{project.slug}/{login}",
        defaults={"name": name, "role": role, "is_active": False, "password": make_password(None)},
    )
    if new:
        add_member(project=project, person=person, by=by)
    return person


def _check(user: User, password: str | None) -> None:
    try:
        user.full_clean(exclude=["password"])
    except ValidationError as wrong:
        raise Refused.by_fields("account_wrong", wrong, User) from wrong
    if password is not None:
        try:
            validate_password(password, user)
        except ValidationError as weak:
            raise Refused("account_wrong", " ".join(weak.messages)) from weak
    _check_name(user.username)


def _check_name(username: str) -> None:
    """Raises Refused for a name that no command could be told, and for one that people would take for another's."""
    if username.startswith("-"):
        raise Refused("username_wrong", _("A user name does not begin with a hyphen."), field="username")
    if username.casefold() in map(str.casefold, User.objects.values_list("username", flat=True)):
        text = _("A user name that differs from this one only in capital letters is taken. Choose another one.")
        raise Refused("username_taken", text, field="username")


@transaction.atomic
def invite(*, role: str, project: Project | None, note: str = "", by: User) -> tuple[Invitation, str]:
    """An invitation and the token of its link, which is shown once and never stored. Raises Refused."""
    _must_allow(role, by)
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


def _must_allow(role: str, by: User) -> None:
    if role not in MAY_INVITE.get(Role(by.role), frozenset()):
        raise Refused("role_too_high", _("Only an administrator invites researchers and administrators."))


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
