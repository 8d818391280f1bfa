"""Form of how a person reads and which keys they press."""

from typing import Any

from django import forms
from django.forms.boundfield import BoundWidget
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from core.domain.keys import KeyedPage, clashes
from core.forms.fields import ModelForm
from core.models import TextSize, User

LETTER = "[A-Za-z]"
NO_LETTER = _("One letter from A to Z.")
TAKEN = _("{key} is “{what}” already.")
PIXELS = (15, 18, 21, 25)  # of a dialogue, by size: what static/css/components.css makes of it


class KeysForm(ModelForm[User]):
    text_size = forms.ChoiceField(
        label=_("Text size"), choices=TextSize.choices, required=False, widget=forms.RadioSelect
    )

    class Meta:
        model = User
        fields = ("text_size", "has_single_keys", "shows_keys")
        widgets = dict.fromkeys(("has_single_keys", "shows_keys"), forms.CheckboxInput(attrs={"role": "switch"}))

    def __init__(self, *args: Any, page: KeyedPage, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.page = page
        own = self.instance.own_keys.get(page.name, {})
        for usual, what in page.keys.items():
            self.fields[f"key_{usual}"] = _key_field(usual, own=own.get(usual, usual), label=capfirst(str(what)))

    def sizes(self) -> list[tuple[BoundWidget, int]]:
        """Return each text size: its choice, and its pixels."""
        return list(zip(self["text_size"], PIXELS, strict=True))

    def rows(self) -> list[tuple[str, forms.BoundField]]:
        """Return each shortcut of the page: its usual key, and its field."""
        return [(usual, self[f"key_{usual}"]) for usual in self.page.keys]

    def stored(self) -> dict[str, str]:
        """Return what the form sends where nothing is changed."""
        values = {name: self.get_initial_for_field(field, name) for name, field in self.fields.items()}
        return {name: {True: "on", False: ""}.get(value, value) for name, value in values.items()}

    def own_keys(self) -> dict[str, str]:
        """Return the keys that are not the usual ones, by these. An empty field means none."""
        typed = {usual: self.cleaned_data.get(f"key_{usual}", usual).upper() for usual in self.page.keys}
        return {usual: key for usual, key in typed.items() if key != usual}

    def clean(self) -> dict[str, Any]:
        own = self.own_keys()
        for usual, other in clashes(self.page.keys, own).items():
            self.add_error(f"key_{usual}", TAKEN.format(key=own[usual], what=self.fields[f"key_{other}"].label))
        return super().clean() or self.cleaned_data


def _key_field(usual: str, *, own: str, label: str) -> forms.RegexField:
    hints = {"autocomplete": "off", "autocapitalize": "characters", "placeholder": _("none"), "data-usual": usual}
    return forms.RegexField(
        f"^{LETTER}$",
        label=label,
        required=False,
        initial=own,
        error_messages={"invalid": NO_LETTER},
        widget=forms.TextInput(attrs={"size": 2, "maxlength": 1, "pattern": LETTER, **hints}),
    )
