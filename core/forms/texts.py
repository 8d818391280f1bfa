"""Form fields for typed or pasted text. The rules of a text are in domain/text."""

from typing import Any

from django import forms


class TypedText(forms.CharField):
    """Text field that drops NUL characters, which no text may hold, instead of refusing the text."""

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value)).replace("\0", "")
