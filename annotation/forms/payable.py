"""Form of the period for which work is counted."""

from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.forms.lists import DayField


def this_month() -> dict[str, str]:
    """Return the form data for the period from the first day of the month to today."""
    today = timezone.localdate()
    return {"since": today.replace(day=1).isoformat(), "until": today.isoformat()}


class PeriodForm(forms.Form):
    since = DayField(required=True, label=_("From"))
    until = DayField(required=True, label=_("To and including"))

    def clean(self) -> dict[str, Any]:
        days: dict[str, Any] = super().clean() or self.cleaned_data
        if "since" in days and "until" in days and days["until"] < days["since"]:
            self.add_error("until", _("This day is before the first one."))
        return days
