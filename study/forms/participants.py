"""Forms and JSON that participants send; the actions hold the rules."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.actions.refusals import Refused
from core.forms.sent import checked
from study.domain.survey.demographics import DemographicQuestion
from study.models import Presentation

UNREADABLE = {"key": "none"}
LONGEST_MS = 2_147_483_647  # the most that the column holds, 24 days
JSON_TYPES = {
    "first": (str, type(None)),
    "second": (str, type(None)),
    "milliseconds": (int,),
    "key": (str,),
    "person": (str,),
}
JSON_TYPES |= {"seconds_left": (int, type(None))}


def fields_of(sent: object) -> dict[str, Any]:
    """Return the fields of JSON, or UNREADABLE if a type is wrong or the key is missing.

    The key makes what is sent twice stored once.
    """
    if not isinstance(sent, dict) or not sent.get("key"):
        return UNREADABLE
    is_well_typed = all(type(sent[name]) in kinds for name, kinds in JSON_TYPES.items() if name in sent)
    return sent if is_well_typed else UNREADABLE


class ConsentForm(forms.Form):
    is_adult = forms.BooleanField(label=_("I am 18 or older and have read this."))
    agrees = forms.BooleanField(label=_("I agree that my anonymised answers are published for research."))


class DemographicsForm(forms.Form):
    """Demographic questions, all optional."""

    def __init__(self, questions: Iterable[DemographicQuestion], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for question in questions:
            self.fields[question.key] = forms.ChoiceField(
                label=question.text, choices=[*question.answers.items()], widget=forms.RadioSelect, required=False
            )


class ParticipantAnswerForm(forms.Form):
    """Choices at a question: `first` and `second` are tokens of the lines, empty for none."""

    first = forms.CharField(max_length=40, required=False)
    second = forms.CharField(max_length=40, required=False)
    milliseconds = forms.IntegerField(min_value=0, max_value=LONGEST_MS, required=False)
    key = forms.UUIDField(required=False)
    seconds_left = forms.IntegerField(required=False)

    def choices(self, presentation: Presentation) -> dict[str, Any]:
        """Return the answer as arguments of its action, with numbers of candidates for tokens. Raises Refused for what
        cannot be read, and for an unknown token.
        """
        sent = checked(self, _("Not saved: what this page sent cannot be read. Load the page again."))
        numbers = dict(zip(presentation.tokens, presentation.order, strict=True))
        if not {sent["first"], sent["second"]} - {""} <= numbers.keys():
            raise Refused("no_choice", _("Not saved: this is none of the lines. Choose one of those shown."))
        return sent | {name: numbers.get(sent[name]) for name in ("first", "second")}

    def both(self, presentation: Presentation) -> tuple[int, int]:
        """Return the numbers of the two candidates chosen. Raises Refused if one is missing or unknown."""
        chosen = self.choices(presentation) if self.is_valid() else {"first": None, "second": None}
        if chosen["first"] is None or chosen["second"] is None:
            raise Refused("missing", _("Choose a first and a second line."))
        return chosen["first"], chosen["second"]
