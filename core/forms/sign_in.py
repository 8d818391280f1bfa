"""Form to sign in."""

from typing import Any

from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core.selectors.locks import minutes_locked


class SignInForm(AuthenticationForm):
    """Sign-in form that says how many attempts are left or how long the name is locked. django-axes counts them."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs |= {
            "autocapitalize": "none",
            "spellcheck": "false",
            "autofocus": not self.is_bound,
        }
        self.fields["password"].widget.attrs["autofocus"] = self.is_bound  # the name is kept after a refusal
        self.fields["password"].label = gettext_lazy("Password")

    def clean(self) -> dict[str, Any]:
        try:
            return super().clean()
        except ValidationError as refused:
            self.add_error("password", refused)
            return self.cleaned_data

    def get_invalid_login_error(self) -> ValidationError:
        request: Any = self.request  # django-axes writes on it
        if request.axes_locked_out:
            minutes = minutes_locked(self.cleaned_data["username"])
            text = ngettext(
                "Too many attempts. This user name is locked for %(minutes)s more minute.",
                "Too many attempts. This user name is locked for %(minutes)s more minutes.",
                minutes,
            )
            return ValidationError(text % {"minutes": minutes}, code="locked")
        left = settings.AXES_FAILURE_LIMIT - request.axes_failures_since_start
        attempts = ngettext("%(left)s attempt left.", "%(left)s attempts left.", left) % {"left": left}
        text = _("User name and password do not match. %(attempts)s") % {"attempts": attempts}
        return ValidationError(text, code="no_match")
