"""Check that says at the start that the secret key was lost or changed, and what this costs."""

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.core.checks import Warning as CheckWarning
from django.db import connections
from django.utils.crypto import salted_hmac

from core.models import SecretKeyDigest

WHAT_IT_COSTS = (
    "All are signed out, and sign in again with the same password from browsers that count as new. A person who has "
    "withdrawn from a survey is not recognised if they come again. Nothing else is lost: surveys go on, and gold, "
    "orders and lots stay as they are, because their secrets are in the database. If you have the old key, put it "
    "back and start again."
)


def secret_key_is_the_same(databases: Iterable[str] | None = None, **_: Any) -> list[CheckWarning]:
    """Report a warning, which `migrate` prints, if the secret key is another than at the last start."""
    what = (
        f"The secret key is another than at the last start: {settings.DATA_DIR / 'secret_key'} was lost or changed, or "
        "SECRET_KEY in the environment is set, unset or changed."
    )
    changed = [alias for alias in databases or () if _digest_of_last_start(alias) not in {"", _digest()}]
    return [CheckWarning(what, hint=WHAT_IT_COSTS, obj=alias, id="config.W001") for alias in changed]


def remember_secret_key(using: str, **_: Any) -> None:
    """Store the digest of the present key, when `migrate`, which every start runs, has ended."""
    if _has_table(using):
        SecretKeyDigest.objects.using(using).update_or_create(pk=1, defaults={"digest": _digest()})


def _digest() -> str:
    return salted_hmac("config.secret_key", "", algorithm="sha256").hexdigest()


def _digest_of_last_start(database: str) -> str:
    """Return the stored digest; empty in a new database."""
    kept = SecretKeyDigest.objects.using(database).values_list("digest", flat=True)
    return (kept.first() or "") if _has_table(database) else ""


def _has_table(database: str) -> bool:
    return SecretKeyDigest._meta.db_table in connections[database].introspection.table_names()
