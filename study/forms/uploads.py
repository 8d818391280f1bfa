"""The form that sends predictions of another system."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.domain.draws import LARGEST_SEED
from core.forms.files import not_too_large
from study.models.runs import LABEL

INPUT = {"class": "input"}


class UploadForm(forms.Form):
    file = forms.FileField(
        label=_("File"), allow_empty_file=True, error_messages={"required": _("Choose a file first.")}
    )
    label = forms.CharField(
        label=_("Label of the model"),
        max_length=LABEL,
        widget=forms.TextInput(INPUT),
        help_text=_("Its name in every table, such as “ELECTRA, large”."),
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=0,
        max_value=LARGEST_SEED,
        initial=0,
        help_text=_("Distinguishes several training runs of one model: their mean and spread are shown."),
    )
    partial = forms.BooleanField(label=_("Import the good rows where others are refused"), required=False)

    def clean_file(self) -> Any:
        return not_too_large(self.cleaned_data["file"])
