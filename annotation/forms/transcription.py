"""Forms of the transcript page, sent as a form or as JSON. The actions check the rules."""

from typing import Any

from django import forms
from django.http import QueryDict

from annotation.domain.corpora.dialogue import Turn
from annotation.forms.rewriting import LARGEST


class TranscriptForm(forms.Form):
    revision = forms.IntegerField(min_value=0, max_value=LARGEST)
    answer = forms.IntegerField(required=False, min_value=0, max_value=LARGEST)
    turns = forms.JSONField(required=False)

    def clean_turns(self) -> list[Turn]:
        """Return each turn with speaker and text. Raises ValidationError for anything else."""
        turns = self.cleaned_data["turns"] or []
        if not isinstance(turns, list) or not all(_is_turn(turn) for turn in turns):
            raise forms.ValidationError("turns")
        return [Turn(speaker=turn["speaker"], text=turn["text"]) for turn in turns]

    @property
    def draft(self) -> dict[str, Any]:
        """The draft as arguments of the action. Only after is_valid()."""
        return {name: self.cleaned_data[name] for name in ("turns", "answer", "revision")}


def _is_turn(turn: object) -> bool:
    return isinstance(turn, dict) and all(isinstance(turn.get(name), str) for name in ("speaker", "text"))


def fields_of(sent: object) -> dict[str, Any]:
    """Return the form fields of a JSON body; empty if its types are wrong."""
    if not isinstance(sent, dict):
        return {}
    if "reason" in sent:
        return {"reason": sent["reason"]} if isinstance(sent["reason"], str) else {}
    answer = sent.get("answer")
    if type(sent.get("revision")) is not int or not (answer is None or type(answer) is int):
        return {}
    return {"revision": sent["revision"], "answer": answer, "turns": sent.get("turns")}


def fields_of_form(sent: QueryDict) -> dict[str, Any]:
    """Return the form fields of a plain form, which has a field for each speaker and each text, in their order."""
    pairs = zip(sent.getlist("speaker"), sent.getlist("text"), strict=False)
    turns = [{"speaker": speaker, "text": text} for speaker, text in pairs]
    return {**sent.dict(), "turns": turns}
