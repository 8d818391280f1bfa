"""Fields for what people type or paste. The rules of a text are domain/text's."""

from typing import Any

from django import forms


class TypedText(forms.CharField):
    """What somebody typed or pasted: a character that no text may hold is left out, and refuses nothing."""

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value)).replace("\0", "")
