"""Forms of the adjudication page, sent as a form or as JSON. The action checks the rules."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.actions.adjudication.adjudication import Decision
from annotation.forms.rating.rating import WIDEST_GRADE
from core.forms.sent import checked


class DecisionForm(forms.Form):
    """A grade with the type that explains it, or in `remove` the reason for removing the pair."""

    grade = forms.IntegerField(min_value=-WIDEST_GRADE, max_value=WIDEST_GRADE, required=False)
    reason = forms.CharField(max_length=30, required=False)
    remove = forms.CharField(max_length=30, required=False)

    def clean(self) -> dict[str, Any]:
        typed = super().clean() or self.cleaned_data
        if not typed.get("remove") and typed.get("grade") is None:
            raise forms.ValidationError(_("Choose a grade first, or remove the pair with a reason."))
        return typed

    def decision(self) -> Decision:
        """Return the decision that was sent. Raises Refused if it cannot be read."""
        sent = checked(self)
        return Decision(None, sent["remove"]) if sent["remove"] else Decision(sent["grade"], sent["reason"])


class LeaveForm(forms.Form):
    skip = forms.CharField(max_length=30, error_messages={"required": _("Choose a reason first.")})
