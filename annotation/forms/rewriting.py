"""Form of the writing page, sent as a form or as JSON. The actions check the rules."""

from typing import Any, Self

from django import forms
from django.http import HttpRequest

from annotation.domain.rewriting.rewriting import CandidateRole
from annotation.forms.assignments import LARGEST, DraftForm
from core.forms.fields import TypedText
from core.forms.sent import fields_sent


class RewriteForm(DraftForm):
    text = ("cut", "candidates")
    cut = forms.IntegerField(min_value=0, max_value=LARGEST)
    takes_over = forms.BooleanField(required=False)
    goes_on = forms.IntegerField(required=False, min_value=1, max_value=LARGEST)  # the assignment that is shown already

    def __init__(self, sent: dict[str, Any]) -> None:
        super().__init__(sent)
        for part in CandidateRole:
            self.fields[field_of(part)] = TypedText(required=False, strip=False)

    @classmethod
    def of(cls, request: HttpRequest) -> Self:
        return cls(fields_sent(request, fields_of))

    def clean(self) -> dict[str, Any]:
        typed = super().clean() or self.cleaned_data
        return typed | {"candidates": [typed.get(field_of(part)) for part in CandidateRole]}


def field_of(part: int) -> str:
    return f"candidate_{part:d}"


def fields_of(sent: object) -> dict[str, Any]:
    """Return the form fields of a JSON body; empty if its types are wrong."""
    if not isinstance(sent, dict):
        return {}
    numbers, texts = [sent.get("cut"), sent.get("revision")], sent.get("candidates")
    if any(type(number) is not int for number in numbers) or not isinstance(texts, list):
        return {}
    if len(texts) != len(CandidateRole) or not all(isinstance(text, str) for text in texts):
        return {}
    facts = {name: sent.get(name) for name in ("cut", "revision", "save_key", "takes_over", "goes_on")}
    return {**facts, **{field_of(number): text for number, text in enumerate(texts)}}
