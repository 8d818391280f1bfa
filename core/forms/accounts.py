"""Forms to create an account from an invitation and to change one's own."""

from typing import Any

from django import forms
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from core.domain.text import one_line
from core.forms.fields import ModelForm
from core.models import User

LANGUAGES = [("", _("Same as browser")), ("en", "English"), ("zh-hans", "中文")]
THEMES = [("", _("Same as system")), ("light", _("Light")), ("dark", _("Dark"))]


class PasswordField(forms.CharField):
    widget = forms.PasswordInput

    def __init__(self, *, autocomplete: str = "new-password", **kwargs: Any) -> None:
        super().__init__(strip=False, max_length=500, **kwargs)
        self.widget.attrs["autocomplete"] = autocomplete


class NewPasswordForm(forms.Form):
    """A new password, typed twice, for the account that `owner` returns."""

    password = PasswordField(label=_("New password"), help_text=_("At least 10 characters that no one would guess."))
    again = PasswordField(label=_("Repeat the password"))

    def owner(self) -> User:
        raise NotImplementedError

    def clean(self) -> dict[str, Any]:
        typed = super().clean() or self.cleaned_data
        if "password" in typed and "again" in typed and typed["password"] != typed["again"]:
            self.add_error("again", _("The two passwords are not the same."))
        if "password" in typed:
            try:
                validate_password(typed["password"], self.owner())
            except ValidationError as weak:
                self.add_error("password", weak)
        return typed


class AcceptForm(NewPasswordForm, ModelForm[User]):
    class Meta:
        model = User
        fields = ("name", "username")
        labels = {"name": _("Your name")}
        help_texts = {
            "name": _("The name your colleagues see. It never appears in published data."),
            "username": _("To sign in with: letters, digits and @ . + - _"),
        }
        widgets = {
            "name": forms.TextInput(attrs={"autocomplete": "name"}),
            "username": forms.TextInput(
                attrs={"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}
            ),
        }

    field_order = ("name", "username", "password", "again")

    def owner(self) -> User:
        return User(username=self.cleaned_data.get("username", ""), name=self.cleaned_data.get("name", ""))


class PasswordForm(NewPasswordForm):
    old = PasswordField(label=_("Current password"), autocomplete="current-password")

    field_order = ("old", "password", "again")

    def __init__(self, *args: Any, person: User, **kwargs: Any) -> None:
        self.person = person
        super().__init__(*args, **kwargs)

    def owner(self) -> User:
        return self.person

    def clean_old(self) -> str:
        if not self.person.check_password(self.cleaned_data["old"]):
            raise ValidationError(_("This is not your current password."))
        return str(self.cleaned_data["old"])


class TokenForm(forms.Form):
    days = forms.TypedChoiceField(
        label=_("Ends"),
        choices=[("30", _("after 30 days")), ("90", _("after 90 days")), ("365", _("after a year")), ("0", _("never"))],
        initial="90",
        coerce=int,
        widget=forms.RadioSelect,
    )


class AccountForm(ModelForm[User]):
    language = forms.ChoiceField(label=_("Language"), choices=LANGUAGES, required=False, widget=forms.RadioSelect)
    theme = forms.ChoiceField(label=_("Light or dark"), choices=THEMES, required=False, widget=forms.RadioSelect)

    class Meta:
        model = User
        fields = ("name", "language", "theme")
        widgets = {"name": forms.TextInput(attrs={"autocomplete": "name"})}

    def clean_name(self) -> str:
        return one_line(self.cleaned_data["name"])
