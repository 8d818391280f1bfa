"""Forms of the rating page, sent as a form or as JSON with typed values. The actions check the rules."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.forms.fields import TypedText

WIDEST_GRADE = 1_000_000  # keeps absurd numbers from the action, which checks the scale
LONGEST_MS = 2_147_483_647  # the column's limit, 24 days
UNREADABLE = {"key": "none"}
JSON_TYPES = {"grade": int, "milliseconds": int, "reason": str, "comment": str, "key": str}


def fields_of(sent: object) -> dict[str, Any]:
    """Return the fields of a JSON body, or UNREADABLE if a type is wrong or the key is missing.

    The key lets what is sent twice be stored once. The types are checked here because a form would take "5", 2.0 and
    null as numbers.
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


class FlagForm(forms.Form):
    comment = TypedText(required=False)
    key = forms.UUIDField(required=False)
