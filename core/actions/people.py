"""Accounts, and the links that invite people."""

import hashlib
import secrets
from datetime import timedelta

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.actions.events import record
from core.actions.refusals import Refused, sentence_space
from core.domain.text import one_line
from core.models import Account, Invitation, Role, User
from core.models.scoped import Scope, scope_of
from core.permissions import SCOPES, may_give

INVITATION_DAYS = 14
PERSON = Account.PERSON
ACCOUNTS: dict[str, Account] = {Role.RESEARCHER: Account.CREATOR, Role.ADMINISTRATOR: Account.ADMINISTRATOR}


@transaction.atomic
def create_user(
    *, username: str, role: str, password: str | None = None, name: str = "", scope: Scope = None, by: User | None
) -> User:
    """Create an account, with this role in the project or study `scope` if one is given.

    A researcher may also create projects and studies. Without a password the account cannot be used to sign in until
    one is set. Raises Refused, also when `by` may not give this role.
    """
    if role not in Role.values:
        raise Refused("account_wrong", _("There is no role “%(role)s”.") % {"role": role}, field="role")
    user = User(username=User.normalize_username(username), name=one_line(name), account=ACCOUNTS.get(role, PERSON))
    user.set_password(password)
    _check(user, password)
    if by is not None:
        _must_allow(role, scope, by)
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as taken:  # another request took the name at the same moment
        raise Refused("username_taken", _("This user name is taken. Choose another one.")) from taken
    record(user, became=user.account, scope=scope, by=by)
    if scope is not None and not user.is_administrator:
        SCOPES[scope._meta.label_lower].join(scope, person=user, role=role, by=by or user)
    return user


def _check(user: User, password: str | None) -> None:
    try:
        user.full_clean(exclude=["password"])
    except ValidationError as wrong:
        raise Refused.by_fields("account_wrong", wrong, User) from wrong
    if password is not None:
        try:
            validate_password(password, user)
        except ValidationError as weak:
            raise Refused("account_wrong", sentence_space().join(weak.messages)) from weak
    _check_name(user.username)


def _check_name(username: str) -> None:
    """Refuse a name that a command would read as an option, or that differs from another only in capital letters."""
    if username.startswith("-"):
        raise Refused("username_wrong", _("A user name cannot begin with a hyphen."), field="username")
    if username.casefold() in map(str.casefold, User.objects.values_list("username", flat=True)):
        text = _("A user name that differs from this one only in capital letters is taken. Choose another one.")
        raise Refused("username_taken", text, field="username")


@transaction.atomic
def invite(*, role: str, scope: Scope, note: str = "", by: User) -> tuple[Invitation, str]:
    """Create an invitation. Return it with the token of its link, which is shown once and never stored.

    Raises Refused.
    """
    _must_allow(role, scope, by)
    token = secrets.token_urlsafe(24)
    try:
        note = Invitation._meta.get_field("note").clean(one_line(note), None)
    except ValidationError as wrong:  # normalisation can make a note longer
        raise Refused("note_too_long", sentence_space().join(wrong.messages)) from wrong
    invitation = Invitation.objects.create(
        token_digest=_digest(token),
        role=role,
        **scope_of(scope),
        note=note,
        created_by=by,
        expires_at=timezone.now() + timedelta(days=INVITATION_DAYS),
    )
    record(invitation, became=role, scope=scope, by=by)
    return invitation, token


@transaction.atomic
def invite_several(*, number: int, role: str, scope: Scope, note: str = "", by: User) -> list[str]:
    """Create this many invitations. Return the tokens of their links. Raises Refused."""
    return [invite(role=role, scope=scope, note=note, by=by)[1] for _number in range(number)]


def _must_allow(role: str, scope: Scope, by: User) -> None:
    if not may_give(by, role, within=scope):
        raise Refused("role_too_high", _("Only an administrator can invite researchers and administrators."))


def invitation_for(token: str) -> Invitation | None:
    """Return the invitation of a link, open or not; None when there is none."""
    return Invitation.objects.select_related("created_by").filter(token_digest=_digest(token)).first()


def can_be_accepted(invitation: Invitation) -> bool:
    """Return whether an open invitation still counts: the person who made it may still give its role."""
    return invitation.is_open and may_give(invitation.created_by, invitation.role, within=invitation.scope)


@transaction.atomic
def accept(*, token: str, username: str, name: str, password: str) -> User:
    """Create the account that a link invites to.

    Raises Refused when the link is used, withdrawn or expired, or its maker may no longer give the role.
    """
    invitation = Invitation.objects.select_for_update().filter(token_digest=_digest(token)).first()
    if invitation is None or not can_be_accepted(invitation):
        raise Refused(
            "invitation_over",
            _("This invitation has been used or has expired. Ask the person who invited you for a new one."),
        )
    user = create_user(
        username=username, role=invitation.role, password=password, name=name, scope=invitation.scope, by=None
    )
    invitation.accepted_at, invitation.accepted_by = timezone.now(), user
    invitation.save(update_fields=["accepted_at", "accepted_by"])
    record(invitation, became="accepted", scope=invitation, by=user)
    return user


@transaction.atomic
def withdraw(*, invitation: Invitation, by: User) -> None:
    """Close an invitation's link. An accepted invitation stays as it is."""
    locked = Invitation.objects.select_for_update().get(pk=invitation.pk)
    if locked.is_open:
        locked.withdrawn_at = timezone.now()
        locked.save(update_fields=["withdrawn_at"])
        record(locked, became="withdrawn", scope=locked, by=by)


def administrator() -> User:
    """Return the person that commands act as: the first active administrator.

    When there is none, one is created without a password.
    """
    first = User.objects.filter(account=Account.ADMINISTRATOR, is_active=True).order_by("pk").first()
    return first or create_user(username="administrator", role=Role.ADMINISTRATOR, by=None)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
