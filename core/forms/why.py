"""Form field for the reason of an act, which its data do not show."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.actions.events import LONGEST_WHY, WHY_MISSING

IN_THE_LOG = _("Stands in the audit log.")


class WhyField(forms.CharField):
    """Reason of at most the length that the audit log takes."""

    def __init__(self, **kwargs: Any) -> None:
        errors = {"required": WHY_MISSING}
        kwargs.setdefault("help_text", IN_THE_LOG)
        super().__init__(label=_("Why"), max_length=LONGEST_WHY, error_messages=errors, **kwargs)
