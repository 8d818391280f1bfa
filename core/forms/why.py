"""Why somebody does what cannot be seen from what they did."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.actions.events import LONGEST_WHY, WHY_MISSING

IN_THE_LOG = _("Stands in the audit log.")


class WhyField(forms.CharField):
    """A reason as long as the audit log takes it."""

    def __init__(self, **kwargs: Any) -> None:
        errors = {"required": WHY_MISSING}
        kwargs.setdefault("help_text", IN_THE_LOG)
        super().__init__(label=_("Why"), max_length=LONGEST_WHY, error_messages=errors, **kwargs)
