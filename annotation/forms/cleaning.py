"""Forms of the cleaning pages. The actions check the rules."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.actions.cleaning.cleaning_rules import LONGEST_NAME
from annotation.domain.cleaning.cleaning import CleaningVerdict
from annotation.forms.rating.pairs import INPUT, LAST_POSITION
from annotation.importers.words import MOST_BYTES
from core.forms.fields import field_of

VERDICTS = {
    CleaningVerdict.KEEP: _("kept"),
    CleaningVerdict.SENSITIVE: _("sensitive"),
    CleaningVerdict.KNOWLEDGE: _("knowledge-dependent"),
}


class CleaningVerdictForm(forms.Form):
    verdict = forms.ChoiceField(
        choices=[(verdict, verdict) for verdict in CleaningVerdict],
        error_messages={
            "required": _("Say what becomes of the pair first."),
            "invalid_choice": _("Choose one of the three."),
        },
    )
    key = forms.UUIDField(required=False)


class WordsForm(forms.Form):
    name = forms.CharField(
        label=_("Name of the list"),
        max_length=LONGEST_NAME,
        required=False,
        widget=forms.TextInput(INPUT),
        help_text=_("A list that has this name already is replaced. Left empty, it is the file's name."),
    )
    file = forms.FileField(
        label=_("File"), allow_empty_file=True, error_messages={"required": _("Choose a file first.")}
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > MOST_BYTES:
            raise forms.ValidationError(_("The file is larger than 1 MiB. Split it into several lists."))
        return file


class DecisionFilter(forms.Form):
    """Filter of the listed decisions; an invalid value is ignored."""

    rule = forms.ChoiceField(required=False, label=_("Rule"), widget=forms.Select(INPUT))
    person = forms.ChoiceField(required=False, label=_("Person"), widget=forms.Select(INPUT))
    verdict = forms.ChoiceField(
        required=False,
        label=_("Decision"),
        choices=[("", _("all decisions")), *VERDICTS.items()],
        widget=forms.Select(INPUT),
    )
    page = forms.IntegerField(required=False, min_value=1, max_value=LAST_POSITION, widget=forms.HiddenInput)

    def __init__(self, sent: Any, *, rules: dict[str, str], people: dict[str, str]) -> None:
        super().__init__(sent)
        field_of(self, "rule", forms.ChoiceField).choices = [("", _("all rules")), *rules.items()]
        field_of(self, "person", forms.ChoiceField).choices = [("", _("everybody")), *people.items()]
        self.is_valid()

    def wanted(self) -> dict[str, str]:
        return {name: self.cleaned_data[name] for name in ("rule", "person", "verdict") if self.cleaned_data.get(name)}

    @property
    def number(self) -> int:
        return self.cleaned_data.get("page") or 1
