"""Changes to an existing account: its password, what it may do by itself, tokens and whether it is active."""

import secrets
from collections.abc import Mapping
from datetime import timedelta

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from knox.models import AuthToken

from core.actions.events import record
from core.actions.refusals import Refused
from core.models import Account, TokenUse, User


@transaction.atomic
def change_password(*, password: str, by: User) -> None:
    """Set one's own password, which the form has checked, sign out all other browsers and end all tokens."""
    by.set_password(password)
    by.save(update_fields=["password"])
    AuthToken.objects.filter(user=by).delete()
    record(by, became="password changed", scope=None, by=by)


@transaction.atomic
def change_own(*, name: str, language: str, theme: str, by: User) -> None:
    """Store one's own name, and the language and theme of one's pages. A new name is an event: figures name people."""
    was, by.name, by.language, by.theme = User.objects.get(pk=by.pk).name, name, language, theme
    by.save(update_fields=["name", "language", "theme"])
    if was != name:
        record(by, became="name changed", scope=None, by=by)


def change_reading(
    *, text_size: str, has_single_keys: bool, shows_keys: bool, page: str, keys: Mapping[str, str], by: User
) -> None:
    """Store how one reads, and one's own keys of one kind of page, which the form has checked."""
    by.text_size, by.has_single_keys, by.shows_keys = text_size, has_single_keys, shows_keys
    by.own_keys = {name: own for name, own in (by.own_keys | {page: dict(keys)}).items() if own}
    by.save(update_fields=["text_size", "has_single_keys", "shows_keys", "own_keys"])


@transaction.atomic
def make_token(*, days: int, by: User) -> str:
    """Create an API token that ends after so many days, 0 for never, and return it.

    It is shown once: only its digest is stored.
    """
    _row, token = AuthToken.objects.create(user=by, expiry=timedelta(days=days) if days else None)
    record(by, became="token made", scope=None, by=by)
    return str(token)


@transaction.atomic
def revoke_token(*, prefix: str, by: User) -> bool:
    """Delete one of one's own tokens, found by its first letters. Return False when there is no such token."""
    gone, _details = AuthToken.objects.filter(user=by, token_key=prefix).delete()
    if gone:
        record(by, was="token made", became="token revoked", scope=None, by=by)
    return bool(gone)


def note_use(*, token: AuthToken) -> None:
    """Store when a token was last used, once an hour at most: reading the API seldom writes."""
    now = timezone.now()
    if not TokenUse.objects.filter(token=token, last_at__gt=now - timedelta(hours=1)).exists():
        TokenUse.objects.update_or_create(token=token, defaults={"last_at": now})


@transaction.atomic
def change_account(*, person: User, account: str, why: str = "", by: User) -> None:
    """Make the account a person's or an administrator's. Raises Refused for one's own account."""
    locked = _another_account(person, by)
    was, locked.account = locked.account, Account(account)
    if was != locked.account:
        locked.save(update_fields=["account"])
        record(locked, was=was, became=account, why=why, scope=None, by=by)


@transaction.atomic
def set_active(*, person: User, is_active: bool, why: str = "", by: User) -> None:
    """Activate or deactivate an account. Either ends all sessions and tokens of the person for good; their work stays.

    Raises Refused for one's own account.
    """
    locked = _another_account(person, by)
    if locked.is_active != is_active:
        locked.is_active = is_active
        locked.save(update_fields=["is_active"])
        was, became = ("inactive", "active") if is_active else ("active", "inactive")
        record(locked, was=was, became=became, why=why, scope=None, by=by)
        _end_sessions(locked)
        AuthToken.objects.filter(user=locked).delete()


def _end_sessions(person: User) -> None:
    """Delete the person's sessions. Each names its person only in its content."""
    sessions = Session.objects.filter(expire_date__gt=timezone.now()).iterator()
    own = [session.pk for session in sessions if session.get_decoded().get(SESSION_KEY) == str(person.pk)]
    Session.objects.filter(pk__in=own).delete()


@transaction.atomic
def new_password(*, person: User, by: User) -> str:
    """Replace a forgotten password and return the new one, which is shown once. Ends the person's tokens.

    Raises Refused for one's own account.
    """
    locked = _another_account(person, by)
    password = secrets.token_urlsafe(12)
    locked.set_password(password)
    locked.save(update_fields=["password"])
    AuthToken.objects.filter(user=locked).delete()
    record(locked, became="password replaced", scope=None, by=by)
    return password


def _another_account(person: User, by: User) -> User:
    """Return the other person's account, locked together with all administrators.

    The lock lets only one succeed of two administrators who deactivate each other at the same time.
    """
    rows = User.objects.select_for_update(no_key=True).order_by("pk")
    administrators = rows.filter(account=Account.ADMINISTRATOR, is_active=True)
    if person.pk == by.pk or by.pk not in [each.pk for each in administrators]:
        raise Refused("not_oneself", _("Not changed: another administrator has to do this for your own account."))
    return rows.get(pk=person.pk)
