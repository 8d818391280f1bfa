"""What the page of a study's participants sends: filters, reasons, and a platform's list."""

from typing import Any

from django import forms
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext_lazy as _

from core.actions.events import LONGEST_WHY
from core.domain.text import one_line

INPUT = {"class": "input"}
MOST_BYTES = 5 * 1024 * 1024
CHIPS = ("all", "open", "differs", "excluded", "withdrew")


class PeopleFilter(forms.Form):
    """Filter of the participants; an invalid value is ignored."""

    find = forms.CharField(
        label=_("Find"), required=False, max_length=200, widget=forms.TextInput({"type": "search", "data-find": ""})
    )
    group = forms.ChoiceField(label=_("Group"), required=False, widget=forms.Select(INPUT))
    status = forms.ChoiceField(label=_("Our status"), required=False, widget=forms.Select(INPUT))
    show = forms.ChoiceField(choices=[(chip, chip) for chip in CHIPS], required=False, widget=forms.HiddenInput)

    def __init__(self, sent: Any, *, groups: list[tuple[str, str]], states: list[tuple[str, Any]]) -> None:
        super().__init__(sent)
        self.fields["group"].choices = [("", _("all groups")), *groups]  # type: ignore[attr-defined]
        self.fields["status"].choices = [("", _("any status")), *states]  # type: ignore[attr-defined]
        self.is_valid()

    def wanted(self, name: str) -> str:
        return str(self.cleaned_data.get(name) or "")


class ReasonForm(forms.Form):
    """A reason for leaving people out of the figures, or for letting them count again."""

    why = forms.CharField(
        label=_("Reason, for the report"),
        max_length=LONGEST_WHY,
        widget=forms.TextInput(INPUT),
        help_text=_("The public plan shows it for good: name no one. Excluded people are still paid."),
        error_messages={"required": _("Say why: the reason is in the report.")},
    )

    def clean_why(self) -> str:
        return one_line(self.cleaned_data["why"])


class SubmissionsForm(forms.Form):
    """A platform's list of submissions."""

    file = forms.FileField(label=_("List of the platform, CSV"), error_messages={"required": _("Choose a file first.")})

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > MOST_BYTES:
            raise forms.ValidationError(
                _("The file is larger than %(limit)s. Split it.") % {"limit": filesizeformat(MOST_BYTES)}
            )
        return file


class RetentionForm(forms.Form):
    """The day on which what is personal is deleted."""

    day = forms.DateField(
        label=_("Delete what is personal on"),
        required=False,
        widget=forms.DateInput({"class": "input", "type": "date"}, format="%Y-%m-%d"),
        help_text=_("Left empty, nothing is deleted. A study that is still open then is waited for."),
        error_messages={"invalid": _("A day as year-month-day: 2027-01-31.")},
    )
    with_demographics = forms.BooleanField(label=_("What people said about themselves, too"), required=False)
