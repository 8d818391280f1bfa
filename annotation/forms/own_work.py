"""Filter of a person's own work."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from annotation.domain.own_work import WorkState
from annotation.forms.rating.pairs import INPUT
from annotation.models import Step
from core.forms.fields import field_of
from core.forms.lists import ListForm, SearchField


class OwnWorkFilter(ListForm):
    """Filter of a list of one's own work."""

    search = SearchField(label=_("Search"), placeholder=_("text, item number or comment"))
    step = forms.ChoiceField(
        required=False,
        label=pgettext_lazy("of work", "Step"),
        widget=forms.Select(INPUT),
        error_messages={"invalid_choice": _("There is no step “%(value)s”. Work at every step is shown.")},
    )
    state = forms.ChoiceField(
        required=False,
        choices=[(state, state) for state in WorkState],
        error_messages={"invalid_choice": _("There is no state “%(value)s”. Work in every state is shown.")},
    )

    def __init__(self, sent: Any, *, steps: Sequence[Step]) -> None:
        super().__init__(sent)
        field_of(self, "step", forms.ChoiceField).choices = [
            ("", _("all steps")),
            *((step.value, step.label) for step in steps),
        ]
