"""Form to draw questions."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.forms.fields import field_of
from core.forms.lists import Column, NamedListForm
from core.forms.short_names import NamedForm
from study.baselines.ablation import USUAL_ABLATIONS
from study.domain.questions.sampling import SamplingSettings
from study.forms.numbers import fields_for, seed_field
from study.forms.runs import ablation_title
from study.models import QuestionSet

number = fields_for(SamplingSettings)

LAST_EXAMPLE = 999_999
PICKED = {
    "uniform": _("at random"),
    "similar": _("similar words"),
    "length": _("similar length"),
}


class QuestionSetFilter(NamedListForm):
    COLUMNS = {
        "made": Column(_("Created"), highest_first=True),
        "name": Column(_("Question set")),
        "questions": Column(_("questions"), highest_first=True),
    }


class BuildForm(NamedForm):
    NAMELESS = "questions"

    name = forms.CharField(
        label=_("Short name"),
        max_length=QuestionSet._meta.get_field("name").max_length,
        help_text=_("Letters, digits, - and _. Used in addresses and commands."),
    )
    sources = forms.MultipleChoiceField(
        label=_("Draw from"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one corpus or release.")},
        help_text=_("Questions are split equally among the sources. A name with a colon is one split."),
    )
    count = number("count", label=_("Questions"))
    distractors = number("distractors", label=_("Distractors"), help_text=_("Distractors per question."))
    pick = forms.ChoiceField(
        label=_("How distractors are picked"),
        widget=forms.RadioSelect,
        choices=list(PICKED.items()),
        initial=SamplingSettings.pick,
    )
    max_turns = number("max_turns", label=_("Turns of context"), help_text=_("The maximum number of turns of context."))
    conditions = forms.MultipleChoiceField(
        label=_("Conditions"),
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text=_(
            "Each question is asked with its whole context and, if that is long enough, also in the versions "
            "below. A participant sees only one version of a question."
        ),
    )
    seed = seed_field(help_text=_("The same seed gives the same questions."))

    example = forms.IntegerField(
        required=False, min_value=0, max_value=LAST_EXAMPLE, initial=0, widget=forms.HiddenInput
    )

    def __init__(self, *args: Any, sources: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.names = sources
        field_of(self, "sources", forms.ChoiceField).choices = [(name, name) for name in sources]
        conditions = [(name, ablation_title(name)) for name in USUAL_ABLATIONS]
        field_of(self, "conditions", forms.MultipleChoiceField).choices = conditions

    def beginning(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return what would be drawn with these values; for one that is missing or wrong, what a new form has."""
        fresh = {name: field.initial for name, field in self.fields.items() if field.initial is not None}
        tried = type(self)(fresh | dict(values), sources=self.names)
        tried.full_clean()
        return {"sources": [], "conditions": []} | fresh | tried.cleaned_data
