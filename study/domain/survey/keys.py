"""Secrets of participants: the one in a browser's cookie, and the one in the link that leads back from elsewhere."""

from enum import StrEnum
from hashlib import sha256, shake_256


class KeyKind(StrEnum):
    BROWSER = "browser"
    RESUME = "resume"


def digest_of(secret: str) -> str:
    """Return what is stored of a secret: SHA-256, 64 hexadecimal digits."""
    return sha256(secret.encode()).hexdigest()


def resume_secret(secret: str) -> str:
    """Return the secret of the resume link that belongs to a browser's secret: 40 hexadecimal digits.

    It is computed, so that the link can be shown on every page and is stored nowhere. The browser's secret cannot be
    found from it.
    """
    return shake_256(f"resume {secret}".encode()).hexdigest(20)


def resume_typed(text: str) -> str:
    """Return the secret in what a person pasted: the whole link, or only its end.

    >>> resume_typed(" https://example.org/take/abc/back/0f3e/ ")
    '0f3e'
    """
    return text.strip().split("?")[0].rstrip("/").rsplit("/", 1)[-1]
