"""Settings from the environment: a wrong value stops the start and says how to correct it."""

import os
import re
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

OWNER_ALONE = 0o077  # as a umask, and as the bits that a file of the product does not have
SHORTEST_SECRET = 32  # characters in the file; a new one has more
SERVER_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
TRUE, FALSE = {"1", "true", "yes", "on"}, {"0", "false", "no", "off"}


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def flag(name: str, *, default: bool) -> bool:
    value = text(name, str(default)).lower()
    if value in TRUE | FALSE:
        return value in TRUE
    raise ImproperlyConfigured(f"{name} is {value!r}. Set it to 1 or 0, or unset it for {int(default)}.")


def number(name: str, *, default: int, lowest: int, highest: int) -> int:
    value = text(name, str(default))
    if value.isascii() and value.isdigit() and lowest <= int(value) <= highest:
        return int(value)
    raise ImproperlyConfigured(f"{name} is {value!r}. Set it to a whole number from {lowest} to {highest}.")


def choice(name: str, *, default: str, allowed: tuple[str, ...]) -> str:
    value = text(name, default)
    if value in allowed:
        return value
    raise ImproperlyConfigured(f"{name} is {value!r}. Set it to one of: {', '.join(allowed)}.")


def names(name: str, *, default: str) -> list[str]:
    return [part.strip() for part in text(name, default).split(",") if part.strip()]


def url(name: str, *, default: str, schemes: tuple[str, ...]) -> str:
    value = text(name, default)
    if value == default or ("://" in value and value.split("://", 1)[0] in schemes):
        return value
    # The value may hold a password, so only its scheme is repeated.
    raise ImproperlyConfigured(
        f"{name} begins with {value.split(':', 1)[0]!r}. It must be a URL that begins with "
        + " or ".join(f"{scheme}://" for scheme in schemes)
        + ", or be unset for the default."
    )


def servers(name: str) -> dict[str, str]:
    """Return addresses by name, of NAME=URL, separated by commas. A key belongs to each, so URLs hold no password."""
    found: dict[str, str] = {}
    for part in names(name, default=""):
        own, equals, address = (piece.strip() for piece in part.partition("="))
        if not (equals and SERVER_NAME.fullmatch(own) and _is_plain_address(address)) or own in found:
            # The value may hold a password, so it is not repeated.
            raise ImproperlyConfigured(
                f"{name} is wrong at its {len(found) + 1}. server. Set it to NAME=URL, several separated by commas: a "
                "name of its own of lower-case letters, digits and hyphens, and an address that begins with http:// or "
                "https://, without user, password, query or fragment, for example lab=http://127.0.0.1:8080/v1."
            )
        found[own] = address.rstrip("/")
    return found


def _is_plain_address(address: str) -> bool:
    try:
        parts = urlsplit(address)
        parts.port  # noqa: B018 -- reading it checks it
    except ValueError:
        return False
    plain = not (parts.username or parts.password or "@" in parts.netloc or parts.query or parts.fragment)
    return (
        plain
        and parts.scheme in ("http", "https")
        and bool(parts.hostname)
        and address.isascii()
        and " " not in address
    )


def folder(name: str, *, default: Path) -> Path:
    """Return a writable folder that other users of the machine cannot open; create it when it is missing."""
    path = Path(text(name, str(default))).resolve()
    try:
        path.mkdir(parents=True, exist_ok=True)
        _close(path)
    except OSError as wrong:
        raise ImproperlyConfigured(
            f"{name} is {path}: {wrong.strerror}. Set it to a folder that this user can make and own."
        ) from wrong
    if not os.access(path, os.W_OK | os.X_OK):
        raise ImproperlyConfigured(
            f"{name} is {path}, which cannot be written in. Give it to this user, or set another."
        )
    return path


def close_to_others(folder: Path) -> None:
    """Close to other users of the machine what an earlier version let them read in a folder, except links."""
    for path in (Path(inside, name) for inside, folders, files in os.walk(folder) for name in (*folders, *files)):
        with suppress(OSError):  # gone since, or another user's: the folder itself is closed
            if not path.is_symlink():
                _close(path)


def _close(path: Path) -> None:
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & OWNER_ALONE:
        path.chmod(mode & ~OWNER_ALONE)


def secret(name: str, *, kept_in: Path) -> str:
    """Return the secret of the environment, or one created once and kept in a file that only its owner reads."""
    if value := text(name):
        return value
    if not kept_in.exists():
        kept_in.parent.mkdir(parents=True, exist_ok=True)
        draft = kept_in.with_name(f"{kept_in.name}.{secrets.token_hex(4)}")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(50))
        try:
            kept_in.hardlink_to(draft)  # two processes that start at once use the same secret
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    kept = kept_in.read_text().strip()
    if len(kept) < SHORTEST_SECRET:
        raise ImproperlyConfigured(
            f"{kept_in} must hold a secret of at least {SHORTEST_SECRET} characters, and has {len(kept)}. Put the file "
            "of before back; if it is lost, delete it: the next start makes a new secret, and all sign in again."
        )
    return kept
