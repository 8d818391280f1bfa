"""What the rating page sends, as a form or as JSON: numbers are numbers, keys are keys. The rules are the actions'."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.forms.texts import TypedText

WIDEST_GRADE = 1_000_000  # the scale is the action's to check; this keeps absurd numbers away from it
LONGEST_MS = 2_147_483_647  # what the column holds, 24 days
UNREADABLE = {"key": "none"}
JSON_TYPES = {"grade": int, "milliseconds": int, "reason": str, "comment": str, "key": str}


def fields_of(sent: object) -> dict[str, Any]:
    """The fields of JSON; ones that no form takes where it has not the types of these forms, and a key, so that what is
    sent twice is stored once.

    The forms alone would take "5", 2.0 and null for numbers, because in a plain form everything is a text.
    """
    if not isinstance(sent, dict) or not sent.get("key"):
        return UNREADABLE
    is_well_typed = all(type(sent[name]) is kind for name, kind in JSON_TYPES.items() if name in sent)
    return sent if is_well_typed else UNREADABLE


class GradeForm(forms.Form):
    grade = forms.IntegerField(
        min_value=-WIDEST_GRADE, max_value=WIDEST_GRADE, error_messages={"required": _("Choose a grade first.")}
    )
    reason = forms.CharField(max_length=30, required=False)
    key = forms.UUIDField(required=False)


class FirstGradeForm(GradeForm):
    milliseconds = forms.IntegerField(min_value=0, max_value=LONGEST_MS, required=False)


class RatingSkipForm(forms.Form):
    reason = forms.CharField(max_length=30, error_messages={"required": _("Choose a reason first.")})


class FlagForm(forms.Form):
    comment = TypedText(required=False)
    key = forms.UUIDField(required=False)
