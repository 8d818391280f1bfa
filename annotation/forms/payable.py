"""Form of the period for which work is counted."""

from datetime import date
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

EARLIEST, LATEST = date(2000, 1, 1), date(2999, 12, 31)


class _DayField(forms.DateField):
    def __init__(self, **kwargs: Any) -> None:
        widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
        super().__init__(input_formats=["%Y-%m-%d"], widget=widget, **kwargs)

    def clean(self, value: Any) -> date:
        day: date = super().clean(value)
        if not EARLIEST <= day <= LATEST:
            raise forms.ValidationError(_("Choose a day between the years 2000 and 2999."))
        return day


def this_month() -> dict[str, str]:
    """Return the form data for the period from the first day of the month to today."""
    today = timezone.localdate()
    return {"since": today.replace(day=1).isoformat(), "until": today.isoformat()}


class PeriodForm(forms.Form):
    since = _DayField(label=_("From"))
    until = _DayField(label=_("To and including"))

    def clean(self) -> dict[str, Any]:
        days: dict[str, Any] = super().clean() or self.cleaned_data
        if "since" in days and "until" in days and days["until"] < days["since"]:
            self.add_error("until", _("This day is before the first one."))
        return days
