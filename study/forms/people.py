"""What the page of a study's participants sends: filters, reasons, and a platform's list."""

from typing import Any

from django import forms
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from core.actions.events import LONGEST_WHY
from core.domain.text import one_line

INPUT = {"class": "input"}
MOST_BYTES = 5 * 1024 * 1024
CHIPS = ("all", "open", "in_part", "differs", "unlisted", "flagged", "by_rule", "excluded", "withdrew")
THERE = "there:"  # before a status of the platform
ORDERS = (("", _("needing attention first")), ("joined", _("as they joined")))


class PeopleFilter(forms.Form):
    """Filter of the participants; an invalid value is ignored."""

    find = forms.CharField(
        label=_("Find"), required=False, max_length=200, widget=forms.TextInput({"type": "search", "data-find": ""})
    )
    group = forms.ChoiceField(label=_("Group"), required=False, widget=forms.Select(INPUT))
    form = forms.ChoiceField(label=_("Form"), required=False, widget=forms.Select(INPUT))
    status = forms.ChoiceField(label=_("Status"), required=False, widget=forms.Select(INPUT))
    order = forms.ChoiceField(label=_("Order"), choices=ORDERS, required=False, widget=forms.Select(INPUT))
    show = forms.ChoiceField(choices=[(chip, chip) for chip in CHIPS], required=False, widget=forms.HiddenInput)

    def __init__(
        self,
        sent: Any,
        *,
        groups: list[tuple[str, str]],
        forms: list[int],
        states: list[tuple[str, Any]],
        theirs: list[str],
    ) -> None:
        super().__init__(sent)
        there = [(f"{THERE}{status}", status.lower()) for status in theirs]
        choices = {
            "group": [("", _("all groups")), *groups],
            "form": [("", _("all forms")), *((str(form), str(form)) for form in forms)],
            "status": [
                ("", _("any, here and there")),
                (pgettext_lazy("status", "here"), states),
                (pgettext_lazy("status", "on the platform"), there),
            ],
        }
        for name, offered in choices.items():
            self.fields[name].choices = offered  # type: ignore[attr-defined]
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
        error_messages={"required": _("Give a reason: it appears in the report.")},
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
        label=_("Delete personal data on"),
        required=False,
        widget=forms.DateInput({"class": "input", "type": "date"}, format="%Y-%m-%d"),
        help_text=_(
            "Leave empty to delete nothing. If a study is still open on that day, deletion waits until it closes."
        ),
        error_messages={"invalid": _("Write the day as year-month-day: 2027-01-31.")},
    )
    with_demographics = forms.BooleanField(label=_("Also what participants said about themselves"), required=False)
