"""Letting a paused rater go on."""

from django import forms
from django.utils.translation import gettext_lazy as _


class ResumeForm(forms.Form):
    why = forms.CharField(
        label=_("Why"), max_length=500, help_text=_("Stands in the audit log."),
        error_messages={"required": _("Say why: the reason stands in the audit log.")},
    )  # fmt: skip
