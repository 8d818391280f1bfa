"""Forms of the writing page, sent as a form or as JSON. The actions check the rules."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.domain.rewriting.rewriting import CandidateRole
from core.forms.texts import TypedText

LARGEST = 2_147_483_647  # the columns' limit; the action checks the range


class DraftForm(forms.Form):
    cut = forms.IntegerField(min_value=0, max_value=LARGEST)
    revision = forms.IntegerField(min_value=0, max_value=LARGEST)

    def __init__(self, sent: Mapping[str, Any]) -> None:
        super().__init__(sent)
        for part in CandidateRole:
            self.fields[field_of(part)] = TypedText(required=False, strip=False)

    @property
    def draft(self) -> dict[str, Any]:
        """The draft as arguments of the action. Only after is_valid()."""
        typed = self.cleaned_data
        texts = [typed[field_of(part)] for part in CandidateRole]
        return {"cut": typed["cut"], "revision": typed["revision"], "candidates": texts}


class ItemSkipForm(forms.Form):
    reason = forms.CharField(max_length=30, error_messages={"required": _("Choose a reason first.")})


def field_of(part: int) -> str:
    return f"candidate_{part:d}"


def fields_of(sent: object) -> dict[str, Any]:
    """Return the form fields of a JSON body; empty if its types are wrong."""
    if not isinstance(sent, dict):
        return {}
    if "reason" in sent:
        return {"reason": sent["reason"]} if isinstance(sent["reason"], str) else {}
    numbers, texts = [sent.get("cut"), sent.get("revision")], sent.get("candidates")
    if any(type(number) is not int for number in numbers) or not isinstance(texts, list):
        return {}
    if len(texts) != len(CandidateRole) or not all(isinstance(text, str) for text in texts):
        return {}
    return {"cut": sent["cut"], "revision": sent["revision"], **{field_of(n): text for n, text in enumerate(texts)}}
