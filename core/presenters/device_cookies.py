"""Device cookies: a browser in which a person has signed in before keeps attempts of its own (docs/adr/0021).

A signed cookie says it, so that nothing about browsers and no network address is stored here. Method: OWASP, "Slow Down
Online Guessing Attacks with Device Cookies".
"""

import secrets
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.crypto import salted_hmac

from core.models import User
from core.selectors.locks import OF_DEVICE

COOKIE = SALT = "device"
A_YEAR = 60 * 60 * 24 * 365
MOST_ACCOUNTS = 30  # of one browser, so that the cookie stays small on a computer that many use


def remember(person: User, request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Add the person to those who have signed in in this browser."""
    device, accounts = _read(request)
    own = _digest(person.username)
    accounts = [*(account for account in accounts if account != own), own][-MOST_ACCOUNTS:]
    response.set_cookie(
        COOKIE,
        signing.dumps([device or secrets.token_hex(8), accounts], salt=SALT),
        max_age=A_YEAR,
        path=reverse(settings.LOGIN_URL),
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )
    return response


def attempts_key(request: HttpRequest, credentials: dict[str, Any] | None) -> str:
    """Return the name under which django-axes counts failures (AXES_USERNAME_CALLABLE).

    Browsers that are new to an account share its user name; each of the others has a name of its own.
    """
    username = str((credentials or request.POST)["username"])
    device, accounts = _read(request)
    return f"{username}{OF_DEVICE}{device}" if _digest(username) in accounts else username


def _read(request: HttpRequest) -> tuple[str, list[str]]:
    try:
        device, accounts = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=A_YEAR)
    except signing.BadSignature:
        return "", []
    return device, accounts


def _digest(username: str) -> str:
    return salted_hmac("core.device", username).hexdigest()[:16]  # on a shared computer the cookie names no one
