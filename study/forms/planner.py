"""Knobs of the planner: how many people and questions, and what is taken for granted. Nothing of them is stored."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from study.domain.results.planning import WIDEST, WIDEST_SD

MOST = 100_000
NARROW, WIDE = 0.1, 100 * WIDEST  # points of a half-width


class PlannerForm(forms.Form):
    people = forms.IntegerField(label=_("Number of people"), min_value=1, max_value=MOST)
    questions = forms.IntegerField(label=_("Different questions"), min_value=1, max_value=MOST)
    wanted = forms.FloatField(label=_("Half-width wanted, ± points"), min_value=NARROW, max_value=WIDE)
    each = forms.IntegerField(label=_("Questions per participant"), min_value=1, max_value=MOST)
    share = forms.FloatField(label=_("R@1 expected, %"), min_value=1, max_value=99)
    icc = forms.FloatField(
        label=_("Correlation within participants"),
        min_value=0,
        max_value=1,
        help_text=_("How alike one person's answers are."),
    )
    question_sd = forms.FloatField(
        label=_("Standard deviation between questions"),
        min_value=0,
        max_value=WIDEST_SD,
        help_text=_("How much the share answered correctly varies between questions."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "auto_id": "id_planner_%s", "use_required_attribute": False})

    def clean(self) -> dict[str, Any]:
        typed = super().clean() or self.cleaned_data
        if typed.get("each") and typed.get("questions") and typed["each"] > typed["questions"]:
            self.add_error("each", _("No one can answer more questions than there are."))
        return typed
