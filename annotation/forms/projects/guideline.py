"""Form of a guideline's texts: names and examples can be changed, grades and types cannot."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation.domain.rating.guideline import Guideline, TypeWords
from core.domain.text import normalise

LANGUAGES = {"zh": "zh-Hans", "en": "en"}  # language codes of HTML
LABELS = {
    "prompt": {"zh": _("Chinese"), "en": _("English")},
    "name": {"zh": _("Name in Chinese"), "en": _("Name in English")},
    "example": {"zh": _("Example in Chinese"), "en": _("Example in English")},
}
LONGEST = {"prompt": 400, "name": 60, "example": 400}  # characters


class GuidelineForm(forms.Form):
    """A field in Chinese and one in English for every text of a guideline."""

    def __init__(self, *args: Any, guideline: Guideline, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.guideline = guideline
        for name, words, kind in _wordings(guideline):
            for language, text in words.items():
                self.fields[f"{name}-{language}"] = _field(kind, language, str(text))

    def clean(self) -> dict[str, Any]:
        typed: dict[str, Any] = super().clean() or {}
        for name, _words, kind in _wordings(self.guideline):
            if kind == "name" and not any(typed.get(f"{name}-{language}") for language in LANGUAGES):
                self.add_error(f"{name}-zh", gettext("Give it a name in one language at least."))
        return typed

    def content(self) -> Guideline:
        """Return the guideline with the texts that were typed."""
        rewritten = deepcopy(self.guideline)
        for name, words, _kind in _wordings(rewritten):
            for language in LANGUAGES:
                words[language] = normalise(self.cleaned_data[f"{name}-{language}"])  # type: ignore[literal-required]
        return rewritten

    def prompt(self) -> list[BoundField]:
        return self._pair("prompt") if self.guideline["prompt"] else []

    def grades(self) -> Iterator[dict[str, Any]]:
        """Yield the fields of each grade, as the page shows them."""
        for guide in self.guideline["grades"]:
            grade = f"grade{guide['grade']}"
            types = [
                {"name": self._pair(f"{grade}-{kind['key']}"), "example": self._pair(f"{grade}-{kind['key']}-example")}
                for kind in guide["types"]
            ]
            yield {"grade": guide["grade"], "name": self._pair(grade), "types": types}

    def _pair(self, name: str) -> list[BoundField]:
        return [self[f"{name}-{language}"] for language in LANGUAGES]


def _field(kind: str, language: str, text: str) -> forms.CharField:
    return forms.CharField(
        label=LABELS[kind][language],
        initial=text,
        required=False,
        max_length=LONGEST[kind],
        widget=forms.TextInput({"lang": LANGUAGES[language]}),
    )


def _wordings(guideline: Guideline) -> Iterator[tuple[str, TypeWords, str]]:
    """Yield every text with the name of its fields and its kind, a key of LABELS."""
    if guideline["prompt"]:
        yield "prompt", guideline["prompt"], "prompt"
    for guide in guideline["grades"]:
        grade = f"grade{guide['grade']}"
        yield grade, guide["name"], "name"
        for kind in guide["types"]:
            yield f"{grade}-{kind['key']}", kind["name"], "name"
            yield f"{grade}-{kind['key']}-example", kind["example"], "example"
