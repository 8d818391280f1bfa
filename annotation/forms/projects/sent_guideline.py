"""What the editor of a guideline sends, as a form or, from its script, as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self
from uuid import UUID

from django import forms
from django.http import HttpRequest

from annotation.forms.assignments import LARGEST
from core.domain.text import normalise
from core.forms.sent import fields_sent


class _Numbers(forms.Form):
    """What is sent beside the texts: the version and the draft that were edited, and the key of the save."""

    seen = forms.IntegerField(min_value=1, max_value=LARGEST, required=False)
    revision = forms.IntegerField(min_value=0, max_value=LARGEST, required=False)
    save_key = forms.UUIDField(required=False)


@dataclass(frozen=True)
class SentGuideline:
    """The texts by the names of their fields, and what is sent beside them.

    `edit` is the row to add, drop or move, if any; `seen` the number of the version that was edited, None where what
    was sent cannot be read; `revision` that of the draft on the page, 0 where there was none.
    """

    texts: Mapping[str, str]
    edit: str
    why: str
    seen: int | None
    revision: int
    save_key: UUID | None

    @classmethod
    def of(cls, request: HttpRequest) -> Self:
        sent = fields_sent(request, _texts_and_numbers)
        numbers = _Numbers(sent)
        numbers.is_valid()
        read = numbers.cleaned_data
        return cls(
            texts=sent,
            edit=sent.get("edit", ""),
            why=normalise(sent.get("why", "")),
            seen=read.get("seen"),
            revision=read.get("revision") or 0,
            save_key=read.get("save_key"),
        )


def version_number(text: str) -> int | None:
    """Return the number of a version that a page sent; None for what no page sends."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else None


def _texts_and_numbers(sent: object) -> dict[str, Any]:
    """Return the texts of a JSON object, its numbers written out; an empty mapping for any other JSON."""
    if not isinstance(sent, dict) or not all(isinstance(value, str | int) for value in sent.values()):
        return {}
    return {name: str(value) for name, value in sent.items()}
