"""Form to sign in."""

from typing import Any

from axes.helpers import get_client_username
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core.selectors.locks import FAILURES_ALLOWED, minutes_locked, seconds_to_turn


class SignInForm(AuthenticationForm):
    """Sign-in form that says how many attempts are left or how long to wait. django-axes counts them."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs |= {
            "autocapitalize": "none",
            "spellcheck": "false",
            "autofocus": not self.is_bound,
        }
        self.fields["password"].label = gettext_lazy("Password")

    def clean(self) -> dict[str, Any]:
        try:
            return super().clean()
        except ValidationError as refused:
            self.add_error("password", refused)
            return self.cleaned_data

    def get_invalid_login_error(self) -> ValidationError:
        request: Any = self.request  # django-axes writes on it
        failures = request.axes_failures_since_start  # None: the password was not compared
        key = get_client_username(request, {"username": self.cleaned_data["username"]})
        if minutes := minutes_locked(key):
            attempts = ngettext(
                "Too many attempts. In this browser the user name is locked for %(minutes)s more minute; another "
                "browser in which you have signed in before works.",
                "Too many attempts. In this browser the user name is locked for %(minutes)s more minutes; another "
                "browser in which you have signed in before works.",
                minutes,
            ) % {"minutes": minutes}
        elif seconds := seconds_to_turn(key):
            attempts = ngettext(
                "Too many wrong passwords were entered in new browsers. Try again in %(seconds)s "
                "second, or immediately in a browser in which you have signed in before.",
                "Too many wrong passwords were entered in new browsers. Try again in %(seconds)s "
                "seconds, or immediately in a browser in which you have signed in before.",
                seconds,
            ) % {"seconds": seconds}
        else:
            left = FAILURES_ALLOWED - (failures or 0)
            attempts = ngettext("%(left)s attempt left.", "%(left)s attempts left.", left) % {"left": left}
        if failures is None:
            return ValidationError(attempts, code="locked")
        text = _("User name and password do not match. %(attempts)s") % {"attempts": attempts}
        return ValidationError(text, code="no_match")
