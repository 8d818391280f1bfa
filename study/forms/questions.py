"""Questions to be drawn."""

from typing import Any

from django import forms
from django.core.validators import validate_slug
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from study.domain.sampling import SamplingSettings
from study.models import QuestionSet

LARGEST_SEED = 2**63 - 1
LIMITS, DEFAULTS = SamplingSettings.LIMITS, SamplingSettings()


def _number(name: str, **kwargs: Any) -> forms.IntegerField:
    """A field that says what is allowed, whatever is wrong with the number."""
    lowest, highest = LIMITS[name][0], LIMITS[name][-1]
    rule = format_lazy(_("A whole number from {lowest} to {highest}."), lowest=lowest, highest=highest)
    errors = dict.fromkeys(("required", "invalid", "min_value", "max_value"), rule)
    return forms.IntegerField(
        min_value=lowest, max_value=highest, initial=getattr(DEFAULTS, name), error_messages=errors, **kwargs
    )


class BuildForm(forms.Form):
    name = forms.CharField(
        label=_("Short name"), max_length=QuestionSet._meta.get_field("name").max_length, validators=[validate_slug],
        help_text=_("Letters, digits, - and _. Used in addresses and commands."),
    )  # fmt: skip
    sources = forms.MultipleChoiceField(
        label=_("Draw from"), widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one corpus or release.")},
        help_text=_("Each gives as many questions. A name with a colon is one split."),
    )  # fmt: skip
    count = _number("count", label=_("Questions"))
    distractors = _number("distractors", label=_("False responses"), help_text=_("For each question."))
    max_turns = _number("max_turns", label=_("Turns of context"), help_text=_("At most."))
    seed = forms.IntegerField(
        label=_("Seed"), initial=0, min_value=0, max_value=LARGEST_SEED,
        help_text=_("The same seed gives the same questions."),
    )  # fmt: skip

    def __init__(self, *args: Any, sources: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["sources"].choices = [(name, name) for name in sources]

    @property
    def has_sources(self) -> bool:
        return bool(self.fields["sources"].choices)
