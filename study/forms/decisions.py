"""A decision about a question at which most people chose another line."""

from django import forms
from django.utils.translation import gettext_lazy as _

from core.actions.events import LONGEST_WHY
from study.domain.survey.validity import Validity

VALIDITY = {
    Validity.PERHAPS_VALID: _("Perhaps valid"),
    Validity.TRUE_ONLY: _("Only the correct one"),
    Validity.UNDECIDED: _("Undecided"),
}


class ValidityForm(forms.Form):
    decision = forms.ChoiceField(label=_("Decision"), choices=[*VALIDITY.items()], widget=forms.RadioSelect)
    why = forms.CharField(
        label=_("Reason"),
        max_length=LONGEST_WHY,
        widget=forms.TextInput({"class": "input"}),
        error_messages={"required": _("Give a reason: it appears in the report.")},
    )
