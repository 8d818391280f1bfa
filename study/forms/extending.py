"""How many people can join, and until when: the closing day of a draft, and extensions of a frozen plan."""

from typing import Any

from django import forms as controls  # `forms` is a setting of a study
from django.utils.translation import gettext_lazy as _

from core.forms.fields import WhyField
from study.models import Study

NO_DAY = _("Write the day as year-month-day: 2027-01-31.")


def day_input() -> controls.DateInput:
    return controls.DateInput({"class": "input", "type": "date"}, format="%Y-%m-%d")


class ClosingDayForm(controls.Form):
    """The last day on which people can join a study."""

    closes_on = controls.DateField(
        label=_("Last day to join"),
        required=False,
        widget=day_input(),
        help_text=_("The study closes automatically at the end of this day (UTC). If empty, you close it yourself."),
        error_messages={"invalid": NO_DAY},
    )


class ExtendPlanForm(controls.Form):
    """A higher quota of each group that has one, by `quota_` and its key, and a later closing day."""

    day = controls.DateField(
        label=_("Last day to join"),
        required=False,
        widget=day_input(),
        help_text=_("Closes automatically at the end of this day (UTC)."),
        error_messages={"invalid": NO_DAY},
    )
    why = WhyField(help_text=_("Recorded as a deviation from the plan and shown in the public plan."))

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.groups = list(study.groups.exclude(quota=None))
        self.fields["day"].initial = study.closes_on
        for group in self.groups:
            self.fields[f"quota_{group.pk}"] = controls.IntegerField(
                label=_("Quota of %(group)s") % {"group": group.name},
                initial=group.quota,
                min_value=1,
                max_value=999_999,
            )

    @property
    def quota_fields(self) -> list[Any]:
        return [self[f"quota_{group.pk}"] for group in self.groups]

    @property
    def wanted(self) -> dict[str, Any]:
        """The arguments of `deviations.extend_plan`."""
        quotas = {group: self.cleaned_data[f"quota_{group.pk}"] for group in self.groups}
        return {"quotas": quotas, "day": self.cleaned_data["day"], "why": self.cleaned_data["why"]}
