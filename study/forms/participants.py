"""Forms and JSON that participants send; the actions hold the rules."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from study.domain.survey.demographics import QUESTIONS

LONGEST_MS = 2_147_483_647  # the most that the column holds, 24 days
JSON_TYPES = {"first": (str, type(None)), "second": (str, type(None)), "milliseconds": (int,), "key": (str,)}


def fields_of(sent: object) -> dict[str, Any]:
    """Return the fields of JSON; an empty mapping without the types of AnswerForm or without a key.

    The key makes what is sent twice stored once.
    """
    if not isinstance(sent, dict) or not sent.get("key"):
        return {}
    is_well_typed = all(type(sent[name]) in kinds for name, kinds in JSON_TYPES.items() if name in sent)
    return sent if is_well_typed else {}


class ConsentForm(forms.Form):
    is_adult = forms.BooleanField(label=_("I am 18 or older and have read this."))
    agrees = forms.BooleanField(label=_("I agree that my anonymised answers are published for research."))


class DemographicsForm(forms.Form):
    """Demographic questions, all optional."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, (asked, answers) in QUESTIONS.items():
            choices = [(key, gettext(said)) for key, said in answers.items()]
            self.fields[name] = forms.ChoiceField(
                label=gettext(asked), choices=choices, widget=forms.RadioSelect, required=False
            )


class ParticipantAnswerForm(forms.Form):
    """Choices at a question: `first` and `second` are tokens of the lines, empty for none."""

    first = forms.CharField(max_length=40, required=False)
    second = forms.CharField(max_length=40, required=False)
    milliseconds = forms.IntegerField(min_value=0, max_value=LONGEST_MS, required=False)
    key = forms.UUIDField(required=False)
