"""Form of the transcript page, sent as a form or as JSON. The actions check the rules."""

from typing import Any, Self

from django import forms
from django.http import HttpRequest, QueryDict

from annotation.domain.corpora.dialogue import Turn
from annotation.forms.assignments import LARGEST, DraftForm
from core.forms.sent import fields_sent, is_json


class TranscriptForm(DraftForm):
    text = ("turns", "answer")
    answer = forms.IntegerField(required=False, min_value=0, max_value=LARGEST)
    turns = forms.JSONField(required=False)

    @classmethod
    def of(cls, request: HttpRequest) -> Self:
        return cls(fields_sent(request, fields_of) if is_json(request) else fields_of_form(request.POST))

    def clean_turns(self) -> list[Turn]:
        """Return each turn with speaker and text. Raises ValidationError for anything else."""
        turns = self.cleaned_data["turns"] or []
        if not isinstance(turns, list) or not all(_is_turn(turn) for turn in turns):
            raise forms.ValidationError("turns")
        return [Turn(speaker=turn["speaker"], text=turn["text"]) for turn in turns]


def _is_turn(turn: object) -> bool:
    return isinstance(turn, dict) and all(isinstance(turn.get(name), str) for name in ("speaker", "text"))


def fields_of(sent: object) -> dict[str, Any]:
    """Return the form fields of a JSON body; empty if its types are wrong."""
    if not isinstance(sent, dict):
        return {}
    answer = sent.get("answer")
    if type(sent.get("revision")) is not int or not (answer is None or type(answer) is int):
        return {}
    return {"answer": answer, **{name: sent.get(name) for name in ("revision", "save_key", "turns")}}


def fields_of_form(sent: QueryDict) -> dict[str, Any]:
    """Return the form fields of a plain form, which has a field for each speaker and each text, in their order."""
    pairs = zip(sent.getlist("speaker"), sent.getlist("text"), strict=False)
    turns = [{"speaker": speaker, "text": text} for speaker, text in pairs]
    return {**sent.dict(), "turns": turns}
