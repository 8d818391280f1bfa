"""Form of how a person reads and which keys they press."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.domain.keys import KeyedPage, clashes
from core.forms.fields import ModelForm
from core.models import TextSize, User


class KeysForm(ModelForm[User]):
    text_size = forms.ChoiceField(
        label=gettext_lazy("Text size"),
        help_text=gettext_lazy("Of dialogues and pairs; menus and tables stay as they are."),
        choices=TextSize.choices,
        required=False,
        widget=forms.RadioSelect,
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
            self.fields[f"key_{usual}"] = forms.RegexField(
                r"^[A-Za-z]$",
                label=str(what),
                required=False,
                initial=own.get(usual, usual),
                error_messages={"invalid": gettext_lazy("One letter from A to Z.")},
                widget=forms.TextInput(
                    attrs={"size": 2, "maxlength": 1, "autocomplete": "off", "autocapitalize": "characters"}
                ),
            )

    def rows(self) -> list[tuple[str, forms.BoundField]]:
        """Return each shortcut of the page: its usual key, and its field."""
        return [(usual, self[f"key_{usual}"]) for usual in self.page.keys]

    def own_keys(self) -> dict[str, str]:
        """Return the keys that are not the usual ones, by these. An empty field means the usual key."""
        typed = {usual: self.cleaned_data.get(f"key_{usual}", "").upper() for usual in self.page.keys}
        return {usual: key for usual, key in typed.items() if key and key != usual}

    def clean(self) -> dict[str, Any]:
        for usual, other in clashes(self.page.keys, self.own_keys()).items():
            key, what = self.own_keys()[usual], self.page.keys[other]
            self.add_error(
                f"key_{usual}",
                _("%(key)s is already used for “%(what)s”. Choose another letter.") % {"key": key, "what": what},
            )
        return super().clean() or self.cleaned_data
