"""Forms of the cleaning pages. The actions check the rules."""

from collections.abc import Mapping
from io import BytesIO
from typing import Any, BinaryIO

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from annotation.actions.cleaning.cleaning_rules import LONGEST_NAME
from annotation.domain.cleaning.cleaning import CleaningVerdict
from annotation.forms.rating.pairs import INPUT
from annotation.importers.words import MOST_BYTES
from core.forms.fields import TypedText, field_of
from core.forms.lists import Column, ListForm, SearchField

MOST_TYPED = 1_000  # lines
VERDICTS = {
    CleaningVerdict.KEEP: _("kept"),
    CleaningVerdict.SENSITIVE: _("sensitive"),
    CleaningVerdict.KNOWLEDGE: _("knowledge-dependent"),
}


class CleaningVerdictForm(forms.Form):
    verdict = forms.ChoiceField(
        choices=[(verdict, verdict) for verdict in CleaningVerdict],
        error_messages={
            "required": _("First choose what happens to the pair."),
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
        help_text=_("An existing list with this name is replaced. If left empty, the file's name is used."),
    )
    file = forms.FileField(label=_("File"), allow_empty_file=True, required=False)
    typed = TypedText(
        label=_("Or type the words"),
        required=False,
        widget=forms.Textarea({**INPUT, "rows": 4}),
        help_text=_("One word or phrase per line, at most 1,000 lines. Such a list needs a name."),
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file and file.size > MOST_BYTES:
            raise forms.ValidationError(_("The file is larger than 1 MiB. Split it into several lists."))
        return file

    def clean_typed(self) -> str:
        typed = str(self.cleaned_data["typed"])
        if len(typed.splitlines()) > MOST_TYPED:
            raise forms.ValidationError(_("More than 1,000 lines were typed. Upload them as a file."))
        return typed

    def clean(self) -> None:
        if self.errors:
            return
        file, typed = self.cleaned_data["file"], self.cleaned_data["typed"]
        if file is None and not typed.strip():
            self.add_error("file", _("Choose a file, or type the words."))
        if file is not None and typed.strip():
            self.add_error("typed", _("Choose a file or type the words, not both."))

    def words(self) -> BinaryIO:
        """Return the words that were uploaded or typed, as a file."""
        file: BinaryIO | None = self.cleaned_data["file"]
        return file if file is not None else BytesIO(self.cleaned_data["typed"].encode())

    def list_name(self) -> str:
        """Return the name that was given, or else that of the file."""
        file = self.cleaned_data["file"]
        of_file = file.name.rpartition(".")[0] or file.name if file is not None else ""
        return self.cleaned_data["name"] or of_file


def moved_switches(sent: QueryDict) -> dict[str, bool]:
    """Return by rule whether it is on now, of those whose switch the person moved since the page was made.

    What someone else switched since stays as they switched it.
    """
    was, now = set(sent.getlist("was_on")), set(sent.getlist("on"))
    return {rule: rule in now for rule in sorted(was ^ now)}


class HitFilter(ListForm):
    """Filters and order of the list of the pairs that wait for a decision."""

    COLUMNS = {"order": Column(_("Prompt and response"))}
    ALWAYS_SHOWN = ("search", "rule")

    search = SearchField(label=_("Search in prompts and responses"))
    rule = forms.ChoiceField(required=False, label=_("Rule"), widget=forms.Select(INPUT))

    def __init__(self, sent: Any, *, rules: Mapping[str, str]) -> None:
        super().__init__(sent)
        field_of(self, "rule", forms.ChoiceField).choices = [("", _("all rules")), *rules.items()]


class DecisionFilter(ListForm):
    """Filter of the listed decisions; an invalid value is ignored."""

    rule = forms.ChoiceField(required=False, label=_("Rule"), widget=forms.Select(INPUT))
    person = forms.ChoiceField(required=False, label=_("Person"), widget=forms.Select(INPUT))
    verdict = forms.ChoiceField(
        required=False,
        label=_("Decision"),
        choices=[("", _("all decisions")), *VERDICTS.items()],
        widget=forms.Select(INPUT),
    )

    def __init__(self, sent: Any, *, rules: dict[str, str], people: dict[str, str]) -> None:
        super().__init__(sent)
        field_of(self, "rule", forms.ChoiceField).choices = [("", _("all rules")), *rules.items()]
        field_of(self, "person", forms.ChoiceField).choices = [("", _("everyone")), *people.items()]
