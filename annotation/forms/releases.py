"""The one confirmation before a release is frozen."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.domain.draws import LARGEST_SEED


class FreezeForm(forms.Form):
    number = forms.IntegerField(widget=forms.HiddenInput)
    seed = forms.IntegerField(
        label=_("Seed"), initial=0, min_value=0, max_value=LARGEST_SEED,
        help_text=_("Decides what goes to which split. The same content and seed give the same release."),
    )  # fmt: skip
    sure = forms.BooleanField(error_messages={"required": _("Tick this first: freezing cannot be undone.")})

    def __init__(self, *args: Any, next_number: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["number"].initial = next_number
        self.fields["sure"].label = _("Release %(number)s cannot be changed or deleted afterwards.") % {
            "number": next_number
        }
